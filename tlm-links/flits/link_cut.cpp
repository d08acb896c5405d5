#include "tlm-links/flits/link_cut.h"

#include "tlm-links/flits/record_way.h"
#include "tlm-links/protocol/held.h"

namespace numavp {

/// From an inlet over flits to a wire.
struct LinkCut::Way {
    Way(const LinkCutConfig& config, rtl::CxsRelay* relay, Wire& to, bool carries_requests)
        : inlet(config.queue_depth), flits(config.channel, relay, carries_requests, config.monitored), wire(to) {}

    Inlet inlet;
    RecordWay flits;
    Wire& wire;

    bool idle() const { return inlet.empty() && flits.idle(); }
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
        while (!way.inlet.empty() && way.flits.can_take()) {
            way.flits.send(way.inlet.pop());
            if (Txn* next = way.inlet.admit()) admitted(static_cast<LinkCutWay>(i), *next);
        }
        way.flits.edge();
        while (way.flits.any() && way.wire.ready())
            way.wire.send(way.flits.receive(pool_.functional), domain_.now() + 1);
        idle = idle && way.idle();
    }
    if (!idle) wake();
}

// --- reports

unsigned LinkCut::held() const {
    unsigned sum = 0;
    for (const auto& way : ways_) sum += way->inlet.size() + way->flits.inside();
    return sum;
}

const Txn* LinkCut::sample_held() const {
    for (const auto& way : ways_) {
        if (!way->inlet.empty()) return &way->inlet.front();
        if (const Txn* txn = way->flits.sample()) return txn;
    }
    return nullptr;
}

std::string LinkCut::holding() const { return held_packets(held(), sample_held()); }

std::string LinkCut::disagreement() {
    for (const auto& way : ways_)
        if (std::string breach = way->flits.breach(); !breach.empty()) return breach;
    return "";
}

std::uint64_t LinkCut::packets(LinkCutWay way) const { return ways_[way]->flits.received(); }

} // namespace numavp
