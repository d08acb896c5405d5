#include "models/cache/busiest_resource.h"

#include <algorithm>
#include <limits>

namespace numavp {

namespace {
std::uint64_t allowed(std::uint64_t requests, const ReplicationLoads& loads, const ReplicationBandwidths& raw) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    const auto at = [&](std::uint64_t lines, std::uint64_t bandwidth) {
        if (lines != 0) least = std::min(least, requests * bandwidth / lines);
    };
    at(requests, std::max({raw.llc, raw.memory, raw.noc})); // a bound where nothing else was counted
    at(loads.looked_up, raw.llc);
    at(loads.from_memory, raw.memory);
    at(std::max(loads.fetched, loads.served), raw.noc);
    return requests == 0 ? 0 : least;
}
} // namespace

ReplicationEstimate busiest_resource(std::uint64_t requests, const ReplicationLoads& none, const ReplicationLoads& full,
                                     const ReplicationBandwidths& raw) {
    ReplicationEstimate e;
    e.bandwidth_none = allowed(requests, none, raw);
    e.bandwidth_full = allowed(requests, full, raw);
    e.replicate = e.bandwidth_full > e.bandwidth_none;
    return e;
}

} // namespace numavp
