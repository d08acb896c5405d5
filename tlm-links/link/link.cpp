#include "tlm-links/link/link.h"

#include <algorithm>
#include <string>

#include "base/waves/wave_set.h"
#include "tlm-links/protocol/access_trail.h"

namespace numavp {

namespace {
constexpr unsigned kSwitchIn = 0xfff0; // port numbers, of 16 bits, beyond those of the socket's outputs
constexpr unsigned kSwitchOut = kSwitchIn + 1;
constexpr unsigned kSocketIn = kSwitchIn + 2;
LaneTurnerConfig turner_config(const LinkConfig& c) {
    return {{c.lanes_out, c.lanes_in}, c.balancer, c.params, c.sample_cycles, c.switch_cycles, c.decision_cycles};
}
} // namespace

Link::Direction::Direction(Link& owner, ClockDomain& domain, Rank rank, std::uint64_t bytes_per_s, unsigned inputs)
    : Arbiter(domain, rank), link(owner), line(bytes_per_s, domain.khz()),
      wear(owner.config_.errors.retire_errors, owner.cycles_of(owner.config_.errors.retire_window_us)),
      pending(inputs) {}

Link::Link(sc_core::sc_module_name name, const LinkConfig& config, ClockDomain& domain, Rank rank)
    : sc_module(name), config_(config), domain_(domain),
      switch_out_("switch_out", domain, {config.wire_depth, Part::link}, static_cast<RequesterIf&>(*this), kSwitchOut),
      switch_in_("switch_in", domain, {config.wire_depth, Part::link}, static_cast<ResponderIf&>(*this), kSwitchIn),
      socket_in_("socket_in", domain, {config.wire_depth, Part::link}, static_cast<RequesterIf&>(*this), kSocketIn),
      out_(*this, domain, rank, config.lane_bytes_per_s() * config.lanes_out, config.sources),
      in_(*this, domain, rank.after(1), config.lane_bytes_per_s() * config.lanes_in, 1),
      control_(*this, domain, rank.after(2)), turner_(turner_config(config), static_cast<LaneDirections&>(*this)),
      can_retire_(config.errors.given() && config.errors.retire_errors != 0) {
    for (unsigned i = 0; i < config.sources; ++i) {
        socket_out_.push_back(std::make_unique<TargetPort>(("socket_out_" + std::to_string(i)).c_str(), domain,
                                                           WireSpec{config.wire_depth, Part::link},
                                                           static_cast<ResponderIf&>(*this), i));
        socket_out_.back()->set_feeder(in_);
        out_.requests.emplace_back(config.queue_depth);
    }
    out_.responses.emplace_back(config.queue_depth); // of requests that came in
    out_.request_wire = &switch_out_;
    in_.requests.emplace_back(config.queue_depth);
    in_.responses.emplace_back(config.queue_depth); // of requests that went out
    in_.request_wire = &socket_in_;
    in_.outward = false;
    switch_out_.set_feeder(out_);
    switch_in_.set_feeder(out_);
    socket_in_.set_feeder(in_);
    if (!config.errors.given()) return;
    set_retry(out_, "out");
    set_retry(in_, "in");
}

Link::~Link() = default;

// --- packets

bool Link::request(unsigned port, Txn& txn) {
    const bool outward = port != kSwitchIn;
    Direction& d = outward ? out_ : in_;
    const unsigned input = outward ? port : 0;
    if (outward) txn.push_port(port);
    d.pending.add(input);
    d.wake();
    return d.requests[input].arrive(txn);
}

bool Link::response(unsigned port, Txn& txn) {
    Direction& d = port == kSwitchOut ? in_ : out_;
    d.wake();
    return d.responses[0].arrive(txn);
}

Wire& Link::response_wire(Direction& d, Txn& txn) {
    if (d.outward) return switch_in_;
    return *socket_out_[txn.last_port()];
}

void Link::admit_request(Direction& d, unsigned input) {
    Txn* next = d.requests[input].admit();
    if (!next) return;
    TargetPort& port = d.outward ? *socket_out_[input] : switch_in_;
    port.end_request(*next, domain_.now() + 1);
}

void Link::admit_response(Direction& d, unsigned input) {
    Txn* next = d.responses[input].admit();
    if (!next) return;
    InitiatorPort& port = d.outward ? socket_in_ : switch_out_;
    port.end_response(*next, domain_.now() + 1);
}

/// A followed record leaves: reports why it waited since it arrived. The lanes idle only while wires are full.
[[gnu::cold, gnu::noinline]] void Link::Direction::follow(const Txn& txn, const Wire& wire) const {
    const std::uint64_t now_ps = domain_.clockwork().now_ps();
    const std::uint64_t until_ps = domain_.edge_ps(free_at(domain_.now()));
    const Waited busy = link.turning() != 0 ? Waited::turning : Waited::lanes;
    txn.trail->waited(wire.place(), now_ps, longer(txn.trail->mark_ps(), until_ps, now_ps, busy, Waited::room));
}

bool Link::Direction::send_request(Cycle now) {
    if (pending.empty() || !request_wire->ready()) return false;
    const unsigned input = pending.next(turn);
    turn = input + 1 < requests.size() ? input + 1 : 0;
    Inlet& inlet = requests[input];
    Txn& txn = inlet.pop();
    link.admit_request(*this, input);
    if (inlet.empty()) pending.remove(input);
    ++counts.request_packets;
    counts.bytes += txn.request_bytes;
    if (__builtin_expect(txn.followed, 0)) follow(txn, *request_wire);
    request_wire->send(txn, serve(now, txn.request_bytes) + link.config_.latency_cycles);
    return true;
}

bool Link::Direction::send_response(Cycle now) {
    if (responses[0].empty()) return false;
    Wire& wire = link.response_wire(*this, responses[0].front());
    if (!wire.ready()) return false;
    Txn& txn = responses[0].pop();
    if (!outward) txn.pop_port();
    link.admit_response(*this, 0);
    ++counts.response_packets;
    counts.bytes += txn.response_bytes;
    if (__builtin_expect(txn.followed, 0)) follow(txn, wire);
    wire.send(txn, serve(now, txn.response_bytes) + link.config_.latency_cycles);
    return true;
}

/// Edge at which a packet has left the link without an error.
Cycle Link::Direction::serve(Cycle now, unsigned bytes) {
    const Cycle left = line.take(now, bytes);
    if (__builtin_expect(line.retry() != nullptr, 0)) link.note_errors(*this, now, left);
    return left;
}

void Link::Direction::arbitrate() {
    const Cycle now = domain_.now();
    while (free_at(now) <= now) {
        const bool sent =
            response_turn ? send_response(now) || send_request(now) : send_request(now) || send_response(now);
        if (!sent) return; // woken by what arrives, or by a wire that has room again
        response_turn = !response_turn;
    }
    if (!pending.empty() || !responses[0].empty()) wake_at(free_at(now));
}

// --- lanes

void Link::launch() {
    rests_ = false;
    control_.wake_when_due(turner_.launch(domain_.now()));
}

void Link::change(const LinkConfig& config) {
    control_.wake_when_due(turner_.change(turner_config(config), domain_.now()));
}

/// What is due afterwards, a sample of the series among it, must not lengthen the time in which lanes could have
/// worked.
void Link::rest() {
    for (const LaneWay way : {LaneWay::out, LaneWay::in})
        ended_lane_cycles_[static_cast<unsigned>(way)] = turner_.lane_cycles(way, domain_.now());
    rests_ = true;
    turner_.rest();
}

void Link::set_lanes(LaneWay way, unsigned lanes) {
    Direction& d = way == LaneWay::out ? out_ : in_;
    d.line.set_capacity(config_.lane_bytes_per_s() * lanes);
    d.wake_at(domain_.now() + 1);
}

std::uint64_t Link::lane_cycles_of(std::uint64_t bytes) const {
    const std::uint64_t hertz = domain_.khz() * 1000;
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes) * hertz / config_.lane_bytes_per_s());
}

void Link::lanes_changed(Cycle now) {
    if (lane_hook_) lane_hook_(now, turner_.lanes());
    if (lane_waves_) lane_waves_->sample();
}

unsigned Link::Direction::held() const {
    unsigned sum = 0;
    for (const Inlet& i : requests) sum += i.size();
    for (const Inlet& i : responses) sum += i.size();
    return sum;
}

const Txn* Link::sample_held() const {
    for (const Direction* d : {&out_, &in_}) {
        for (const Inlet& i : d->requests)
            if (!i.empty()) return &i.front();
        for (const Inlet& i : d->responses)
            if (!i.empty()) return &i.front();
    }
    return nullptr;
}

} // namespace numavp
