/// Ways around channels that have failed: up*/down* routing on what is left of a graph, on one virtual channel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

/// Routing on `graph` that takes no channel in `failed` (by channel), and the virtual channel `vc` of each message
/// class only. Up*/down* has no circle on any graph, and shares no virtual channel with a routing that leaves `vc`
/// alone, so that packets of both may be in the network at a time. Both directions of a channel fail together. Null if
/// a requester reaches some terminal no more: `missing` then has the words "from A to B".
std::shared_ptr<const Routing> make_detour(const NetworkGraph& graph, const std::vector<bool>& failed, unsigned vc,
                                           std::string& missing);

} // namespace numavp
