/// Application graphs from recordings of Nsight Systems, as SQLite exports (nsys export --type sqlite).
///
/// The export has no addresses of copies and no arguments of kernels, so values follow from the order: a kernel reads
/// those copied to its GPU in its stream since the previous kernel, and writes those that are copied out behind it.
#pragma once

#include <string>

#include "communication/records/recorded_graph.h"

namespace numavp {

/// Reads copies, kernels with their times, streams, and waits of streams for events, in the order of the calls.
/// ConfigError if the file is no such export, has neither copies nor kernels, or has an impossible row.
RecordedGraph read_nsight(const std::string& path);

} // namespace numavp
