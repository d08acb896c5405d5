#include "tlm-links/packet/network_interface.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

namespace {
constexpr unsigned kUpPort = 0, kDownPort = 1;
constexpr unsigned kLeastHeader = 8; ///< bytes beside a line of a packet that must fit whatever its settings

} // namespace

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config,
                                   const Resources& r)
    : sc_module(name), config_(config), domain_(r.domain), route_(r.route), choice_(r.choice),
      up_("up", r.domain, {config.wire_depth, Part::link}, static_cast<ResponderIf&>(*this), kUpPort),
      down_("down", r.domain, {config.wire_depth, Part::link}, static_cast<RequesterIf&>(*this), kDownPort),
      terminals_(config.terminals), outward_(*this, r.domain, r.rank),
      inward_(*this, r.domain, r.rank.after()), leaving_{Inlet(config.queue_depth), Inlet(config.queue_depth)} {
    if (config.inject_flits < flits(kLineBytes + kLeastHeader))
        throw ModelError(std::string(this->name()) + ": a network's queue must have room for a packet with a line");
    for (unsigned i = 0; i < config.terminals; ++i) {
        const std::string label = config.terminals == 1 ? "network" : fmt::format("network{}", i);
        terminals_[i].port =
            std::make_unique<PacketInitiatorPort>(label.c_str(), r.domain, static_cast<PacketOwner&>(*this), i);
    }
    for (std::vector<unsigned>& of_class : room_) of_class.assign(config.terminals, config.inject_flits);
    if (config.by_origin)
        for (auto& of_class : bytes_from_) of_class.resize(config.all_terminals);
    up_.set_feeder(inward_);
    down_.set_feeder(inward_);
}

NetworkInterface::~NetworkInterface() = default;

PacketPayload& NetworkInterface::make() {
    if (spare_.empty()) {
        payloads_.push_back(std::make_unique<PacketPayload>());
        return *payloads_.back();
    }
    PacketPayload& packet = *spare_.back();
    spare_.pop_back();
    return packet;
}

// --- into the network

std::uint32_t NetworkInterface::order_key(std::uint64_t hash) {
    const auto key = static_cast<std::uint32_t>(hash >> 32);
    return key != 0 ? key : 1; // all its bits choose: virtual channels by the low half, ways by the high one
}

bool NetworkInterface::request(unsigned, Txn& txn) {
    outward_.wake();
    return leaving_[kRequest].arrive(txn);
}

bool NetworkInterface::response(unsigned, Txn& txn) {
    outward_.wake();
    return leaving_[kResponse].arrive(txn);
}

void NetworkInterface::credit(unsigned terminal, unsigned message_class, unsigned flits) {
    room_[message_class][terminal] += flits;
    outward_.wake();
}

/// A followed record waits no longer.
[[gnu::cold, gnu::noinline]] void NetworkInterface::follow(const Txn& txn, const char* place, Waited what) const {
    txn.trail->waited(place, domain_.clockwork().now_ps(), what);
}

/// Asks the route once per request, however long that waits for room, since the route counts these calls.
unsigned NetworkInterface::endpoint_of(const Txn& txn) {
    if (asked_ != &txn) {
        asked_ = &txn;
        asked_to_ = route_.egress(config_.endpoint, txn);
    }
    return asked_to_;
}

NetworkInterface::Way NetworkInterface::way_of(const Txn& txn, const TerminalChoice::Line& line, bool asks,
                                               unsigned length) {
    const unsigned to = asks ? choice_.exit(endpoint_of(txn), line) : txn.last_port();
    if (asks && config_.entry != nullptr) {
        const unsigned chosen = config_.entry->send({txn.line, to, length}, room_[kRequest], config_.inject_flits);
        return {chosen == AdaptiveEntry::kNone ? kNoTerminal : chosen - config_.first_terminal, to};
    }
    const unsigned own = choice_.entry(config_.endpoint, to, line) - config_.first_terminal;
    return {length > room_[asks ? kRequest : kResponse][own] ? kNoTerminal : own, to};
}

