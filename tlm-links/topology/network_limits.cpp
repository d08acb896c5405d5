#include "tlm-links/topology/network_limits.h"

#include <fmt/format.h>

#include "base/values/error.h"

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

} // namespace numavp
