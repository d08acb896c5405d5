/// Kernels on other GPUs: the graph with the copies that this needs, and list scheduling.
#pragma once

#include <vector>

#include "models/appgraph/app_graph.h"
#include "platform/characterize/host_machine.h"

namespace numavp {

/// Where each step computes; of copies unused.
std::vector<AppPlace> places_of(const AppGraph& graph);

/// The graph with its kernels at `places`. What a kernel writes lies where it runs. A value that is needed elsewhere
/// than where it was made or given is copied there once: by the copies that the graph has, if neither their ends nor
/// who needs them have moved, else straight. A copy whose ends are now one place is left out, and so are events
/// of copies that were. A step that has moved
/// leaves its stream for one of the same name at its place.
AppGraph place_steps(const AppGraph& graph, const std::vector<AppPlace>& places);

/// Places by list scheduling with communication costs (HEFT: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002): kernels by
/// the length of the longest path from their begin to the end, with means over GPUs; each to the GPU where it ends
/// first, of equal ones its own. A copy takes what it takes alone, once its engines and thread are free.
std::vector<AppPlace> schedule_places(const AppGraph& graph, const HostMachine& machine);

} // namespace numavp
