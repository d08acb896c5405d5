/// An estimate of replication in the place of section 5.1's: the resource of a partition that has most to do decides.
///
/// The paper's formula adds bandwidths of slices, network and memory, though all work at once on the same requests, and
/// takes the requests of other partitions as they come, though replicas answer most of them (docs/papers/NUBA.md, "The
/// model against a replay"). Here each resource takes the time of its own lines, and the longest of these times counts.
/// Integers in, integers out and no SystemC; headers of packets are left out, as in the paper's.
#pragma once

#include <cstdint>

#include "models/cache/replication_model.h"

namespace numavp {

/// Lines that an epoch's requests move at each resource of a partition, in one of the two cases.
struct ReplicationLoads {
    std::uint64_t looked_up = 0;   ///< in its slices, for SMs of any partition
    std::uint64_t from_memory = 0; ///< of its channel
    std::uint64_t fetched = 0;     ///< over the network for its own SMs
    std::uint64_t served = 0;      ///< over the network to others
};

/// What the partition's SMs get without and with replication of `requests` lines, in the unit of `raw`: the least of
/// what its resources allow. 0 without requests, or where a resource that they need has no bandwidth.
ReplicationEstimate busiest_resource(std::uint64_t requests, const ReplicationLoads& none, const ReplicationLoads& full,
                                     const ReplicationBandwidths& raw);

} // namespace numavp
