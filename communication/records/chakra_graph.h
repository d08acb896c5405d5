/// Application graphs from Chakra's execution traces, one trace per rank: rank n is gpu<n>.
#pragma once

#include <vector>

#include "communication/records/chakra_trace.h"
#include "communication/records/recorded_graph.h"

namespace numavp {

/// Nodes that compute become kernels (or host steps of cpu0); loads and stores become copies from and to cpu0, a send
/// with its receive a copy, collectives rings of copies with the messages of ASTRA-sim's ring. `tflops` gives a time to
/// nodes with a number of operations and no duration; 0: they have none.
/// ConfigError with trace and node: waits for nodes that do not exist, sends without receives, ranks whose collectives
/// differ, collectives without a ring.
RecordedGraph chakra_graph(const std::vector<ChakraTrace>& ranks, double tflops);

} // namespace numavp
