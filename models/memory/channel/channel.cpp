#include "models/memory/channel/channel.h"

#include <string>

#include "tlm-links/protocol/access_trail.h"

namespace numavp {

Channel::Channel(sc_core::sc_module_name name, const ChannelConfig& config, ClockDomain& domain, Rank rank)
    : sc_module(name), MemoryChannel(rank.index), domain_(domain), latency_(config.latency_cycles(domain.khz())),
      arbiter_(*this, domain, rank, config.channel_bytes_per_s()) {
    for (unsigned i = 0; i < config.ports; ++i) {
        ports_.push_back(std::make_unique<TargetPort>(("port_" + std::to_string(i)).c_str(), domain,
                                                      WireSpec{config.wire_depth(), Part::memory},
                                                      static_cast<ResponderIf&>(*this), i));
        ports_.back()->set_feeder(arbiter_);
        inlets_.emplace_back(config.queue_depth);
    }
}

bool Channel::request(unsigned port, Txn& txn) {
    arbiter_.wake();
    return inlets_[port].arrive(txn);
}

void Channel::serve() {
    const Cycle now = domain_.now();
    while (arbiter_.server.free_at() <= now)
        if (!serve_one(now)) return;
    unsigned i = 0;
    while (i < inlets_.size() && inlets_[i].empty()) ++i;
    if (i < inlets_.size())
        arbiter_.next_at(arbiter_.server.free_at(), inlets_[i], *ports_[i]);
    else
        arbiter_.touches.forget_all();
}

bool Channel::serve_one(Cycle now) {
    for (unsigned k = 0; k < inlets_.size(); ++k) {
        const unsigned i = turn_ + k < inlets_.size() ? turn_ + k : turn_ + k - static_cast<unsigned>(inlets_.size());
        if (inlets_[i].empty() || !ports_[i]->ready()) continue;
        turn_ = i + 1 < inlets_.size() ? i + 1 : 0;
        Txn& txn = inlets_[i].pop();
        if (Txn* next = inlets_[i].admit()) ports_[i]->end_request(*next, now + 1);
        counts_.add(txn);
        access(txn);
        if (__builtin_expect(txn.followed, 0)) follow(txn, *ports_[i]);
        ports_[i]->send(txn, arbiter_.server.take(now, channel_bytes(txn)) + latency_);
        return true;
    }
    return false;
}

/// A followed record is served: reports why it waited since it arrived.
[[gnu::cold, gnu::noinline]] void Channel::follow(const Txn& txn, const Wire& wire) const {
    const std::uint64_t now_ps = domain_.clockwork().now_ps();
    const std::uint64_t until_ps = domain_.edge_ps(arbiter_.server.free_at());
    txn.trail->waited(wire.place(), now_ps,
                      longer(txn.trail->mark_ps(), until_ps, now_ps, Waited::channel, Waited::room));
}

void Channel::access(Txn& txn) {
    txn.answer();
    if (!memory_) return;
    if (txn.is_write())
        memory_->write(txn.line, txn.data.data(), txn.mask);
    else
        memory_->read(txn.line, txn.data.data(), kLineBytes);
}

void Channel::debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) {
    if (!memory_) return;
    if (write)
        memory_->write(address, bytes, count);
    else
        memory_->read(address, bytes, count);
}

unsigned Channel::held() const {
    unsigned sum = 0;
    for (const Inlet& i : inlets_) sum += i.size();
    return sum;
}

const Txn* Channel::sample_held() const {
    for (const Inlet& i : inlets_)
        if (!i.empty()) return &i.front();
    return nullptr;
}

} // namespace numavp
