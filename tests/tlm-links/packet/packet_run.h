/// Random packets through a network until all are out, with what must hold of each.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/system/network_alone.h"

namespace numavp::test {

struct PacketRunSpec {
    unsigned packets = 2000;
    unsigned classes = 1;
    unsigned most_flits = 9;   ///< lengths from 1 to this
    unsigned buffer_flits = 0; ///< 0: as the network says
    unsigned keys = 0;         ///< of order; 0: none
    std::uint64_t seed = 1;
    bool hot = false; ///< all to one terminal
};

/// What went wrong, in words; empty if nothing did. Offers all packets as fast as terminals take them.
inline std::string run_packets(const NetworkGraph& graph, const Routing& routing, NetworkCoreConfig config,
                               const PacketRunSpec& spec) {
    config.classes = spec.classes;
    config.seed = spec.seed;
    if (spec.buffer_flits != 0) config.buffer_flits = spec.buffer_flits;
    NetworkCore net(graph, routing, config);
    Rng rng(spec.seed, 7);
    std::vector<unsigned> arrived(spec.packets, 0), keys(spec.packets, 0);
    std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, std::uint64_t> last; // by source, target, class, key
    for (unsigned i = 0; i < spec.packets; ++i) {
        const unsigned target = spec.hot ? graph.endpoints.back().terminals.front()
                                         : static_cast<unsigned>(rng.below(graph.terminals.size()));
        auto endpoint = static_cast<unsigned>(rng.below(graph.endpoints.size()));
        while (!graph.endpoints[endpoint].requester)
            endpoint = static_cast<unsigned>(rng.below(graph.endpoints.size()));
        const std::vector<unsigned> entries = routing.entries(endpoint, graph.terminals[target].router);
        if (entries.empty()) {
            arrived[i] = 1;
            continue;
        }
        const unsigned source = entries[rng.below(entries.size())];
        if (spec.keys != 0) keys[i] = 1 + static_cast<unsigned>(rng.below(spec.keys));
        net.offer({source, target, 1 + static_cast<unsigned>(rng.below(spec.most_flits)),
                   static_cast<unsigned>(rng.below(spec.classes)), keys[i], i},
                  0);
    }
    Cycle quiet = 0;
    while (!net.idle()) {
        net.step();
        quiet = net.arrivals().empty() ? quiet + 1 : 0;
        if (quiet > 20000) return "stuck; " + net.circle();
        std::vector<PacketIndex> done;
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            const NetworkCore::Packet packet = net.packet(a.packet);
            if (++arrived[packet.tag] != 1) return "packet " + std::to_string(packet.tag) + " arrived twice";
            if (const unsigned key = keys[packet.tag]; key != 0) {
                std::uint64_t& before = last[{packet.source, packet.target, packet.message_class, key}];
                if (packet.tag < before) return "packet " + std::to_string(packet.tag) + " was overtaken";
                before = packet.tag;
            }
            done.push_back(a.packet);
        }
        for (const PacketIndex p : done) net.release(p);
    }
    for (unsigned i = 0; i < spec.packets; ++i)
        if (arrived[i] != 1) return "packet " + std::to_string(i) + " is lost";
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        if (net.router(r).held() != 0) return graph.routers[r] + " holds flits of no packet";
    return "";
}

inline std::string run_packets(const NetworkSystem& system, const PacketRunSpec& spec) {
    return run_packets(system.topology.graph, *system.topology.routing, system.core(spec.classes, spec.seed), spec);
}

} // namespace numavp::test
