/// Describes a network for a person: parts, links, topology, distances, bandwidths, and a drawing.
#pragma once

#include <string>

#include "models/base/config_file.h"
#include "platform/cli/cli_text.h"
#include "platform/machine/machine_network.h"

namespace numavp {

std::string explain_network_text(const NetworkSystem& system, const Style& style);
ordered_json explain_network_json(const NetworkSystem& system);
/// Its channels as CSV: name, number, GB/s in all each way, cycles.
std::string explain_network_csv(const NetworkSystem& system);

/// Positions of routers, clusters and channels in a drawing, for the page of a report and other programs.
ordered_json network_layout_json(const NetworkGraph& graph, const TopologySpec& spec);

} // namespace numavp
