/// A workload as the user named it, with the record of it that results have.
#pragma once

#include <string>

#include "base/config/config_file.h"
#include "common/inputs/kernel_choice.h"
#include "common/inputs/workload_record.h"
#include "sw/workloads/workload_file.h"

namespace numavp {

struct NamedWorkload {
    Workload workload;
    WorkloadRecord record;   ///< with the seed and scale that it has then
    std::string path;        ///< of its file, absolute
    json source;             ///< content of a JSON file with all that it extends; null: a trace
    std::string seed, scale; ///< as they were asked for; empty: not
};

/// Removes the launches that are not chosen.
void choose_kernels(NamedWorkload& workload, const KernelChoice& choice);

/// Loads a workload by name or file (common/inputs/workload_names.h). `seed` and `scale` are numbers as typed, empty
/// if not given; errors name them after `prefix`, such as "--".
NamedWorkload load_named_workload(const std::string& name_or_path, const std::string& seed, const std::string& scale,
                                  const std::string& prefix);

/// Makes the workload that `source` describes, as if it were the content of the file `path`.
NamedWorkload described_workload(const std::string& path, const json& source, const std::string& seed,
                                 const std::string& scale, const std::string& prefix);

} // namespace numavp
