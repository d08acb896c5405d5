/// Routers in a line, TopologySpec::dimensions their number.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

Topology make_line(const TopologySpec& spec, const Place& place);

} // namespace numavp
