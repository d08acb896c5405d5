/// Parts whose own port carries less than a link to them.
#pragma once

#include <string>
#include <vector>

#include "common/system/network_settings.h"

namespace numavp {

/// GB/s that a socket's port takes and gives: its terminals at the router, and the lanes of its link behind them (of
/// lanes that turn, all but one).
struct PortSpeed {
    double in = 0, out = 0;
    double least() const { return in < out ? in : out; }
};
PortSpeed port_speed(const SystemConfig& config, const NetworkGraph& graph, unsigned socket);

/// A sentence, without a name before it, for each range of sockets with a port narrower than the link between them and
/// one other part; the link of all channels between the two. `network` is that of `config`.
std::vector<std::string> narrow_ends(const SystemConfig& config, const SystemNetwork& network);

} // namespace numavp
