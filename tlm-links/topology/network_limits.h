/// Limits of the built-in topologies, refused with one sentence.
#pragma once

#include <cstdint>

#include "tlm-links/topology/topology.h"

namespace numavp {

struct NetworkSize {
    std::uint64_t routers;
    std::uint64_t pairs; ///< channels between routers, both directions as one, parallel ones as one
    std::uint64_t terminals;
};

/// ConfigError if a network of this size would not fit into memory; call it before the network is built.
void check_size(const NetworkSize& size, const TopologySpec& spec, const Place& place);

/// Product of TopologySpec::dimensions, 1 if there are none; ConfigError for a 0 among them, or if it is too large.
std::uint64_t product_of_dimensions(const TopologySpec& spec, const Place& place);

} // namespace numavp
