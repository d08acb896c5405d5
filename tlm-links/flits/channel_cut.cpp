#include "tlm-links/flits/channel_cut.h"

#include "tlm-links/packet/packet_protocol.h"

namespace numavp {

ChannelCut::ChannelCut(const ChannelCutConfig& config, const std::array<rtl::CxsRelay*, kClasses>& relays)
    : functional_(config.functional), ways_{Way{{config.channel, relays[0], true, config.monitored}, {}},
                                            Way{{config.channel, relays[1], false, config.monitored}, {}}} {}

void ChannelCut::take(unsigned message_class, std::uint64_t tag) {
    auto& packet = *reinterpret_cast<PacketPayload*>(tag); // NOLINT(performance-no-int-to-ptr): as it was offered
    ways_[message_class].waiting.push_back(packet.cargo);
}

void ChannelCut::edge() {
    for (Way& way : ways_) {
        for (; !way.waiting.empty() && way.flits.can_take(); way.waiting.pop_front())
            way.flits.send(*way.waiting.front());
        way.flits.edge();
    }
}

bool ChannelCut::pop(unsigned message_class) {
    RecordWay& flits = ways_[message_class].flits;
    if (!flits.any()) return false;
    flits.receive(functional_);
    return true;
}

bool ChannelCut::at_rest() const {
    for (const Way& way : ways_)
        if (!way.waiting.empty() || !way.flits.idle()) return false;
    return true;
}

std::string ChannelCut::disagreement() {
    for (Way& way : ways_)
        if (std::string breach = way.flits.breach(); !breach.empty()) return breach;
    return "";
}

} // namespace numavp
