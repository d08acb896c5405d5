/// A few partitions with little caches.
#pragma once

#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {

/// Partitions of 2 SMs and 2 slices at a butterfly.
inline SystemConfig small_nuba(unsigned partitions, ReplicationPolicy policy) {
    SystemConfig c = fabric_system(partitions, FabricKind::butterfly);
    c.network.dimensions = {2, 2};
    c.parts = {{"partition", partitions, PartKind::socket, 2}};
    c.socket.memory.channels = 1;
    c.socket.l2.organisation = L2Organisation::replicating;
    c.placement.policy = PlacementKind::lab;
    c.placement.page_kib = 4;
    c.replication.policy = policy;
    c.replication.epoch_cycles = 1000;
    return c;
}

} // namespace numavp::test
