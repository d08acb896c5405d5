/// Moves kernels to other GPUs: adds the copies that this needs; and chooses places by list scheduling.
#pragma once

#include <vector>

#include "communication/characterize/host_machine.h"
#include "communication/graph/app_graph.h"

namespace numavp {

/// Place of each step's computation; for copies without a meaning.
std::vector<AppPlace> places_of(const AppGraph& graph);

/// Returns the graph with its kernels at `places`. The values that a kernel writes lie at its place. A value that is
/// needed at another place than where it was made or given is copied there once: by the graph's own copies if
/// neither their ends nor their readers have moved, else directly. Copies whose two ends are now one place are
/// dropped, and so are waits for dropped copies. A step that has moved goes to a stream of the same name at its new
/// place.
AppGraph place_steps(const AppGraph& graph, const std::vector<AppPlace>& places);

/// Of each kernel that reads no value, the kernel before it in its stream and on its GPU if that writes none; kNone for
/// other steps. What passes between the two is not in the graph, and only the stream orders them, which a kernel leaves
/// when it moves: they stay together, so that they stay in order.
std::vector<unsigned> leaders_of(const AppGraph& graph);

/// Places by list scheduling with communication costs (HEFT: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002): kernels by
/// the length of the longest path from their begin to the end, with means over GPUs; each to the GPU where it ends
/// first, of equal ones its own, and one with a leader goes where its leader is. A copy takes what it takes alone, once
/// its engines and thread are free.
std::vector<AppPlace> schedule_places(const AppGraph& graph, const HostMachine& machine);

} // namespace numavp
