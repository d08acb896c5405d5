/// Kernel times of runs on numavp's own machine, in the place of those that an application graph has.
#pragma once

#include <string>
#include <vector>

#include "communication/characterize/host_machine.h"
#include "communication/graph/app_graph.h"

namespace numavp {

/// Gives each kernel step the mean time that its kernel took in the first of `results` (folders or files of
/// results.json) that has it, on every GPU. A step names its kernel by `kernel`, else by its own name, with or without
/// the number that makes names of steps unique ("add 2"). Other kernels keep their times, and without results all do.
/// Returns sentences on what does not fit: kernels without a run, runs on several GPUs or on GPUs with another memory
/// than those of `machine`. ConfigError, at a file, if it has none of the graph's kernels.
std::vector<std::string> use_simulated_times(AppGraph& graph, const std::vector<std::string>& results,
                                             const HostMachine& machine);

} // namespace numavp
