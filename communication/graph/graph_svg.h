/// Draws application graphs: a lane for each CPU and GPU, values as boxes, steps as rounded boxes, from top to bottom
/// in the order of their dependences.
#pragma once

#include <string>

#include "communication/graph/app_graph.h"

namespace numavp {

/// Text of an SVG file. The steps of the graph must not wait for each other in a circle.
std::string graph_svg(const AppGraph& graph);

} // namespace numavp
