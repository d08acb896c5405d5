// Responses to a load-store unit: lines for its L1, acknowledgements, and the loads that they end.
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/sm/load_store.h"
#include "tlm-links/protocol/access_log.h"

namespace numavp {

/// One thing less for which a load waits.
void LoadStore::line_arrived(unsigned index, Cycle ready) {
    Load& l = loads_[index];
    if (ready > l.ready) l.ready = ready;
    if (--l.waiting != 0) return;
    KernelTraffic* const traffic = l.traffic;
    client_.load_done(l.warp, l.generation, l.reg, l.ready);
    loads_[index].next_free = free_loads_; // what was freed last is used first: it is near; loads_ may have grown
    free_loads_ = index;
    left(traffic);
}

bool LoadStore::response(unsigned, Txn& txn) {
    if (txn.kind == Kind::load) { // taken in this edge's second pass; what that will touch is fetched meanwhile
        reads_.prefetch_entry(txn.context);
        __builtin_prefetch(&loads_[txn.load], 1);
        tags_.prefetch(txn.line);
        arrived_.push(txn);
        client_.response_came(txn.tag, tags_.first_touched(txn.line));
        return true;
    }
    finish_write(txn);
    if (refuses())
        count_refusal();
    else if (blocked_)
        client_.step_unit();
    end(txn);
    return true;
}

/// Counts the attempt of an edge at which the head would be refused again: no need to wake the SM for it.
void LoadStore::count_refusal() {
    if (refused_at_ == domain_.now()) return;
    refused_at_ = domain_.now();
    ++counts_.stalls;
}

void LoadStore::take_response(Txn& txn) {
    finish_load(txn);
    if (blocked_) client_.step_unit();
    end(txn);
}

void LoadStore::end(Txn& txn) {
    --in_flight_[txn.epoch];
    if (txn.epoch != epoch_) epoch_ended();
    if (__builtin_expect(txn.followed, 0)) pool_.accesses->end(txn, domain_.clockwork().now_ps());
    left(txn.traffic);
    pool_.end(txn);
}

/// Puts sectors that have come into the line's frame, or into one that it gets.
inline void LoadStore::keep(const Txn& txn, SectorSet sectors) {
    const int held = config_.sectored ? tags_.find(txn.line) : -1;
    const int frame = held >= 0 ? held : tags_.victim(txn.line, {txn.is_remote(), false});
    if (frame < 0) return;
    const auto f = static_cast<unsigned>(frame);
    if (held >= 0)
        tags_.add_sectors(f, sectors);
    else
        tags_.install(f, txn.line, txn.is_remote(), sectors);
    unsigned char* const data = tags_.data(f);
    if (!data) return;
    for (unsigned first = 0; first < kLineBytes; first += kSectorBytes)
        if (sectors.covers(SectorSet(1U << first / kSectorBytes)))
            std::memcpy(data + first, &txn.data[first], kSectorBytes);
}

void LoadStore::finish_load(Txn& txn) {
    const std::uint64_t now_ps = domain_.clockwork().now_ps();
    LoadLatency& latency = latencies_[txn.is_remote()];
    latency.histogram.add(now_ps - txn.born_ps);
    if (__builtin_expect(txn.long_parts, 0))
        for (unsigned p = 0; p < kParts; ++p) latency.parts_ps[p] += txn.part(p);
    else
        for (unsigned p = 0; p < kParts; ++p) latency.parts_ps[p] += txn.parts_ps[p];
    if (const SectorSet fresh = reads_.kept(txn.context); fresh.any()) keep(txn, fresh);
    if (settled_) unsettle(txn.line);
    reads_.end(txn.context, [&](const L1Reads::Waiter& w) {
        if (hooks_) hooks_->consume(loads_[w.load].cookie, txn.virtual_line, w.mask, txn.data.data());
        line_arrived(w.load, domain_.now());
    });
}

/// A line has come. A head that waits for the wire alone can't go on for it, unless its own line, or another of that
/// set, has changed.
void LoadStore::unsettle(std::uint64_t line) {
    if (!on_port_ || tags_.set_of(line) == tags_.set_of(ahead_)) settled_ = false;
}

void LoadStore::finish_write(Txn& txn) {
    LoadLatency& latency = latencies_[txn.is_remote()];
    (txn.kind == Kind::atomic ? latency.atomics : latency.stores).add(domain_.clockwork().now_ps() - txn.born_ps);
    if (txn.kind == Kind::atomic && !txn.no_return) {
        if (hooks_) hooks_->consume(txn.cookie, txn.virtual_line, txn.mask, txn.atomic().result.data());
        line_arrived(txn.load, domain_.now());
    }
    client_.store_done(txn.context, txn.tag);
}

void LoadStore::left(KernelTraffic* traffic) {
    if (--traffic->outstanding(shard_) == 0) client_.traffic_drained(*traffic);
}

void LoadStore::invalidate() {
    ++counts_.invalidations;
    settled_ = false;
    std::vector<std::uint32_t> none;
    tags_.sweep(false, none);
    reads_.flush();
}

std::string LoadStore::waiting_for() const {
    if (drained()) return "";
    std::string text =
        fmt::format("{} responses to its memory port, {} instructions in its load-store unit", in_flight(), queued_);
    if (waiting() != 0) text += fmt::format(", translations for {} instructions", waiting());
    return text;
}

} // namespace numavp
