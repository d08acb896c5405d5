/// Application graphs from what Nsight Systems recorded: its SQLite export (nsys export --type sqlite).
///
/// The export has no addresses of copies and no arguments of kernels. So values follow from the order alone: a kernel
/// reads what was copied to its GPU in its stream since the kernel before, and writes what is copied out behind it.
#pragma once

#include <string>

#include "platform/records/recorded_graph.h"

namespace numavp {

/// Copies, kernels with their times, streams, and waits of streams for events, in the order of the calls.
/// ConfigError if the file is no such export, has no copies and kernels, or has a row that can't be.
RecordedGraph read_nsight(const std::string& path);

} // namespace numavp
