/// The network of a system in the report of a run: its drawing with the use of each channel, and the traffic matrix.
#pragma once

#include "base/config/config_file.h"
#include "common/system/system_config.h"

namespace numavp {

/// Adds `channels` to a page's data, and `layout` for the drawing of the network unless it is too large for one.
/// With `network.traffic_matrix` also adds `traffic`: requesting sockets, serving sockets, the bytes of each pair, and
/// for each requester the first and last column of its own memory, or null. Does nothing if there is no network.
/// `results` are those of the run.
void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results);

} // namespace numavp
