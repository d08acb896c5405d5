#include "tlm-links/topology/node_network.h"

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {
namespace {

/// e with e^power == n, or 0.
unsigned exact_root(unsigned n, std::size_t power) {
    for (unsigned e = 1; e <= n; ++e) {
        std::uint64_t product = 1;
        for (std::size_t i = 0; i < power && product <= n; ++i) product *= e;
        if (product == n) return e;
        if (product > n) break;
    }
    return 0;
}

/// The router of node n where nodes form a grid, `e` times as many in each dimension.
unsigned grid_router(const TopologySpec& spec, unsigned e, unsigned n) {
    unsigned router = 0, stride = 1;
    for (const unsigned size : spec.dimensions) {
        router += n % (size * e) / e * stride;
        n /= size * e;
        stride *= size;
    }
    return router;
}

} // namespace

NetworkGraph nodes_without_channels(const TopologySpec& spec, const NetworkSize& size,
                                    const std::function<unsigned(unsigned)>& router_of, const Place& place) {
    check_size({size.routers, size.pairs, size.terminals + spec.guests}, spec, place);
    NetworkGraph graph;
    for (unsigned r = 0; r < size.routers; ++r) graph.routers.push_back(fmt::format("router[{}]", r));
    for (unsigned n = 0; n < size.terminals + spec.guests; ++n) {
        graph.endpoints.push_back({fmt::format("node[{}]", n), true, n, {}});
        graph.attach(n, router_of(n < size.terminals ? n : 0), spec.processor_cycles);
    }
    return graph;
}

Topology make_node_grid(const TopologySpec& spec, GridWiring wiring, const Place& place) {
    const std::uint64_t routers = product_of_dimensions(spec, place);
    std::vector<GridDimension> dimensions;
    for (const unsigned size : spec.dimensions) dimensions.push_back({size, wiring});
    const NetworkSize size{routers, grid_channels(dimensions), routers * spec.concentration};
    check_size(size, spec, place); // before the search for the root
    const unsigned e = exact_root(spec.concentration, dimensions.size());
    const auto router_of = [&](unsigned n) { return e == 0 ? n / spec.concentration : grid_router(spec, e, n); };
    Topology made{nodes_without_channels(spec, size, router_of, place), nullptr};
    Grid grid(dimensions);
    grid.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<GridRouting>(std::move(grid), made.graph, spec);
    return made;
}

void check_dimensions(const TopologySpec& spec, std::size_t least, std::size_t most, const char* what,
                      const Place& place) {
    const std::size_t given = spec.dimensions.size();
    if (given >= least && given <= most) return;
    const std::string allowed = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    throw ConfigError(place.at("dimensions"), fmt::format("{} dimensions are given for {}; expected are {}: {}", given,
                                                          kTopologies.name(spec.topology), allowed, what));
}

} // namespace numavp
