/// The network of a system in the report of a run: its drawing with the use of each channel.
#pragma once

#include "models/base/config_file.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// Adds `layout` and `channels` to the data of a page, for the figure that pages of networks have;
/// nothing if there is no network, or if it is too large to be drawn. `results` are the run's.
void add_network(ordered_json& data, const SystemConfig& config, const ordered_json& results);

} // namespace numavp
