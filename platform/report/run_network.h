/// The network of a system in the report of a run: its drawing with the use of each channel, and the traffic matrix.
#pragma once

#include "models/base/config_file.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// Adds `layout` and `channels` to the data of a page, for the figure that pages of networks have, unless the network
/// is too large to be drawn; with `network.traffic_matrix` also `traffic`: sockets that ask, sockets that serve, bytes
/// of each pair, and for each who asks the first and last column of its own memory, or null. Nothing if there is no
/// network. `results` are the run's.
void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results);

} // namespace numavp
