#include "tlm-links/packet/packet_checker.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/time/sim_time.h"

namespace numavp {

void PacketLedger::breach(const std::string& wire, const std::string& what) {
    const std::string sentence = wire + ": " + what;
    if (on_breach)
        on_breach(sentence);
    else
        SC_REPORT_ERROR("numavp/packets", sentence.c_str());
}

void PacketLedger::went_in(const std::string& wire, const PacketPayload& packet, std::uint64_t now_ps) {
    const Entry entry{packet.from, packet.to, packet.flits, packet.message_class, packet.order, now_ps, packets_++};
    if (!inside_.emplace(&packet, entry).second) return breach(wire, "a packet that is inside went in again");
    if (packet.order != 0)
        streams_[{packet.from, packet.to, packet.message_class, packet.order}].push_back(entry.sequence);
}

void PacketLedger::came_out(const std::string& wire, unsigned terminal, const PacketPayload& packet,
                            std::uint64_t now_ps) {
    const auto found = inside_.find(&packet);
    if (found == inside_.end()) return breach(wire, "a packet came out that is not inside");
    const Entry entry = found->second;
    inside_.erase(found);
    if (now_ps - entry.since_ps > rules_.patience_ps)
        breach(wire, fmt::format("a packet was inside for {} ns", (now_ps - entry.since_ps) / 1000));
    if (entry.to != terminal) breach(wire, fmt::format("a packet for terminal {} came out at {}", entry.to, terminal));
    if (entry.from != packet.from || entry.to != packet.to || entry.flits != packet.flits ||
        entry.message_class != packet.message_class || entry.order != packet.order)
        breach(wire, "a packet came out as another one than went in");
    if (entry.order == 0) return;
    const Stream stream{entry.from, entry.to, entry.message_class, entry.order};
    std::deque<std::uint64_t>& sequences = streams_[stream];
    if (sequences.front() != entry.sequence)
        breach(wire,
               fmt::format("a packet from terminal {} with the key {:#x} overtook another", entry.from, entry.order));
    sequences.erase(std::find(sequences.begin(), sequences.end(), entry.sequence));
    if (sequences.empty()) streams_.erase(stream);
}

std::string PacketLedger::overdue(std::uint64_t now_ps) const {
    const auto oldest = std::min_element(inside_.begin(), inside_.end(), [](const auto& a, const auto& b) {
        return a.second.sequence < b.second.sequence;
    });
    if (oldest == inside_.end() || now_ps - oldest->second.since_ps <= rules_.patience_ps) return "";
    const Entry& e = oldest->second;
    return fmt::format("a packet of {} flits from terminal {} to {} has been inside for {} ns", e.flits, e.from, e.to,
                       (now_ps - e.since_ps) / 1000);
}

// --- a wire

PacketChecker::PacketChecker(sc_core::sc_module_name name, unsigned terminal, PacketLedger& ledger)
    : sc_module(name), endpoint("endpoint"), network("network"), terminal_(terminal), ledger_(ledger),
      injected_(ledger.rules().classes, 0), ejected_(ledger.rules().virtual_channels, 0) {
    endpoint.bind(static_cast<PacketForwardIf&>(*this));
    network.bind(static_cast<PacketBackwardIf&>(*this));
}

void PacketChecker::check_shape(const PacketPayload& packet) {
    if (packet.flits == 0) breach("a packet of no flits");
    if (packet.from >= ledger_.rules().terminals || packet.to >= ledger_.rules().terminals)
        breach(fmt::format("a packet from terminal {} to {}; there are {}", packet.from, packet.to,
                           ledger_.rules().terminals));
}

void PacketChecker::take(std::vector<std::uint64_t>& used, unsigned number, const PacketPayload& packet, unsigned room,
                         const char* what) {
    if (number >= used.size()) return breach(fmt::format("a packet of {} {}; there are {}", what, number, used.size()));
    used[number] += packet.flits;
    if (used[number] > room)
        breach(
            fmt::format("{} flits of {} {} are under way, and there is room for {}", used[number], what, number, room));
}

void PacketChecker::give(std::vector<std::uint64_t>& used, unsigned number, unsigned flits, const char* what) {
    if (number >= used.size()) return breach(fmt::format("a credit of {} {}; there are {}", what, number, used.size()));
    if (flits == 0) breach("a credit of no flits");
    if (flits > used[number])
        breach(
            fmt::format("a credit of {} flits of {} {}, of which {} are under way", flits, what, number, used[number]));
    used[number] -= std::min<std::uint64_t>(used[number], flits);
}

void PacketChecker::check_answer(tlm::tlm_sync_enum status, const sc_core::sc_time& delay) {
    if (status != tlm::TLM_ACCEPTED) breach("a call was not answered with acceptance");
    if (delay != sc_core::SC_ZERO_TIME) breach("a call has a time annotation");
}

tlm::tlm_sync_enum PacketChecker::nb_transport_fw(PacketPayload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    if (phase == PACKET) {
        check_shape(payload);
        if (payload.from != terminal_)
            breach(fmt::format("a packet of terminal {} went in at {}", payload.from, terminal_));
        take(injected_, payload.message_class, payload, ledger_.rules().inject_flits, "class");
        ledger_.went_in(name(), payload, sc_now_ps());
    } else if (phase == CREDIT) {
        give(ejected_, payload.virtual_channel, payload.flits, "virtual channel");
    } else {
        breach(std::string(phase.get_name()) + " is no phase of packets");
    }
    const tlm::tlm_sync_enum status = network->nb_transport_fw(payload, phase, delay);
    check_answer(status, delay);
    return status;
}

tlm::tlm_sync_enum PacketChecker::nb_transport_bw(PacketPayload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    if (phase == PACKET) {
        check_shape(payload);
        take(ejected_, payload.virtual_channel, payload, ledger_.rules().eject_flits, "virtual channel");
        ledger_.came_out(name(), terminal_, payload, sc_now_ps());
    } else if (phase == CREDIT) {
        give(injected_, payload.message_class, payload.flits, "class");
    } else {
        breach(std::string(phase.get_name()) + " is no phase of packets");
    }
    const tlm::tlm_sync_enum status = endpoint->nb_transport_bw(payload, phase, delay);
    check_answer(status, delay);
    return status;
}

std::unique_ptr<PacketChecker> bind_checked_packets(PacketInitiatorSocket& endpoint, PacketTargetSocket& terminal,
                                                    const char* name, unsigned number, PacketLedger& ledger) {
    auto checker = std::make_unique<PacketChecker>(name, number, ledger);
    endpoint.bind(checker->endpoint);
    checker->network.bind(terminal);
    return checker;
}

} // namespace numavp
