/// The network of a system, ready to be simulated by itself: graph, routing and kinds of links.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/system/system_config.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

struct NetworkSystem : SystemNetwork {
    NetworkSystem(const SystemConfig& c, SystemNetwork made) : SystemNetwork(std::move(made)), config(c) {}
    SystemConfig config;

    const NetworkSystemConfig& settings() const { return config.network; }
    /// Configuration of the flit simulation, for `classes` message classes.
    NetworkCoreConfig core(unsigned classes, std::uint64_t seed) const;
    /// Number of flits of a packet of `bytes`, header included.
    unsigned flits(unsigned bytes) const { return (bytes + settings().flit_bytes - 1) / settings().flit_bytes; }
    /// Bandwidth each way in GB/s, of the common kind of channel; and of one channel.
    double gbps() const { return settings().flit_bytes * (settings().noc_khz / 1e6); }
    double gbps(unsigned channel) const {
        return gbps() * NetworkChannel::kCycle / topology.graph.channels[channel].interval;
    }
    /// Bandwidth as text: "20", or "15.75 to 20" if channels differ.
    std::string gbps_text() const;
};

/// What a direction of a channel does that carries so many flits a cycle, with `lanes` of its wired lanes in the mean.
struct ChannelLoad {
    double use; ///< 0 to 1
    double packets_mw, idle_mw;
};
ChannelLoad channel_load(const NetworkSystem& system, unsigned channel, double flits_per_cycle, double lanes = 1.0);

/// The network that joins a system's sockets, without their links; ConfigError in `place` if the system has a switch.
NetworkSystem network_of(const SystemConfig& config, const Place& place);

/// Loads a system by name or file, applies `assignments` ("routing=ugal"), and makes its network for traffic without
/// GPUs. ConfigError if it has none, or one that such traffic can't use.
NetworkSystem load_network(const std::string& name_or_path, const std::vector<std::string>& assignments);

} // namespace numavp
