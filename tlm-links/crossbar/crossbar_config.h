/// Configuration of crossbars (the on-chip network of a socket, the switch), with field lists (base/config/config.h).
#pragma once

#include <algorithm>

namespace numavp {

/// Settings of every crossbar. The defaults are those of on-chip networks.
struct CrossbarConfig {
    static constexpr unsigned kMostPlaces = 65534; ///< of an input
    unsigned latency_cycles = 8;                   ///< from output to the next module
    unsigned queue_depth = 16;                     ///< records that an input holds
    unsigned wire_depth = 32;                      ///< records on the way from an output to the next module
    unsigned packet_cycles = 0;                    ///< of a sector's packet at input and output; 0: bytes count
    bool input_fifo = false;                       ///< with packet_cycles: no virtual output queues
};

/// Where a socket's link meets its crossbar.
struct NocLinkConfig {
    unsigned ports = 1;
    bool given() const { return ports != 1; }
};

struct NocConfig : CrossbarConfig {
    unsigned request_bytes_per_cycle = 64, response_bytes_per_cycle = 64;
    unsigned router_ports = 0; ///< of a router each side, where there are two stages
    NocLinkConfig link;

    unsigned stages() const { return router_ports != 0 ? 2 : 1; }
    /// Latency of the routers on the side of the SMs, a part of latency_cycles.
    unsigned first_stage_cycles() const { return router_ports != 0 ? latency_cycles / 2 : 0; }

    /// Records that the link's input holds each way: those of all its ports.
    unsigned link_queue_depth() const { return std::min(link.ports * queue_depth, kMostPlaces); }

    /// Bound on the cycles of one way of a packet of `sectors` sectors if nothing else is under way.
    double idle_cycles(double packet_bytes, unsigned sectors) const {
        return latency_cycles + stages() * (packet_bytes / std::min(request_bytes_per_cycle, response_bytes_per_cycle) +
                                            2.0 * packet_cycles * sectors);
    }
};

struct SwitchConfig : CrossbarConfig {
    double total_gbps = 0.0;
    SwitchConfig() {
        latency_cycles = 16;
        wire_depth = 64;
    }
    /// Bound on the cycles, of `ghz`, of one way of a packet if nothing else is under way.
    double idle_cycles(double packet_bytes, double ghz) const {
        return latency_cycles + (total_gbps > 0.0 ? packet_bytes / total_gbps * ghz : 0.0);
    }
};

template <class V> void describe(V& v, NocLinkConfig& c) {
    v.integer(
        "ports", c.ports, 1, 1024, "ports",
        "Ports of the crossbar towards the link, and as many from it, with noc.queue_depth places each (65,534 in "
        "all at most): a die-to-die interface meets the crossbar in many places. They are one port here, which "
        "has the places of all and carries what the link does.");
}
template <class V> void describe(V& v, NocConfig& c) {
    v.integer("request_bytes_per_cycle", c.request_bytes_per_cycle, 1, 65536, "B/cycle",
              "Bandwidth of each output towards L2 and link. A choice that keeps L2 (2 TB/s) above memory.");
    v.integer("response_bytes_per_cycle", c.response_bytes_per_cycle, 1, 65536, "B/cycle",
              "Bandwidth of each output towards an SM.");
    v.integer("latency_cycles", c.latency_cycles, 1, 10000, "cycles",
              "Latency one way (NUBA, section 6: two 4-cycle stages).");
    v.integer(
        "router_ports", c.router_ports, 0, 256, "ports",
        "Two stages of routers with so many ports each side in the place of one crossbar (NUBA, section 6: 8), "
        "where there are as many SMs as slices. SMs' routers have channels of an output's bandwidth to the "
        "slices' routers, as many to each, and a packet takes that of its SM. Each stage has half of the latency, "
        "the second an odd cycle. Links, MMUs, copy engines and initiators of yours meet the slices' routers "
        "alone. 0: one crossbar, which blocks only at its outputs.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets between an output and the next module.");
    v.integer("packet_cycles", c.packet_cycles, 0, 64, "cycles",
              "Time of each sector of an access at an output, and with input_fifo at its input, whatever its bytes "
              "(Accel-Sim's crossbar: 1); 0: bytes over request_bytes_per_cycle and response_bytes_per_cycle.");
    v.boolean("input_fifo", c.input_fifo,
              "Whether an input is one queue whose first packet blocks the others, with packet_cycles (Accel-Sim's "
              "crossbar); false: a queue for each output.");
    v.optional("link", c.link, "Ports in which the crossbar meets the socket's link.");
}
template <class V> void describe(V& v, SwitchConfig& c) {
    v.real("total_gbps", c.total_gbps, 0.0, 1e6, "GB/s",
           "Constant bandwidth of the switch (section 4.1); 0: what symmetric links of all sockets carry one way.");
    v.integer("latency_cycles", c.latency_cycles, 1, 100000, "cycles", "Latency from link to link.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets between switch and link.");
}

} // namespace numavp