bool NetworkInterface::send(unsigned message_class) {
    Inlet& inlet = leaving_[message_class];
    if (inlet.empty()) return false;
    Txn& txn = inlet.front();
    const bool asks = message_class == kRequest;
    const unsigned length = flits(asks ? txn.request_bytes : txn.response_bytes);
    const std::uint64_t hash = line_hash(txn.line);
    const Way way = way_of(txn, {hash, txn.slice}, asks, length);
    if (way.own == kNoTerminal) { // woken by credits
        if (__builtin_expect(txn.followed, 0)) txn.trail->blame(Waited::credit);
        return false;
    }
    Terminal& terminal = terminals_[way.own];
    if (__builtin_expect(txn.followed, 0)) follow(txn, terminal.port->socket.name(), Waited::queue);
    room_[message_class][way.own] -= length;
    inlet.pop();
    if (Txn* next = inlet.admit()) {
        if (asks)
            up_.end_request(*next, domain_.now() + 1);
        else
            down_.end_response(*next, domain_.now() + 1);
    }
    PacketPayload& packet = make();
    packet.from = config_.first_terminal + way.own;
    packet.to = way.to;
    if (asks)
        asked_ = nullptr;
    else
        txn.pop_port();
    packet.flits = static_cast<std::uint16_t>(length);
    packet.bytes = static_cast<std::uint16_t>(asks ? txn.request_bytes : txn.response_bytes);
    packet.message_class = static_cast<std::uint8_t>(message_class);
    packet.order = order_key(hash);
    packet.sent_ps = domain_.edge_ps(domain_.now() + 1);
    packet.cargo = &txn;
    terminal_flits_ += packet.flits;
    terminal.port->send(packet, domain_.now() + 1);
    return true;
}

void NetworkInterface::Outward::arbitrate() {
    NetworkInterface& i = interface;
    bool more = false;
    for (unsigned message_class = 0; message_class < kClasses; ++message_class) {
        unsigned moved = 0;
        while (moved < i.config_.records_per_cycle && i.send(message_class)) ++moved;
        more |= moved == i.config_.records_per_cycle && !i.leaving_[message_class].empty();
    }
    if (more) wake_at(domain_.now() + 1);
}

// --- out of the network

void NetworkInterface::packet(unsigned terminal, PacketPayload& packet) {
    arrived_[packet.message_class].queue.push_back(&packet);
    ++arrived_[packet.message_class].fresh;
    if (__builtin_expect(packet.cargo->followed, 0))
        packet.cargo->trail->passed(terminals_[terminal].port->socket.name(), domain_.clockwork().now_ps());
    inward_.wake();
}

void NetworkInterface::give_room(const PacketPayload& packet) {
    PacketInitiatorPort& port = *terminals_[packet.to - config_.first_terminal].port;
    port.send_credit(packet.virtual_channel, packet.flits, domain_.now() + 1);
}

void NetworkInterface::Arrived::settle() {
    if (fresh <= 1) { // nearly always
        fresh = 0;
        return;
    }
    // By insertion: they are few, and std::stable_sort() would take memory for them.
    const auto before = [](const PacketPayload* a, const PacketPayload* b) { return a->to < b->to; };
    const auto first = queue.end() - fresh;
    for (auto next = first; next != queue.end(); ++next)
        std::rotate(std::upper_bound(first, next, *next, before), next, next + 1);
    fresh = 0;
}

bool NetworkInterface::receive(unsigned message_class) {
    Arrived& arrived = arrived_[message_class];
    const bool asks = message_class == kRequest;
    if (arrived.queue.empty() || !(asks ? down_.ready() : up_.ready())) return false; // woken by the wire
    PacketPayload& packet = *arrived.queue.front();
    arrived.queue.pop_front();
    Txn& txn = *packet.cargo;
    ++arrived.counts.packets;
    terminal_flits_ += packet.flits;
    const unsigned bytes = asks ? txn.request_bytes : txn.response_bytes;
    arrived.counts.bytes += bytes;
    if (config_.by_origin) bytes_from_[message_class][packet.from] += bytes;
    give_room(packet);
    if (__builtin_expect(txn.followed, 0)) follow(txn, asks ? down_.place() : up_.place(), Waited::room);
    if (asks) {
        txn.push_port(packet.from);
        down_.send(txn, domain_.now() + 1);
    } else {
        if (config_.entry != nullptr) config_.entry->answered(txn.line, packet.from);
        up_.send(txn, domain_.now() + 1);
    }
    packet.cargo = nullptr;
    spare_.push_back(&packet);
    return true;
}

void NetworkInterface::Inward::arbitrate() {
    NetworkInterface& i = interface;
    bool more = false;
    for (Arrived& arrived : i.arrived_) arrived.settle();
    for (unsigned message_class = 0; message_class < kClasses; ++message_class) {
        unsigned moved = 0;
        while (moved < i.config_.records_per_cycle && i.receive(message_class)) ++moved;
        more |= moved == i.config_.records_per_cycle && !i.arrived_[message_class].queue.empty();
    }
    if (more) wake_at(domain_.now() + 1);
}

unsigned NetworkInterface::held() const {
    unsigned count = 0;
    for (const Inlet& inlet : leaving_) count += inlet.size();
    for (const Arrived& arrived : arrived_) count += static_cast<unsigned>(arrived.queue.size());
    return count;
}

const Txn* NetworkInterface::sample_held() const {
    for (const Inlet& inlet : leaving_)
        if (!inlet.empty()) return &inlet.front();
    for (const Arrived& arrived : arrived_)
        if (!arrived.queue.empty()) return arrived.queue.front()->cargo;
    return nullptr;
}

} // namespace numavp
