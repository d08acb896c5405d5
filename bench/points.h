/// What the bench measures, each in a process of its own (SystemC elaborates once a process).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace numavp {

/// Accel-Sim's measurements of a shape (QV100 configuration, one core), and what the shape contains.
struct ShapeReference {
    const char* name;
    std::uint64_t warp_instructions; ///< exact
    std::uint64_t sectors;           ///< within 0.1 %
    std::uint64_t cycles;            ///< that Accel-Sim simulated
    double instructions_per_s;       ///< warp instructions
    double sectors_per_s;
};
const std::vector<ShapeReference>& shape_references();
/// A transaction of F_pq on the machine on which Accel-Sim was measured, in microseconds.
inline constexpr double kReferenceFpqMicroseconds = 0.91;

/// Measures one point and says what was found:
///   transport PAIRS         "pairs": us a transaction of F_w, transport, F_w
///   flits PAIRS             "pairs": seconds a cycle of the bare relay, the channel over it, the bare relay
///   run SYSTEM WORKLOAD [SCALE [SETTING...]]   a workload (a name or a file) on a system, between two runs of F_pq
///   alone SYSTEM WORKLOAD [SCALE [SETTING...]] the same without F_pq, for profiles
///   write NAME FOLDER       writes a shape as a trace; "list"
///   sockets N               a fixed load with a fixed remote share on N sockets
///   floor wheel|heap TRANSACTIONS, hops CYCLES   a floor and the transport alone, for callgrind
///   memory                  3 GB on numa-aware-4
///   dram DEVICE STREAM      a generated stream on a timed memory device
///   axi4 PAIRS              the bridge to AXI4 beside the memory that it drives
///   axi4_engine PAIRS       the bridge from AXI4 beside the manager that drives it
///   policies cpp|rtl        spmv-powerlaw on numa-aware-4, balancers and partition controllers in C++ or in RTL
nlohmann::ordered_json measure_point(const std::vector<std::string>& point);

} // namespace numavp
