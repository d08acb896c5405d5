/// Application graphs drawn: a lane for each CPU and GPU, values as boxes, steps as rounded ones, from top to bottom in
/// the order in which they depend on each other.
#pragma once

#include <string>

#include "models/appgraph/app_graph.h"

namespace numavp {

/// A whole SVG file. The steps must not wait for each other.
std::string graph_svg(const AppGraph& graph);

} // namespace numavp
