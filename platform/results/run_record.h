/// What run.json keeps of a run's input, so that `numavp run FOLDER` repeats it.
///
/// The system is in results.json, resolved. Of a workload that a JSON file describes the record has the description, of
/// a trace its path: a trace that has changed since shows when the repeated results are held against the record's.
#pragma once

#include <string>

#include "models/base/config_file.h"
#include "platform/inputs/named_workload.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// The member `record` of run.json: model version, workload, seed, scale and kernels as they were asked for.
ordered_json run_record(const NamedWorkload& workload);

/// A run as its folder has it.
struct RecordedRun {
    std::string folder;
    std::string results;                  ///< text of results.json
    ordered_json configuration, workload; ///< members of it
    ordered_json record;                  ///< member of run.json
};

/// True if the word of `numavp run` is a folder: a path, or a name that no system has.
bool is_recorded_run(const std::string& word);

/// Reads the record. ConfigError if the folder has no results, or was written by a version that keeps no record, or
/// whose models are not this program's.
RecordedRun read_recorded_run(const std::string& folder);

/// Its system, with `assignments` as --set takes them.
SystemConfig recorded_system(const RecordedRun& run, const std::vector<std::string>& assignments);

/// The launches of kernels that it ran.
KernelChoice recorded_kernels(const RecordedRun& run);

/// Its whole workload, with another seed or scale if they are not empty. ConfigError if its trace is gone.
NamedWorkload recorded_workload(const RecordedRun& run, const std::string& seed, const std::string& scale);

} // namespace numavp
