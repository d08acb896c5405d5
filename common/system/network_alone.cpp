#include "common/system/network_alone.h"

#include <algorithm>

#include <fmt/format.h>

#include "common/system/faulty_network.h"
#include "common/system/load_system.h"

namespace numavp {

NetworkCoreConfig NetworkSystem::core(unsigned classes, std::uint64_t seed) const {
    NetworkCoreConfig c;
    c.classes = classes;
    c.virtual_channels = settings().virtual_channels;
    c.buffer_flits = settings().buffer_bytes / settings().flit_bytes;
    c.ugal_threshold = settings().ugal_threshold;
    c.seed = seed;
    const auto has_errors = [](const NetworkLink& link) { return link.dress.errors.given(); };
    if (std::any_of(links.begin(), links.end(), has_errors))
        for (const NetworkLink& link : links) {
            c.errors.push_back(channel_errors(link, settings()));
            c.errors.back().retire_errors = 0; // lanes are retired in runs alone
        }
    return c;
}

NetworkSystem network_of(const SystemConfig& config, const Place& place) {
    if (!has_network(config))
        throw ConfigError(place.at("network").at("topology"),
                          "no network of routers joins the sockets; a topology such as ring is expected, as in --set "
                          "network.topology=ring");
    return {config, system_network(config, place, RoutedFor::any)};
}

std::string NetworkSystem::gbps_text() const {
    double least = gbps(), most = 0;
    for (unsigned c = 0; c < topology.graph.channels.size(); ++c) {
        least = std::min(least, gbps(c));
        most = std::max(most, gbps(c));
    }
    if (most == 0) most = least; // a single router
    return most - least < 1e-3 ? fmt::format("{:.5g}", most) : fmt::format("{:.5g} to {:.5g}", least, most);
}

ChannelLoad channel_load(const NetworkSystem& system, unsigned channel, double flits_per_cycle, double lanes) {
    const NetworkChannel& c = system.topology.graph.channels[channel];
    const NetworkLink& kind = system.links[c.link];
    const double use = std::min(1.0, flits_per_cycle * c.interval / NetworkChannel::kCycle / lanes);
    const double bits_per_ns = system.gbps(channel) * lanes * 8; // pJ/ns are mW
    return {use, use * bits_per_ns * kind.energy_pj_per_bit, (1 - use) * bits_per_ns * kind.idle_pj_per_bit};
}

NetworkSystem load_network(const std::string& name_or_path, const std::vector<std::string>& assignments) {
    const LoadedSystem loaded = load_system_document(name_or_path, assignments);
    const Place place = loaded.document.place();
    // such traffic begins at terminals, each with a rate of its own: nobody is left who could choose one
    if (loaded.config.network.routing == RoutingKind::adaptive_entry)
        throw ConfigError(place.at("routing"),
                          "adaptive_entry is what GPUs do, and a network alone has traffic at each terminal; "
                          "allowed are 'minimal' and, where the topology has it, 'ugal'");
    if (links_fail(loaded.config))
        throw ConfigError(
            place.at("faults").at("events"),
            "links fail at a time of a run, and a network alone is measured by rates; a file without them is "
            "expected");
    if (loaded.config.faults.given())
        throw ConfigError(place.at("faults").at("events"),
                          "lanes are retired at a time of a run, and a network alone is measured by rates; a file "
                          "without faults is expected");
    if (cuts_a_channel(loaded.config.network))
        throw ConfigError(place.at("network").at("cut"),
                          "packets without records can't travel over pins; none is allowed, here and in "
                          "network.links");
    return network_of(loaded.config, place);
}

} // namespace numavp
