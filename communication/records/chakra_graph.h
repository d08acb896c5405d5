/// Application graphs from Chakra's execution traces, one trace per rank: rank n is gpu<n>.
#pragma once

#include <vector>

#include "communication/records/chakra_trace.h"
#include "communication/records/recorded_graph.h"

namespace numavp {

/// Nodes that compute become kernels (or host steps of cpu0); loads and stores become copies from and to cpu0, a send
/// with its receive a copy, collectives rings of copies with the messages of ASTRA-sim's ring, those with a root chains
/// or stars of copies. Host calls behind collectives are host steps. `tflops` gives a time to nodes with a number of
/// operations and no duration; 0: they have none.
/// Waits by control for nodes that do not exist are left out: captures begin and end in the midst of a program.
/// ConfigError with trace and node: waits for data of nodes that do not exist, sends without receives, ranks whose
/// collectives differ, collectives of an unknown kind.
RecordedGraph chakra_graph(const std::vector<ChakraTrace>& ranks, double tflops);

/// The graph of one of several ranks, to check its trace: sends, receives and collectives are copies within gpu0.
RecordedGraph chakra_graph_of_one(const ChakraTrace& rank, double tflops);

} // namespace numavp
