/// A machine's network, ready to be simulated: graph, routing and kinds of links.
#pragma once

#include <string>

#include "platform/machine/machine_file.h"
#include "platform/machine/system_config.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

struct NetworkSystem {
    MachineFile machine;
    MachineLink link;               ///< the common kind
    std::vector<MachineLink> kinds; ///< by `NetworkChannel::link`; the common one comes first
    TopologySpec spec;              ///< of which `topology` is made
    Topology topology;

    /// Configuration of the flit simulation, for `classes` message classes.
    NetworkCoreConfig core(unsigned classes, std::uint64_t seed) const;
    /// Number of flits of a packet of `bytes`, header included.
    unsigned flits(unsigned bytes) const { return (bytes + link.flit_bytes - 1) / link.flit_bytes; }
    /// Bandwidth each way in GB/s, of the common kind of channel; and of one channel.
    double gbps() const { return link.flit_bytes * (machine.noc_khz / 1e6); }
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

/// Makes the network of a machine; ConfigError at the place of a wrong setting.
NetworkSystem make_network(const ConfigDocument& document);

/// True if a name or file is that of a network rather than of a system of sockets. ConfigError if there is none.
bool is_network(const std::string& name_or_path);

/// The network that joins a system's sockets, without their links; ConfigError in `place` if the system has a switch.
NetworkSystem network_of(const SystemConfig& config, const Place& place);

/// Loads a network by name or file, or that of a system of sockets, and applies `assignments` ("routing=ugal").
NetworkSystem load_network(const std::string& name_or_path, const std::vector<std::string>& assignments);

} // namespace numavp
