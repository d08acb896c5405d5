#include "tlm-links/topology/network_limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/base/mutant.h"
#include "tlm-links/topology/topology_faults.h"

namespace numavp {
namespace {

// Four times the 4,096 routers that a study would take, and as many channels as fill some 100 MB.
constexpr std::uint64_t kMostRouters = 16'384;
constexpr std::uint64_t kMostChannels = 1U << 20U;

void check_most(std::uint64_t count, std::uint64_t most, const char* what, const TopologySpec& spec,
                const Place& place) {
    if (count > most)
        throw ConfigError(place, fmt::format("{} would have {} {}; at most {} are allowed",
                                             kTopologies.name(spec.topology), count, what, most));
}

} // namespace

void check_size(const NetworkSize& size, const TopologySpec& spec, const Place& place) {
    check_most(size.routers, kMostRouters, "routers", spec, place);
    check_most(size.terminals, kMostChannels, "terminals", spec, place);
    // both factors are below 2^32: pairs of at most 2^14 routers
    check_most(size.pairs * spec.parallel_channels, kMostChannels, "channels between routers", spec, place);
}

std::uint64_t product_of_dimensions(const TopologySpec& spec, const Place& place) {
    std::uint64_t product = 1;
    for (const unsigned size : spec.dimensions) {
        if (size == 0) throw ConfigError(place.at("dimensions"), "a dimension is 0; each must be at least 1");
        product *= size;
        check_most(product, kMostRouters, "routers", spec, place);
    }
    return product;
}

void check_router_channels(const NetworkGraph& graph, const TopologySpec& spec, const Place& place) {
    if (spec.router_channels == 0) return;
    std::vector<unsigned> used(graph.routers.size(), 0);
    for (const NetworkChannel& c : graph.channels) ++used[c.from];
    for (const NetworkTerminal& t : graph.terminals)
        if (graph.endpoints[t.endpoint].requester && !mutant(kForgetsProcessorChannels)) ++used[t.router];
    const auto most = std::max_element(used.begin(), used.end());
    if (most != used.end() && *most > spec.router_channels)
        throw ConfigError(
            place.at("router_channels"),
            fmt::format("{} of {} needs {} channels to routers and requesters, and a router has {}; as many "
                        "as are needed must be allowed, or 0 for any number",
                        graph.routers[static_cast<std::size_t>(most - used.begin())], kTopologies.name(spec.topology),
                        *most, spec.router_channels));
}

} // namespace numavp
