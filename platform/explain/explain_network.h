/// Describes a system's network: topology, routing, channels, distances, and a drawing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/network_alone.h"
#include "common/words/text.h"

namespace numavp {

/// Ports between parts and routers, of one kind of part.
struct NetworkPath {
    std::string what;      ///< "gpu to cube"
    std::size_t count = 0; ///< both directions as one
    unsigned cycles = 0;   ///< of the network
};
std::vector<NetworkPath> terminal_paths(const NetworkSystem& system);

std::string explain_network_text(const NetworkSystem& system, const Style& style = {});
/// Routers and channels by number, as statistics count them; terminals, ports, distances, and the layout of a drawing.
ordered_json explain_network_json(const NetworkSystem& system);

/// Positions of routers, clusters and channels in a drawing, for the page of a report and other programs.
ordered_json network_layout_json(const NetworkGraph& graph, const TopologySpec& spec);

} // namespace numavp
