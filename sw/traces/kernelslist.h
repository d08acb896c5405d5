/// A whole traced application: Accel-Sim's kernelslist.g, its kernels and its copies to the device.
#pragma once

#include <string>

#include "sw/work/workload.h"

namespace numavp {

/// Reads a list and the headers of its kernels; `kernel-1.traceg` is also found as `kernel-1.traceg.xz`.
/// Lines that are neither a kernel nor a MemcpyHtoD are ignored, as Accel-Sim does. Throws ConfigError.
Workload read_kernelslist(const std::string& path);

/// The workload of a single kernel trace.
Workload read_single_trace(const std::string& path);

} // namespace numavp
