#include "common/system/transit_rule.h"

namespace numavp {

std::vector<Transit> transit_of(const SystemConfig& config, const WiredParts& parts, const NetworkGraph& graph) {
    const auto is_cpu = [&](unsigned part) { return facts_of(parts.kind_of(part)).cpu; };
    const auto is_gpu = [&](unsigned part) {
        return !is_cpu(part) && part < config.sockets && config.socket_at(part).sms != 0;
    };
    std::vector<Transit> transit(parts.count(), Transit::router);
    for (const NetworkChannel& channel : graph.channels) {
        const unsigned part = channel.from, other = channel.to;
        if (parts.kind_of(part) == PartKind::router || parts.says_transit(part)) continue;
        if (parts.kind_of(other) == PartKind::router || (is_gpu(part) && is_cpu(other)) ||
            (is_cpu(part) && is_gpu(other)))
            transit[part] = is_cpu(part) ? Transit::cpu : Transit::endpoint;
    }
    return transit;
}

} // namespace numavp
