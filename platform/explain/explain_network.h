/// A network told to a person: parts, links, how its routers are joined, how far and how wide, and a drawing.
#pragma once

#include <string>

#include "models/base/config_file.h"
#include "platform/cli/cli_text.h"
#include "platform/machine/machine_network.h"

namespace numavp {

std::string explain_network_text(const NetworkSystem& system, const Style& style);
ordered_json explain_network_json(const NetworkSystem& system);
/// Its channels: what, how many, GB/s in all each way, cycles.
std::string explain_network_csv(const NetworkSystem& system);

/// Routers, clusters and channels as they stand in a drawing: for the page of a report and other programs.
ordered_json network_layout_json(const NetworkGraph& graph, const TopologySpec& spec);

} // namespace numavp
