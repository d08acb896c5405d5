#include "common/system/narrow_ends.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "common/system/system_config.h"

namespace numavp {

PortSpeed port_speed(const SystemConfig& config, const NetworkGraph& graph, unsigned socket) {
    const LinkConfig link = config.link_at(socket);
    const unsigned turned = link.lanes_out + link.lanes_in - 1;
    const bool fixed = link.balancer == LaneBalancerKind::fixed;
    const double terminals =
        static_cast<double>(graph.endpoints[socket].terminals.size()) * channel_bytes_per_s(config.network) / 1e9;
    return {std::min(terminals, (fixed ? link.lanes_in : turned) * link.lane_gbps),
            std::min(terminals, (fixed ? link.lanes_out : turned) * link.lane_gbps)};
}

std::vector<std::string> narrow_ends(const SystemConfig& config, const SystemNetwork& network) {
    constexpr double kRounding = 1e-6;
    const NetworkGraph& graph = network.topology.graph;
    if (config.network.topology != FabricKind::wires) return {};
    struct Widest {
        double gbytes_per_s = 0;
        unsigned channel = 0;
    };
    std::map<std::pair<unsigned, unsigned>, double> together; // GB/s from a socket to another part
    std::vector<Widest> widest(config.sockets);
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        const NetworkChannel& channel = graph.channels[c];
        if (channel.from >= config.sockets) continue;
        const double sum = together[{channel.from, channel.to}] += network.links[channel.link].gbytes_per_s;
        if (sum > widest[channel.from].gbytes_per_s * (1 + kRounding)) widest[channel.from] = {sum, c};
    }
    const WiredParts parts(config);
    std::vector<std::string> sentences;
    for (unsigned first = 0; first < config.sockets;) {
        const auto differs = [&](unsigned s) {
            const NetworkChannel& channel = graph.channels[widest[s].channel];
            const double port = port_speed(config, graph, s).least();
            return std::tuple(widest[s].gbytes_per_s > port * (1 + kRounding), port, widest[s].gbytes_per_s,
                              channel.link, parts.name_of(s), parts.name_of(channel.to));
        };
        unsigned last = first;
        while (last + 1 < config.sockets && differs(last + 1) == differs(first)) ++last;
        const auto [narrow, port, gbytes_per_s, kind, name, other] = differs(first);
        if (narrow) {
            const std::string& link = network.links[kind].name;
            const bool one = first == last;
            sentences.push_back(fmt::format(
                "{} take{} {:g} GB/s, less than the {:g} of {} {}{} to {}: terminals, or link.lane_gbps, limit {}",
                parts.label(IndexRange{first, last}), one ? "s" : "", port, gbytes_per_s, one ? "its" : "their",
                link.empty() ? "channels" : "link ", link, other, one ? "it" : "them"));
        }
        first = last + 1;
    }
    return sentences;
}

} // namespace numavp
