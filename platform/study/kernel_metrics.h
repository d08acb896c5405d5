/// Metrics of one kernel of a run, from the member `kernels` of its results.json.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// Values of all launches of `kernel` that ran alone, summed over these; empty if the run has no such kernel or path.
/// `path` is `cycles`, `time_ns` or `launches`, a figure of the table `kernels` ("l2_hit_rate", "memory_gbps"), or a
/// counter by its path in results.json, in which * stands for a part of a step
/// ("statistics.socket*.memory.read_bytes"): a value for each that fits.
std::vector<double> kernel_metric(const ordered_json& results, const std::string& kernel, const std::string& path);

/// Paths that are no counters and no ratios: they exist in every run.
const std::vector<std::string>& plain_kernel_paths();

} // namespace numavp
