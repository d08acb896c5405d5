/// Systems that are small enough for tests: few SMs, tiny caches, short samples.
#pragma once

#include "common/system/system_config.h"

namespace numavp::test {

inline SystemConfig small_system(unsigned sockets) {
    SystemConfig c;
    c.name = "small";
    c.sockets = sockets;
    c.socket.sms = 2;
    c.socket.sm.l1.size_kib = 1;
    c.socket.sm.l1.ways = 2;
    c.socket.l2.size_kib = 16;
    c.socket.l2.slices = 2;
    c.socket.l2.ways = 4;
    c.socket.l2.static_remote_ways = 2;
    c.socket.memory.channels = 2;
    c.socket.memory.bandwidth_gbps = 48.0;
    c.socket.memory.capacity_gib = 1;
    c.socket.partition.sample_cycles = 200;
    c.link.sample_cycles = 200;
    c.link.switch_cycles = 10;
    c.dispatch.launch_cycles = 50;
    c.checks.protocol = true;
    c.checks.stuck_cycles = 200000;
    return c;
}

/// Four SMs and four slices in two stages: two routers each, with one channel between each two, which two SMs share.
inline void set_two_stages(SystemConfig& c) {
    c.socket.sms = c.socket.l2.slices = c.socket.memory.channels = 4;
    c.socket.noc.router_ports = 2;
}

/// Every queue and wire holds `depth` records.
inline void set_all_depths(SystemConfig& c, unsigned depth) {
    c.socket.sm.l1.queue_depth = c.socket.sm.l1.wire_depth = depth;
    c.socket.noc.queue_depth = c.socket.noc.wire_depth = depth;
    c.socket.l2.queue_depth = c.socket.l2.wire_depth = depth;
    c.socket.memory.queue_depth = depth;
    c.link.queue_depth = c.link.wire_depth = depth;
    c.switch_.queue_depth = c.switch_.wire_depth = depth;
}

} // namespace numavp::test
