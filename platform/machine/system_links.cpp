// The links between sockets and switch, whole or cut.
#include <fmt/format.h>

#include "platform/machine/system_impl.h"
#include "rtl/flit_blocks.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

void System::Impl::build_cut(unsigned s, const SystemOptions& options) {
    cuts.emplace_back();
    std::optional<LinkCutRelays> ways = options.cut_link ? options.cut_link(s) : std::nullopt;
    const LinkConfig link = config.link_at(s);
    if (!ways && link.cut == LinkCutKind::none) return;
    if (!ways) {
        ways.emplace();
        for (rtl::CxsRelay*& relay : *ways) {
            if (link.cut != LinkCutKind::flits_rtl) continue;
            relays.push_back(std::make_unique<rtl::FlitRelayBlock>());
            relay = relays.back().get();
        }
    }
    LinkCutConfig cut;
    cut.queue_depth = link.queue_depth;
    cut.wire_depth = link.wire_depth;
    cut.monitored = config.checks.protocol;
    cuts.back() = std::make_unique<LinkCut>(fmt::format("cut{}", s).c_str(), cut, domain, pool,
                                            Rank{static_cast<std::uint16_t>(s), kRankLink, 1000}, *ways);
    if (options.on_link_cut) options.on_link_cut(s, *cuts.back());
}

void System::Impl::connect_links() {
    for (unsigned s = 0; s < config.sockets; ++s) {
        Link& link = *sockets[s]->link;
        LinkCut* const cut = cuts[s].get();
        bind(cut ? cut->to_switch() : link.switch_out(), fabric_in(s), fmt::format("wire_up{}", s));
        bind(fabric_out(s), cut ? cut->from_switch() : link.switch_in(), fmt::format("wire_down{}", s));
        if (!cut) continue;
        bind(link.switch_out(), cut->from_link(), fmt::format("wire_out{}", s));
        bind(cut->to_link(), link.switch_in(), fmt::format("wire_in{}", s));
    }
}

} // namespace numavp
