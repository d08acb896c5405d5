/// Random samples for policies that compare: counts of every magnitude, most of them next to the bound.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/values/rng.h"
#include "models/cache/replication_model.h"
#include "models/cache/way_partition.h"
#include "tlm-links/lanes/lane_balancer.h"

namespace numavp {

/// Below 2^bits, with every number of bits equally likely; 0 at times.
inline std::uint64_t any_count(Rng& random, unsigned bits) {
    return random.next() & ((std::uint64_t{1} << random.below(bits + 1)) - 1);
}

/// Below 2^bits: anything, or within 2 of percent / 100 of `capacity`.
inline std::uint64_t near_bound(Rng& random, std::uint64_t capacity, unsigned percent, unsigned bits) {
    if (random.below(4) == 0) return any_count(random, bits);
    const auto bound = static_cast<std::uint64_t>(static_cast<unsigned __int128>(capacity) * percent / 100);
    const std::uint64_t above = bound + random.below(5);
    return std::min(above < 2 ? 0 : above - 2, (std::uint64_t{1} << bits) - 1);
}

inline LaneSample random_lane_sample(Rng& random, unsigned percent) {
    LaneSample s;
    s.available_out = any_count(random, 57);
    s.available_in = any_count(random, 57);
    s.busy_out = near_bound(random, s.available_out, percent, 57);
    s.busy_in = near_bound(random, s.available_in, percent, 57);
    // Few lanes as often as many, and close to symmetry as often as anywhere.
    const unsigned most = random.below(2) ? 64 : 4;
    s.lanes_out = 1 + static_cast<unsigned>(random.below(most));
    s.lanes_in = random.below(2) ? 1 + static_cast<unsigned>(random.below(most))
                                 : std::max(3U, s.lanes_out + static_cast<unsigned>(random.below(5))) - 2;
    s.turning = random.below(8) == 0 ? static_cast<unsigned>(random.below(3)) : 0;
    return s;
}

/// Reads whose responses come near the bound of the link.
inline std::uint64_t reads_near(Rng& random, std::uint64_t ingress, unsigned percent, std::uint64_t response) {
    if (random.below(4) == 0 || response == 0) return any_count(random, 48);
    return std::min(near_bound(random, ingress, percent, 57) / response + random.below(3),
                    (std::uint64_t{1} << 48) - 1);
}

inline PartitionSample random_partition_sample(Rng& random, unsigned percent) {
    PartitionSample s;
    s.local_capacity_bytes = any_count(random, 57);
    s.local_bytes = near_bound(random, s.local_capacity_bytes, percent, 57);
    s.response_bytes = random.below(2) ? 136 : random.below(512);
    s.ingress_capacity_bytes = any_count(random, random.below(2) ? 57 : 20);
    s.outgoing_reads = reads_near(random, s.ingress_capacity_bytes, percent, s.response_bytes);
    return s;
}

/// Parts that sum to their wholes as counters do, or any that the contract allows, up to all parts as large as can be.
inline ReplicationProfile random_profile(Rng& random) {
    ReplicationProfile p;
    p.lookups = any_count(random, 24);
    p.requests = any_count(random, 24);
    p.hits = random.below(p.lookups + 1);
    p.misses = p.lookups - p.hits;
    p.local_requests = random.below(p.requests + 1);
    p.remote_requests = p.requests - p.local_requests;
    switch (random.below(8)) {
    case 0:
        p.misses = random.below(p.lookups + 1);
        p.remote_requests = random.below(p.requests + 1);
        break;
    case 1:
        p.hits = p.misses = p.lookups;
        p.local_requests = p.remote_requests = p.requests;
        break;
    default: break;
    }
    return p;
}

inline ReplicationBandwidths random_bandwidths(Rng& random) {
    ReplicationBandwidths raw;
    raw.llc = random.below(8) == 0 ? 0xffffff - random.below(4) : any_count(random, 24);
    raw.memory = random.below(2) ? any_count(random, 24) : raw.llc / (1 + random.below(4));
    raw.noc = random.below(2) ? any_count(random, 24) : raw.memory - random.below(raw.memory + 1) / 2;
    return raw;
}

} // namespace numavp
