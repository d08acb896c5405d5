/// Where the kernels of an application run fastest, of several ways to place them.
#pragma once

#include <vector>

#include "models/appgraph/app_graph.h"
#include "models/base/config_place.h"
#include "platform/characterize/host_machine.h"

namespace numavp {

/// The fastest by simulation: as the graph has them, as list scheduling has them, or all on one GPU, each of them. A
/// schedule takes it that a value which was copied stays, where unified memory may go to and fro: one GPU may be better
/// than several then. Of equal ones the first. ConfigError as `join_graph` has it for the graph itself.
std::vector<AppPlace> choose_places(const AppGraph& graph, const HostMachine& machine, const Place& place);

} // namespace numavp
