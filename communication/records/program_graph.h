/// Application graphs of host programs: of the allocations, copies, launches and host phases in a workload's file.
///
/// A value is an array between two writes, on cpu0 or on gpu0. The arrays that a kernel reads and writes are found by
/// walking some of its blocks, without a simulation.
#pragma once

#include <string>

#include "communication/records/recorded_graph.h"
#include "sw/work/workload.h"

namespace numavp {

struct ProgramTimes {
    std::string results;     ///< results.json of a run of the program, or its folder; empty: none
    double gbytes_per_s = 0; ///< of all arrays that a kernel reads and writes, if the results have no time; 0: none
    double host_gbytes_per_s = 0; ///< of the bytes that a host phase accesses; 0: none
};

/// ConfigError if a time is missing, the results can't be read, or the workload declares no memory (a trace).
RecordedGraph program_graph(const Workload& workload, const ProgramTimes& times);

} // namespace numavp
