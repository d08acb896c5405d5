/// Moves kernels to other GPUs: adds the copies that this needs; and chooses places by list scheduling.
#pragma once

#include <vector>

#include "models/appgraph/app_graph.h"
#include "platform/characterize/host_machine.h"

namespace numavp {

/// Place of each step's computation; for copies without a meaning.
std::vector<AppPlace> places_of(const AppGraph& graph);

/// Returns the graph with its kernels at `places`. The values that a kernel writes lie at its place. A value that is
/// needed at another place than where it was made or given is copied there once: by the graph's own copies if
/// neither their ends nor their readers have moved, else directly. Copies whose two ends are now one place are
/// dropped, and so are waits for dropped copies. A step that has moved goes to a stream of the same name at its new
/// place.
AppGraph place_steps(const AppGraph& graph, const std::vector<AppPlace>& places);

/// Places by list scheduling with communication costs (HEFT: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002). Kernels are
/// taken by the longest path from their begin to the end, with means over GPUs; each gets the GPU where it ends first,
/// of equal ones its present one. A copy takes the time that it takes alone, once its engines and thread are free.
std::vector<AppPlace> schedule_places(const AppGraph& graph, const HostMachine& machine);

} // namespace numavp
