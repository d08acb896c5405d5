/// The part of run.json that records a run's input, so that `numavp run FOLDER` repeats the run.
///
/// The resolved system is in results.json. The record has the description of a workload from a JSON file, or the path
/// of a trace. If a trace has changed since, the comparison of the repeated results with the recorded ones shows it.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "common/inputs/named_workload.h"
#include "common/system/system_config.h"

namespace numavp {

/// The member `record` of run.json: model version, workload, and seed, scale and kernels as the user gave them.
ordered_json run_record(const NamedWorkload& workload);

/// A run as read from its folder.
struct RecordedRun {
    std::string folder;
    std::string results;                  ///< text of results.json
    ordered_json configuration, workload; ///< members of it
    ordered_json record;                  ///< member of run.json
};

/// True if the argument of `numavp run` is a folder: a path, or a name that no system has.
bool is_recorded_run(const std::string& word);

/// Reads the record. ConfigError if the folder has no results, or was written by a version that keeps no record, or
/// with another version of the models than this program's.
RecordedRun read_recorded_run(const std::string& folder);

/// The system of the run, with `assignments` as --set takes them.
SystemConfig recorded_system(const RecordedRun& run, const std::vector<std::string>& assignments);

/// The selection of launches that the run was started with.
KernelChoice recorded_kernels(const RecordedRun& run);

/// The whole workload of the run, with another seed or scale if these are not empty. ConfigError if its trace is gone.
NamedWorkload recorded_workload(const RecordedRun& run, const std::string& seed, const std::string& scale);

} // namespace numavp
