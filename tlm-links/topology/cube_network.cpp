#include "tlm-links/topology/cube_network.h"

#include <fmt/format.h>

#include "base/values/error.h"
#include "tlm-links/topology/network_limits.h"

namespace numavp {
namespace {

/// {a, n / a} with the greatest a up to the square root of n; {n} if that is 1.
std::vector<unsigned> squarest(unsigned n) {
    unsigned a = 1;
    for (unsigned d = 2; d <= n / d; ++d)
        if (n % d == 0) a = d;
    if (a == 1) return {n};
    return {a, n / a};
}

void add_processors(const TopologySpec& spec, NetworkGraph& graph) {
    for (unsigned g = 0; g < spec.processors; ++g) {
        const auto endpoint = static_cast<unsigned>(graph.endpoints.size());
        graph.endpoints.push_back({fmt::format("gpu[{}]", g), true, g, {}});
        for (unsigned i = 0; i < spec.routers_per_processor; ++i)
            for (unsigned c = 0; c < spec.channels_per_router; ++c)
                graph.attach(endpoint, g * spec.routers_per_processor + i, spec.processor_cycles);
    }
}

void add_cubes(const TopologySpec& spec, NetworkGraph& graph) {
    for (unsigned h = 0; h < spec.processors * spec.routers_per_processor; ++h) {
        const std::string name = fmt::format("cube[{}]", h);
        graph.routers.push_back(name);
        const auto endpoint = static_cast<unsigned>(graph.endpoints.size());
        graph.endpoints.push_back({name, false, h / spec.routers_per_processor, {}});
        for (unsigned t = 0; t < spec.terminals_per_router; ++t) graph.attach(endpoint, h, spec.terminal_cycles);
    }
}

/// One dimension for up to `one_row` processors, unless the specification has dimensions.
std::vector<unsigned> cluster_dimensions(const TopologySpec& spec, unsigned one_row, const Place& place) {
    if (spec.dimensions.empty()) {
        if (spec.processors <= one_row) return {spec.processors};
        return squarest(spec.processors);
    }
    const std::uint64_t product = product_of_dimensions(spec, place);
    if (product != spec.processors)
        throw ConfigError(place.at("dimensions"),
                          fmt::format("{} has room for {} clusters, and there are {} processors; the product of the "
                                      "dimensions must be the number of processors",
                                      fmt::join(spec.dimensions, " x "), product, spec.processors));
    return spec.dimensions;
}

} // namespace

unsigned count_cubes(const TopologySpec& spec, const Place& place) {
    const std::uint64_t cubes = std::uint64_t{spec.processors} * spec.routers_per_processor;
    check_size({cubes, 0, 0}, spec, place);
    return static_cast<unsigned>(cubes);
}

NetworkGraph cubes_without_channels(const TopologySpec& spec, std::uint64_t pairs, const Place& place) {
    const std::uint64_t cubes = count_cubes(spec, place);
    check_size({cubes, pairs, cubes * (std::uint64_t{spec.channels_per_router} + spec.terminals_per_router)}, spec,
               place);
    NetworkGraph graph;
    add_processors(spec, graph);
    add_cubes(spec, graph);
    return graph;
}

Topology make_cube_grid(const TopologySpec& spec, const std::vector<GridDimension>& dimensions, const Place& place) {
    if (spec.entry == EntryKind::random && dimensions.front().wiring == GridWiring::apart &&
        dimensions.front().size > 1)
        throw ConfigError(
            place.at("entry"),
            fmt::format("{} has no channels between slices, so that packets reach a cube from its own slice "
                        "alone; allowed are 'slice' and 'nearest'",
                        kTopologies.name(spec.topology)));
    Topology made{cubes_without_channels(spec, grid_channels(dimensions), place), nullptr};
    Grid grid(dimensions);
    grid.connect(made.graph, spec.parallel_channels, spec.channel_cycles);
    made.routing = std::make_unique<GridRouting>(std::move(grid), made.graph, spec);
    return made;
}

Topology make_cube_ring(const TopologySpec& spec, const Place& place) {
    refuse_dimensions(spec, place);
    return make_cube_grid(spec, {{count_cubes(spec, place), GridWiring::ring}}, place);
}

std::vector<unsigned> cluster_mesh(const TopologySpec& spec, const Place& place) {
    constexpr unsigned kOneRow = 3;
    return cluster_dimensions(spec, kOneRow, place);
}

std::vector<unsigned> cluster_rectangle(const TopologySpec& spec, const Place& place) {
    constexpr unsigned kOneRow = 5;
    std::vector<unsigned> found = cluster_dimensions(spec, kOneRow, place);
    if (spec.dimensions.empty() && spec.processors > kOneRow && found.size() == 1)
        throw ConfigError(
            place.at("processors"),
            fmt::format("{} clusters form no rectangle for the slices of {}; allowed are at most {}, or a "
                        "number that is no prime, or dimensions, such as [{}]",
                        spec.processors, kTopologies.name(spec.topology), kOneRow, spec.processors));
    return found;
}

void refuse_dimensions(const TopologySpec& spec, const Place& place) {
    if (!spec.dimensions.empty())
        throw ConfigError(
            place.at("dimensions"),
            fmt::format("{} has no dimensions to choose; an empty list is expected", kTopologies.name(spec.topology)));
}

} // namespace numavp
