#include "platform/machine/traffic_ends.h"

#include "common/system/network_settings.h"
#include "common/system/system_config.h"

namespace numavp {

TrafficEnds traffic_ends(const SystemConfig& config) {
    TrafficEnds ends;
    ends.askers = requesting_sockets(config);
    for (unsigned s = 0; s < config.sockets; ++s) {
        if (!config.socket_at(s).has_memory()) continue;
        const auto home = static_cast<unsigned>(ends.homes.size());
        const unsigned parts = config.placement.sockets_per_memory;
        ends.homes.push_back({s, MemoryId(home / parts), home % parts});
    }
    return ends;
}

} // namespace numavp
