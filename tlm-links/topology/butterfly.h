/// Butterfly: a crossbar in two stages. Requests enter at routers of the first stage and leave at those of the second.
/// Responses use the same channels in the other direction, which is a separate network. So an endpoint has two kinds of
/// terminals: those at which its requests enter, and those at which requests reach it.
#pragma once

#include "tlm-links/topology/topology.h"

namespace numavp {

/// TopologySpec::dimensions are the routers of each stage. Endpoints and their terminals: TopologySpec::asking and
/// ::serving, side by side at the routers of their stage; without them `concentration` nodes at each router of the
/// first stage, with one terminal of each kind. TopologySpec::guests come after these. ConfigError if a stage's
/// terminals don't divide among its routers.
Topology make_butterfly(const TopologySpec& spec, const Place& place);

} // namespace numavp
