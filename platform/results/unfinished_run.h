/// What is left of a run that failed or was interrupted: the statistics of the kernels that had ended, in a file beside
/// the folder that has no results. A run that is killed leaves none.
#pragma once

#include <string>

#include "common/inputs/workload_record.h"
#include "platform/machine/system.h"

namespace numavp {

/// Path of the file of a run that would have written the folder `results`.
std::string unfinished_path(const std::string& results);
/// Writes the file and returns a sentence for the user; empty if no kernel had ended. `why`: the fault of the run.
/// ConfigError if the file can't be written, or another one has its name.
std::string write_unfinished(const System& system, const WorkloadRecord& workload, const std::string& results,
                             const std::string& why);
/// Removes the file of an earlier run, once there are results; no file of another origin.
void remove_unfinished(const std::string& results);

} // namespace numavp
