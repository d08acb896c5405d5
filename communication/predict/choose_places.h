/// Chooses the fastest of several placements of an application's kernels.
#pragma once

#include <vector>

#include "base/config/config_place.h"
#include "communication/characterize/host_machine.h"
#include "communication/graph/app_graph.h"

namespace numavp {

/// Simulates the graph with its own places, with those of list scheduling, and with all kernels on one GPU, for each
/// GPU, and returns the fastest, of equal ones the first. List scheduling assumes that copied values stay, but unified
/// memory may move back and forth: then one GPU may be the best. ConfigError as `join_graph`, for the graph itself.
std::vector<AppPlace> choose_places(const AppGraph& graph, const HostMachine& machine, const Place& place);

} // namespace numavp
