/// A machine's network, ready to be simulated: graph, routing and what its links are.
#pragma once

#include <string>

#include "platform/machine/machine_file.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

struct NetworkSystem {
    MachineFile machine;
    MachineLink link;
    TopologySpec spec; ///< of which `topology` is made
    Topology topology;

    /// What the simulation of flits takes from it, for `classes` message classes.
    NetworkCoreConfig core(unsigned classes, std::uint64_t seed) const;
    /// Flits of a packet of so many bytes, header included.
    unsigned flits(unsigned bytes) const { return (bytes + link.flit_bytes - 1) / link.flit_bytes; }
};

/// Builds the network of a machine; ConfigError at the place of what can't be.
NetworkSystem make_network(const ConfigDocument& document);

/// Whether a name or file is that of a network, not of a system of sockets. ConfigError if there is none.
bool is_network(const std::string& name_or_path);

/// The network of a name or file, with `assignments` ("routing=ugal") applied.
NetworkSystem load_network(const std::string& name_or_path, const std::vector<std::string>& assignments);

} // namespace numavp
