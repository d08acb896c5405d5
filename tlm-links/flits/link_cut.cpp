#include "tlm-links/flits/link_cut.h"

#include <algorithm>

#include "models/base/error.h"
#include "tlm-links/held.h"

namespace numavp {

namespace {
PacketKind kind_of(const Txn& txn) {
    if (txn.kind == Kind::atomic) return PacketKind::atomic;
    return txn.is_write() || txn.kind == Kind::recall ? PacketKind::write : PacketKind::read;
}

Packet request_packet(const Txn& txn) {
    Packet packet;
    packet.kind = kind_of(txn);
    packet.address = txn.line;
    packet.length = kLineBytes;
    if (!txn.mask.all()) packet.set_enables([&](std::size_t i) { return txn.mask.test(static_cast<unsigned>(i)); });
    const auto& bytes = packet.kind == PacketKind::atomic ? txn.atomic().operand : txn.data;
    if (packet.kind != PacketKind::read) packet.bytes.assign(bytes.begin(), bytes.end());
    return packet;
}

Packet response_packet(const Txn& txn) {
    Packet packet;
    packet.kind = PacketKind::response;
    packet.status = static_cast<std::uint8_t>(txn.get_response_status());
    packet.address = txn.line;
    packet.length = kLineBytes;
    const auto& bytes = txn.kind == Kind::atomic ? txn.atomic().result : txn.data;
    if (!txn.is_write() && !txn.no_return) packet.bytes.assign(bytes.begin(), bytes.end());
    return packet;
}

/// Sets the record's content to that of the flits.
void take_request(const Packet& packet, Txn& txn) {
    txn.line = packet.address;
    txn.set_address(packet.address);
    txn.mask = ByteMask{0, 0};
    for (unsigned i = 0; i < kLineBytes; ++i) {
        if (packet.enabled(i)) txn.mask |= ByteMask::range(i, 1);
        txn.enables[i] = packet.enabled(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    auto& bytes = txn.kind == Kind::atomic ? txn.atomic().operand : txn.data;
    std::copy(packet.bytes.begin(), packet.bytes.end(), bytes.begin());
}

void take_response(const Packet& packet, Txn& txn) {
    txn.set_response_status(static_cast<tlm::tlm_response_status>(static_cast<std::int8_t>(packet.status)));
    auto& bytes = txn.kind == Kind::atomic ? txn.atomic().result : txn.data;
    std::copy(packet.bytes.begin(), packet.bytes.end(), bytes.begin());
}
} // namespace

/// From an inlet over flits to a wire.
struct LinkCut::Way {
    Way(const LinkCutConfig& config, rtl::CxsRelay* relay, Wire& to, bool carries_requests)
        : inlet(config.queue_depth), channel(config.channel, relay), wire(to), requests(carries_requests),
          monitors(config.monitored ? 2 : 0) {}

    Inlet inlet;
    FlitChannel channel;
    Wire& wire;
    bool requests;
    std::vector<Txn*> by_id; ///< null: the id is free
    std::vector<std::uint16_t> free_ids;
    std::uint64_t done = 0;
    std::vector<FlitMonitor> monitors; ///< above the relay and below, if somebody looks

    bool idle() const { return inlet.empty() && channel.idle(); }
    unsigned inside() const { return static_cast<unsigned>(by_id.size() - free_ids.size()); }

    void send(Txn& txn) {
        if (free_ids.empty()) { // as many as there are places: senders, flits and receivers bound them
            free_ids.push_back(static_cast<std::uint16_t>(by_id.size()));
            by_id.push_back(nullptr);
        }
        Packet packet = requests ? request_packet(txn) : response_packet(txn);
        packet.id = free_ids.back();
        free_ids.pop_back();
        by_id[packet.id] = &txn;
        channel.sender.take(packet);
    }
    void edge() {
        if (!monitors.empty()) {
            monitors[0].observe(channel.above());
            monitors[1].observe(channel.below());
            for (const FlitMonitor& monitor : monitors)
                if (!monitor.breaches().empty())
                    throw ModelError("the pins of a cut link break a rule: " + monitor.breaches().front());
        }
        channel.edge();
        while (channel.sender.pop_sent()) {}
    }
    Txn& receive(bool functional) {
        const Packet& packet = channel.receiver.front();
        Txn* const txn = packet.id < by_id.size() ? by_id[packet.id] : nullptr;
        if (!txn || (packet.kind == PacketKind::response) == requests)
            throw ModelError("flits bring a packet that was not sent");
        if (functional && requests)
            take_request(packet, *txn);
        else if (functional)
            take_response(packet, *txn);
        by_id[packet.id] = nullptr;
        free_ids.push_back(packet.id);
        channel.receiver.pop();
        ++done;
        return *txn;
    }
};

LinkCut::LinkCut(sc_core::sc_module_name name, const LinkCutConfig& config, ClockDomain& domain, TxnPool& pool,
                 Rank rank, const LinkCutRelays& relays)
    : sc_module(name), Arbiter(domain, rank),
      from_link_("from_link", domain, {config.wire_depth, Part::link}, *this, kRequestsOut),
      to_switch_("to_switch", domain, {config.wire_depth, Part::link}, *this, kResponsesIn),
      from_switch_("from_switch", domain, {config.wire_depth, Part::link}, *this, kRequestsIn),
      to_link_("to_link", domain, {config.wire_depth, Part::link}, *this, kResponsesOut), pool_(pool) {
    Wire* const wires[] = {&to_switch_, &from_link_, &to_link_, &from_switch_};
    for (std::size_t i = 0; i < kLinkCutWays; ++i)
        ways_[i] = std::make_unique<Way>(config, relays[i], *wires[i], i == kRequestsOut || i == kRequestsIn);
}

LinkCut::~LinkCut() = default;

// --- in: a port's number is that of the way that begins at it

bool LinkCut::request(unsigned port, Txn& txn) { return enter(static_cast<LinkCutWay>(port), txn); }
bool LinkCut::response(unsigned port, Txn& txn) { return enter(static_cast<LinkCutWay>(port), txn); }

bool LinkCut::enter(LinkCutWay way, Txn& txn) {
    wake();
    return ways_[way]->inlet.arrive(txn);
}

/// The record that had no room has some.
void LinkCut::admitted(LinkCutWay way, Txn& txn) {
    const Cycle next = domain_.now() + 1;
    switch (way) {
    case kRequestsOut: return from_link_.end_request(txn, next);
    case kResponsesIn: return to_switch_.end_response(txn, next);
    case kRequestsIn: return from_switch_.end_request(txn, next);
    default: return to_link_.end_response(txn, next);
    }
}

// --- an edge

void LinkCut::arbitrate() {
    ++cycles_;
    bool idle = true;
    for (std::size_t i = 0; i < kLinkCutWays; ++i) {
        Way& way = *ways_[i];
        while (!way.inlet.empty() && way.channel.sender.can_take()) {
            way.send(way.inlet.pop());
            if (Txn* next = way.inlet.admit()) admitted(static_cast<LinkCutWay>(i), *next);
        }
        way.edge();
        while (way.channel.receiver.any() && way.wire.ready())
            way.wire.send(way.receive(pool_.functional), domain_.now() + 1);
        idle = idle && way.idle();
    }
    if (!idle) wake();
}

// --- reports

unsigned LinkCut::held() const {
    unsigned sum = 0;
    for (const auto& way : ways_) sum += way->inlet.size() + way->inside();
    return sum;
}

const Txn* LinkCut::sample_held() const {
    for (const auto& way : ways_) {
        if (!way->inlet.empty()) return &way->inlet.front();
        for (const Txn* txn : way->by_id)
            if (txn) return txn;
    }
    return nullptr;
}

std::string LinkCut::holding() const { return held_packets(held(), sample_held()); }

std::string LinkCut::disagreement() {
    for (const auto& way : ways_) {
        for (FlitMonitor& monitor : way->monitors) {
            monitor.finish();
            if (!monitor.breaches().empty()) return "on its pins, edge " + monitor.breaches().front();
        }
    }
    return "";
}

std::uint64_t LinkCut::packets(LinkCutWay way) const { return ways_[way]->done; }

} // namespace numavp
