#include "platform/machine/traffic_ends.h"

#include "platform/machine/host_core_build.h"
#include "platform/machine/system_config.h"

namespace numavp {

TrafficEnds traffic_ends(const SystemConfig& config) {
    TrafficEnds ends;
    const std::optional<SocketId> core = host_core_socket(config);
    for (unsigned s = 0; s < config.sockets; ++s) {
        if (config.socket_at(s).sms != 0 || core == SocketId(s)) ends.askers.push_back(s);
        if (!config.socket_at(s).has_memory()) continue;
        const auto home = static_cast<unsigned>(ends.homes.size());
        const unsigned parts = config.placement.sockets_per_memory;
        ends.homes.push_back({s, MemoryId(home / parts), home % parts});
    }
    return ends;
}

} // namespace numavp
