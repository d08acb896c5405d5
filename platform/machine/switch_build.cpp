#include "platform/machine/switch_build.h"

#include <algorithm>

#include "common/system/derived.h"

namespace numavp {

CrossbarShape switch_shape(const SystemConfig& c) {
    CrossbarShape m;
    m.ingress = m.egress = end_count(c);
    // A port of the switch carries whatever the lanes behind it can: all of them one way, of the widest link.
    for (unsigned s = 0; s < c.sockets; ++s)
        m.request_bytes_per_s = std::max(m.request_bytes_per_s, c.link_at(s).most_bytes_per_s());
    m.response_bytes_per_s = m.request_bytes_per_s;
    m.total_bytes_per_s = switch_bytes_per_s(c);
    m.part = Part::link;
    m.counted_ports = c.sockets;
    return m;
}

} // namespace numavp
