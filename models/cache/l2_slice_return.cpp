// Responses to a slice: fills, acknowledgements, and the answers to the requests that wait for them.
#include <algorithm>
#include <cstring>
#include <utility>

#include "models/cache/l2_slice.h"
#include "models/cache/merge_bytes.h"

namespace numavp {

void L2Slice::absorb(Txn& parent, const Txn& child) {
    if (__builtin_expect(parent.followed, 0)) follow_until_now(parent, Waited::pending);
    const Part own = side_of(parent) == kHome ? Part::home : Part::slice;
    const std::uint64_t now = domain_.clockwork().now_ps();
    if (parent.stamped_ps > child.born_ps) return parent.stamp(own, now);
    parent.stamp(own, child.born_ps);
    constexpr auto slice = static_cast<unsigned>(Part::slice);
    const auto own_part = static_cast<unsigned>(own);
    if ((now - parent.born_ps) >> 32 == 0) { // no part of either can be long
        const std::uint32_t in_slice = child.parts_ps[slice];
        for (unsigned p = 0; p < kParts; ++p) parent.parts_ps[p] += child.parts_ps[p];
        parent.parts_ps[slice] -= in_slice;
        parent.parts_ps[own_part] += in_slice;
    } else {
        for (unsigned p = 0; p < kParts; ++p) parent.add_part(p == slice ? own_part : p, child.part(p));
    }
    parent.stamped_ps = now;
}

void L2Slice::finish(Txn& child) {
    if (child.kind == Kind::atomic) return respond(child, 1); // passed on by this slice: its requester waits for it
    const std::uint64_t line = child.line;
    const std::size_t unused = free_.size();
    if (child.kind == Kind::fill)
        finish_fill(child);
    else if (child.kind == Kind::recall)
        --recalls_out_[child.context];
    else
        finish_write(child);
    pool_.end(child);
    if (!settled(kCore) && !settled(kHome)) return;
    if (free_.size() != unused)
        unsettle();
    else
        unsettle(tags_.set_of(line));
}

inline void L2Slice::finish_fill(Txn& child) {
    const unsigned index = child.context;
    Entry& e = entries_[index];
    const bool remote = is_remote(e.line);
    if (!patches_.empty()) patch(child);
    e.arrived |= SectorSet::touched(child.mask);
    // A fill that its home does not list is enough: the frame would not be recalled when that sector is written.
    e.passing = child.passing || e.passing;
    const bool last = --e.fills == 0;
    if (!gathered_.empty()) gather(index, child);
    Working line;
    line.frame = tags_.find(e.line);
    unsigned evicted = 0;
    std::uint64_t victim_line = 0;
    ByteMask victim_mask;
    std::array<unsigned char, kLineBytes> victim_data;
    if (line.frame >= 0) { // what was written here while its sector was not there is newer
        const auto f = static_cast<unsigned>(line.frame);
        if (unsigned char* data = tags_.data(f))
            merge_bytes(data, child.data.data(), e.arrived.bytes() & ~tags_.dirty_mask(f));
        tags_.add_sectors(f, e.arrived);
    } else if (!e.stale && !e.passing && (config_.incoming_allocate || !e.home)) {
        line.frame = victim(e.line, {remote, e.home});
        if (line.frame >= 0 && on_its_way(static_cast<unsigned>(line.frame))) line.frame = -1;
        if (!last && line.frame >= 0 && tags_.dirty(static_cast<unsigned>(line.frame)))
            line.frame = -1; // with the last
        if (line.frame >= 0) {
            const auto f = static_cast<unsigned>(line.frame);
            if (tags_.valid(f) && tags_.dirty(f)) {
                evicted = 1;
                victim_line = tags_.line_at(f);
                victim_mask = tags_.dirty_mask(f);
                if (const unsigned char* data = tags_.data(f)) std::memcpy(victim_data.data(), data, kLineBytes);
            }
            tags_.install(f, e.line, remote, e.arrived);
            if (unsigned char* data = tags_.data(f)) std::memcpy(data, child.data.data(), kLineBytes);
        }
    }
    line.data = line.frame >= 0 ? tags_.data(static_cast<unsigned>(line.frame))
                                : (pool_.functional ? child.data.data() : nullptr);
    if (!last) return serve_reads(e, line, child);
    const std::uint64_t filled = e.line;
    unsigned left = e.stale ? e.fresh : ~0U;
    CountedTxnQueue rest;
    while (!e.targets.empty()) {
        Txn& txn = e.targets.pop();
        if (left == 0 || !rest.empty() || !serve_target(txn, line, child))
            rest.push(txn);
        else
            --left;
    }
    if (line.dirty.any() && line.frame >= 0) tags_.mark_dirty(static_cast<unsigned>(line.frame), line.dirty);
    e.targets = rest;
    if (line.frame < 0 && line.dirty.any()) { // written, but not kept: home with it
        start_write(index, line.dirty, line.data);
    } else {
        replay(e.targets);
        if (evicted) { // the entry goes on as the victim's
            pending_.erase(filled);
            e.line = victim_line;
            e.stale = e.flushing = false;
            pending_.insert(victim_line, index);
            start_write(index, victim_mask, victim_data.data());
        } else {
            release(index);
        }
    }
}

/// Adds the bytes of a fill to those that came before, and copies all of them into the record.
void L2Slice::gather(unsigned index, Txn& child) {
    merge_bytes(gathered(index), child.data.data(), child.mask);
    std::memcpy(child.data.data(), gathered(index), kLineBytes);
}

/// More of the line is on its way: answers reads whose sectors are there and not behind a write's.
void L2Slice::serve_reads(Entry& e, const Working& line, const Txn& child) {
    unsigned left = e.stale ? e.fresh : ~0U;
    CountedTxnQueue waiting;
    std::swap(waiting, e.targets);
    e.claimed = e.written = SectorSet();
    while (!waiting.empty()) {
        Txn& txn = waiting.pop();
        const SectorSet touched = SectorSet::touched(txn.mask);
        const bool reads = !txn.is_write() && txn.kind != Kind::atomic;
        const bool before_flush = left != 0;
        if (before_flush) --left;
        if (!before_flush || !reads || (touched & e.written).any() || !e.arrived.covers(touched)) {
            e.targets.push(txn);
            claim(e, txn);
            continue;
        }
        if (line.data) std::memcpy(txn.data.data(), line.data, kLineBytes);
        lend(txn);
        if (e.stale) --e.fresh;
        absorb(txn, child);
        respond(txn, config_.fill_cycles);
    }
}

/// Serves a request from the line's bytes; false if it must be tried again from the start.
inline bool L2Slice::serve_target(Txn& txn, Working& line, const Txn& child) {
    if (txn.kind == Kind::atomic) {
        if (txn.home != socket_) return false;
        perform(txn, line.data);
        line.dirty |= txn.mask;
        changed(txn);
    } else if (txn.is_write()) {
        if (writes_through(txn)) return false;
        if (line.data) merge_bytes(line.data, txn.data.data(), txn.mask);
        line.dirty |= txn.mask;
        count_write(txn, 1);
        changed(txn);
    } else {
        if (line.data) std::memcpy(txn.data.data(), line.data, kLineBytes);
        lend(txn);
    }
    absorb(txn, child);
    respond(txn, config_.fill_cycles);
    return true;
}

inline void L2Slice::finish_write(Txn& child) {
    const unsigned index = child.context;
    Entry& e = entries_[index];
    if (e.flushing) --flush_writes_;
    for (; e.stores != 0; --e.stores) {
        Txn& txn = e.targets.pop();
        absorb(txn, child);
        respond(txn, config_.fill_cycles);
    }
    if (!e.targets.empty() && combine(index)) return;
    replay(e.targets);
    release(index);
}

void L2Slice::replay(CountedTxnQueue& targets) {
    if (!targets.empty()) unsettle();
    while (!targets.empty()) {
        Txn& txn = targets.pop();
        if (__builtin_expect(txn.followed, 0)) follow_until_now(txn, Waited::pending);
        replays_[side_of(txn)].push(txn);
    }
}

void L2Slice::respond(Txn& txn, unsigned latency) {
    if (__builtin_expect(txn.followed, 0)) follow_answer(txn);
    txn.set_response_status(tlm::TLM_OK_RESPONSE);
    const Side side = side_of(txn);
    TargetPort& port = *ports_[side];
    if (responses_[side].empty() && port.ready())
        port.send(txn, data_[side].take(domain_.now(), txn.response_bytes) + latency);
    else {
        txn.departs = domain_.now() + latency;
        responses_[side].push(txn);
    }
}

void L2Slice::drain_responses() {
    for (unsigned side = 0; side < kSides; ++side) {
        CountedTxnQueue& queue = responses_[side];
        while (!queue.empty() && ports_[side]->ready()) {
            Txn& txn = queue.pop();
            if (__builtin_expect(txn.followed, 0)) follow_response(txn, static_cast<Side>(side));
            const Cycle passed = data_[side].take(domain_.now(), txn.response_bytes) + config_.fill_cycles;
            ports_[side]->send(txn, std::max(passed, txn.departs));
        }
    }
}

} // namespace numavp
