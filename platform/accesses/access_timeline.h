/// Followed accesses in the timeline: a process with a row of spans for each place, the wait of a hop as a span at its
/// beginning, and an arrow from hop to hop.
#pragma once

#include <vector>

#include "base/config/config_file.h"
#include "platform/accesses/access_output.h"

namespace numavp {

/// Adds followed accesses to `timeline`, made by timeline_json() for as many sockets. Does nothing if there are none.
void add_accesses(ordered_json& timeline, const std::vector<KeptAccess>& accesses, unsigned sockets);

} // namespace numavp
