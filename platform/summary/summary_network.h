/// The part of a run's summary about the network between the parts of a machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/system/system_config.h"

namespace numavp {

struct Style;

/// Channels of one link between parts of two names, both directions alike.
struct ChannelKindSummary {
    std::string from, to;             ///< names without an index
    std::string link;                 ///< empty: the common channel
    unsigned channels = 0;            ///< both directions of one counted once
    double gbps = 0;                  ///< of a channel each way, in the mean
    double carried_gbps = 0, use = 0; ///< of a direction, in the mean
    std::string busiest;              ///< direction with the highest use: "gpu[0] to cube[3]"
    double busiest_use = 0;
    double energy_pj = 0; ///< of all of them
};

/// Packets that passed as many routers.
struct HopSummary {
    unsigned routers = 0;
    bool or_more = false; ///< some passed more
    std::uint64_t packets = 0;
    std::optional<double> latency_ns;
};

struct NetworkSummary {
    std::uint64_t packets = 0;
    std::optional<double> routers, latency_ns; ///< that a packet passes, and its time from interface to interface
    std::optional<double> energy_pj, idle_energy_pj;
    std::vector<HopSummary> hops;
    std::vector<ChannelKindSummary> kinds;
};

/// No value if a switch joins the sockets, or `results` have no statistics of a network.
std::optional<NetworkSummary> summarise_network(const SystemConfig& config, const ordered_json& results);
ordered_json json_of(const NetworkSummary& network);
std::string network_text(const NetworkSummary& network, const Style& style);

} // namespace numavp
