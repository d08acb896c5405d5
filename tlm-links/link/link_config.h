/// A socket's link as data: one struct, one field list (base/config/config.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/values/units.h"
#include "tlm-links/flits/link_cut_kind.h"
#include "tlm-links/lanes/lane_balancer_kind.h"
#include "tlm-links/retry/link_errors.h"

namespace numavp {

struct LinkConfig {
    static constexpr unsigned kMostInFlight = 65535; ///< packets
    unsigned lanes_out = 8, lanes_in = 8;
    double lane_gbps = 8.0;
    unsigned latency_cycles = 56, queue_depth = 16, wire_depth = 128;
    LaneBalancerKind balancer = LaneBalancerKind::fixed;
    unsigned sample_cycles = 5000, switch_cycles = 100, decision_cycles = 1;
    LaneBalancerParams params; ///< of the balancer, under the same path
    double energy_pj_per_bit = 10.0;
    LinkCutKind cut = LinkCutKind::none; ///< beside the link: built by the module that joins link and switch

    LinkErrors errors;

    unsigned largest_packet_bytes = 256; ///< follows from the machine
    unsigned sources = 1;                ///< follows from the machine: ports that send requests outward

    /// Bound on the cycles, of `ghz`, of one way of a packet if nothing else is under way: one lane is left to it.
    double idle_cycles(double packet_bytes, double ghz) const {
        return latency_cycles + packet_bytes / lane_gbps * ghz + 2.0 * idle_cut_cycles(cut);
    }
    std::uint64_t lane_bytes_per_s() const { return bytes_per_s(lane_gbps); }
    /// Bandwidth of all lanes if they face one way.
    std::uint64_t most_bytes_per_s() const { return (lanes_out + lanes_in) * lane_bytes_per_s(); }
    /// Packets of `bytes` that all lanes carry in the latency, one way, with one that begins and one that ends.
    unsigned packets_in_flight(unsigned bytes, std::uint64_t clock_khz) const {
        const double bytes_a_cycle = static_cast<double>(most_bytes_per_s()) / (static_cast<double>(clock_khz) * 1e3);
        return static_cast<unsigned>(std::min(bytes_a_cycle * latency_cycles / bytes + 2.0, double{kMostInFlight}));
    }
};

template <class V> void describe(V& v, LinkConfig& c) {
    v.integer("lanes_out", c.lanes_out, 1, 64, "lanes", "Lanes wired from the socket (Table 1: 8).");
    v.integer("lanes_in", c.lanes_in, 1, 64, "lanes", "Lanes wired to the socket (Table 1: 8).");
    v.real("lane_gbps", c.lane_gbps, 0.001, 10000.0, "GB/s", "Bandwidth of a lane (section 4: 8).");
    v.integer("latency_cycles", c.latency_cycles, 1, 100000, "cycles",
              "Latency from socket to switch, one way. Twice this and the switch make the 128 of Table 1.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Packets that an input of a direction holds.");
    v.integer(
        "wire_depth", c.wire_depth, 0, 4096, "packets",
        "Packets in flight on the way, each way, requests and responses apart: with fewer than the lanes carry in "
        "latency_cycles they idle. 0: as many as those, of the smallest packet with data.");
    v.choice("balancer", c.balancer, kLaneBalancers, "Policy that turns lanes.");
    v.integer("sample_cycles", c.sample_cycles, 10, 10000000, "cycles",
              "Sample time of the balancer (section 4.1: 5K).");
    v.integer("switch_cycles", c.switch_cycles, 0, 1000000, "cycles",
              "Time that a lane takes to turn (section 4.1: 100).");
    v.integer("decision_cycles", c.decision_cycles, 1, 10000, "cycles",
              "Time from a sample to the effect of its decision.");
    describe(v, c.params);
    v.real("energy_pj_per_bit", c.energy_pj_per_bit, 0.0, 10000.0, "pJ/b",
           "Energy of a bit on its way over two links and the switch (section 6: 10).");
    v.choice("cut", c.cut, kLinkCuts, "Module between each link and the switch. A choice.");
    v.optional("errors", c.errors, "Bit errors of the lanes, and how packets are sent again.");
}

} // namespace numavp
