/// Roofline of a run and of each of its kernels: operations against the bytes at each level, below the ceilings of the
/// machine's own settings.
///
/// The operations of the vector roofline are warp instructions (as in Ding and Williams, "An Instruction Roofline Model
/// for GPUs", PMBS 2019): statistics count neither lanes nor floating-point operations. Those of the tensor roofline
/// are the operations of matrix instructions, where a machine counts them. docs/use/RESULTS.md ("Roofline") has the
/// formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "base/values/name_table.h"
#include "common/system/system_config.h"

namespace numavp {

/// Levels at which bytes are counted.
enum class RoofLevel : std::uint8_t { l2, memory, links, network };
inline constexpr NameTable<RoofLevel> kRoofLevels{
    "level",
    {{RoofLevel::l2, "l2", "answers of the L2 slices to reads, with headers, of each socket's busier side"},
     {RoofLevel::memory, "memory", "data read from and written to memory"},
     {RoofLevel::links, "links", "packets that the sockets' links sent"},
     {RoofLevel::network, "network", "packets on each channel between routers that they crossed"}}};

/// Most that all parts of a level can carry together.
struct RoofCeiling {
    RoofLevel level{};
    double bytes_per_s = 0.0;
};

/// Most operations of matrix instructions of one kind of elements, of all tensor cores together.
struct TensorCeiling {
    std::string data; ///< a name of kMatrixData
    double ops_per_s = 0.0;
};

/// A kernel (all launches of its name), or the run.
struct RoofPoint {
    std::string name;
    bool side_by_side = false;
    std::uint64_t launches = 0, cycles = 0;         ///< of the core clock
    std::optional<double> instructions, tensor_ops; ///< warp instructions; operations of matrix instructions
    std::vector<std::optional<double>> bytes;       ///< by level, in the order of Roofline::levels
};

struct Roofline {
    double instructions_per_s = 0.0;   ///< that all schedulers could issue
    std::vector<TensorCeiling> tensor; ///< the largest first; empty without tensor cores
    std::vector<RoofCeiling> levels;   ///< that the machine has
    double clock_hz = 0.0;             ///< of the points' cycles
    RoofPoint run;
    std::vector<RoofPoint> kernels; ///< the longest first
};

/// No kernels if the results have no statistics by kernel.
Roofline roofline_of(const SystemConfig& config, const ordered_json& results);

/// {"ceilings": {...}, "run": {...}, "kernels": [...]}; null without kernels.
ordered_json json_of(const Roofline& roofline);

} // namespace numavp
