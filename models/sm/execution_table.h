/// Execution units of an SM by architecture: lanes and latencies, as data with their sources.
#pragma once

#include <array>
#include <cstdint>

#include "base/values/name_table.h"
#include "sw/work/workload.h"

namespace numavp {

/// The architecture whose execution units an SM has.
enum class Architecture : std::uint8_t { none, pascal, volta, ampere, hopper, accel_sim_volta, accel_sim_ampere };

/// How an architecture executes warp instructions of one kind.
struct UnitTiming {
    ExecutionUnit pipe = ExecutionUnit::single_precision; ///< rows of one pipe take turns in it
    unsigned lanes = 0;                                   ///< results of an SM a cycle
    unsigned latency = 0;                                 ///< cycles to the result; 0: the instruction's own
};
using ExecutionTable = std::array<UnitTiming, kExecutionUnits>; ///< by ExecutionUnit

/// The rows of an architecture; Architecture::none has none.
const ExecutionTable& execution_table(Architecture architecture);

inline constexpr NameTable<Architecture> kArchitectures{
    "execution units",
    {{Architecture::none, "none", "any scheduler issues any instruction every cycle"},
     {Architecture::pascal, "pascal",
      "compute capability 6.0: CUDA C++ Programming Guide, Jia et al.; not yet checked"},
     {Architecture::volta, "volta", "compute capability 7.0: CUDA C++ Programming Guide, Jia et al.; not yet checked"},
     {Architecture::ampere, "ampere",
      "compute capability 8.0: CUDA C++ Programming Guide, Abdelkhalik et al.; not yet checked"},
     {Architecture::hopper, "hopper", "compute capability 9.0, as measured on an H200; tensor cores as on Ampere"},
     {Architecture::accel_sim_volta, "accel_sim_volta",
      "trace.config of Accel-Sim's SM7_QV100; tensor cores by one of two versions"},
     {Architecture::accel_sim_ampere, "accel_sim_ampere", "trace.config of Accel-Sim's SM86_RTX3070"}}};

} // namespace numavp
