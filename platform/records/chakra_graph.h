/// Application graphs from Chakra's execution traces, one a rank: rank n is gpu<n>.
#pragma once

#include <vector>

#include "platform/records/chakra_trace.h"
#include "platform/records/recorded_graph.h"

namespace numavp {

/// Nodes that compute become kernels (or host steps of cpu0), loads and stores copies from and to cpu0, a send with
/// its receive a copy, collectives rings of copies, with messages as ASTRA-sim's ring has them. `tflops` gives a time
/// to nodes that have operations and no duration; 0: none.
/// ConfigError with trace and node: waits for nodes that are none, sends without receives, ranks whose collectives
/// differ, kinds that have no ring.
RecordedGraph chakra_graph(const std::vector<ChakraTrace>& ranks, double tflops);

} // namespace numavp
