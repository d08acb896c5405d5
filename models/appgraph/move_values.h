/// Unified memory in application graphs: the moves that reading it elsewhere needs.
#pragma once

#include "models/appgraph/app_graph.h"

namespace numavp {

/// The graph with a copy before each step that reads a value in unified memory which lies elsewhere then: from where
/// the step before it in `order()` that read the value had it, once those steps have ended. The copy is of the reader's
/// stream. Between CPUs nothing moves. A graph without such steps stays as it is. Steps may not wait for each other.
AppGraph move_values(AppGraph graph);

} // namespace numavp
