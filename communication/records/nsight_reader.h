/// Application graphs from recordings of Nsight Systems, as SQLite exports (nsys export --type sqlite).
///
/// The export has no addresses of copies and no arguments of kernels, so values follow from the order: a kernel reads
/// those copied to its GPU in its stream since the previous kernel, and writes those that are copied out behind it.
#pragma once

#include <string>

#include "communication/records/recorded_graph.h"

namespace numavp {

/// Reads copies, kernels and launches of whole CUDA graphs with their times, streams, and waits of streams for events,
/// in the order of the calls; what one call starts, such as the nodes of a graph, in the order of their times.
/// ConfigError if the file is no such export, has nothing of these, has an impossible row, or is more work to read than
/// its size tells (a table may be a view that never ends).
RecordedGraph read_nsight(const std::string& path);

} // namespace numavp
