// Responses to a slice: fills, acknowledgements, and the answers to the requests that wait for them.
#include <algorithm>
#include <cstring>

#include "models/cache/l2_slice.h"
#include "models/cache/merge_bytes.h"
#include "tlm-links/protocol/flag_board.h"

namespace numavp {

void L2Slice::absorb(Txn& parent, const Txn& child) {
    if (__builtin_expect(parent.followed, 0)) follow_until_now(parent, Waited::pending);
    const Part own = side_of(parent) == kHome ? Part::home : part_;
    const std::uint64_t now = domain_.clockwork().now_ps();
    if (parent.stamped_ps > child.born_ps) return parent.stamp(own, now);
    parent.stamp(own, child.born_ps);
    constexpr auto slice = static_cast<unsigned>(Part::slice);
    const auto own_part = static_cast<unsigned>(own);
    std::uint32_t longest = 0;
    for (unsigned p = 0; p < kParts; ++p) longest |= parent.parts_ps[p] | child.parts_ps[p];
    if (longest >> 30 == 0 && !child.long_parts) { // no sum of three parts is long
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
    const unsigned unused = table_.unused();
    if (child.kind == Kind::fill)
        finish_fill(child);
    else if (child.kind == Kind::recall)
        copies_->acknowledged(child.context != 0);
    else
        finish_write(child);
    pool_.end(child);
    if (!settled(kCore) && !settled(kHome)) return;
    if (table_.unused() != unused)
        unsettle();
    else
        unsettle(tags().set_of(line));
}

inline void L2Slice::finish_fill(Txn& child) {
    const unsigned index = child.context;
    Entry& e = table_[index];
    // A fill that its home does not list is enough: the frame would not be recalled when that sector is written.
    e.passing = child.passing || e.passing;
    Table::Evicted evicted;
    const Table::Arrived came = table_.arrive(index, is_remote(e.line), child.mask, child.data.data(), evicted);
    if (!came.last) return serve_reads(e, came, child);
    Working line{came.frame, came.data, {}};
    e.serve_all(e.targets, [&](Txn& txn) { return serve_target(txn, line, child); });
    if (line.dirty.any() && line.frame >= 0) {
        table_.tags().mark_dirty(static_cast<unsigned>(line.frame), line.dirty);
        if (partial_) note_part(static_cast<unsigned>(line.frame));
    }
    if (line.frame < 0 && line.dirty.any()) { // written, but not kept: home with it
        start_write(index, line.dirty, line.data);
    } else if (e.completing && line.frame >= 0 && table_.must_be_written(static_cast<unsigned>(line.frame))) {
        evict(static_cast<unsigned>(line.frame), index);
    } else {
        replay(e.targets);
        if (evicted.any) { // the entry goes on as the victim's
            table_.rename(index, evicted.line);
            start_write(index, evicted.mask, evicted.data.data());
        } else {
            table_.release(index);
        }
    }
}

/// More of the line is on its way: answers reads whose sectors are there and not behind a write's.
void L2Slice::serve_reads(Entry& e, const Table::Arrived& line, const Txn& child) {
    const auto serve = [&](Txn& txn) {
        if (line.data) std::memcpy(txn.data.data(), line.data, kLineBytes);
        lend(txn);
        absorb(txn, child);
        respond(txn, config_.fill_cycles);
    };
    e.serve_arrived(
        e.targets, [this](const Txn& txn) { return request_of(txn); }, serve);
}

/// Serves a request from the line's bytes; false if it must be tried again from the start.
inline bool L2Slice::serve_target(Txn& txn, Working& line, const Txn& child) {
    if (txn.kind == Kind::atomic) {
        if (txn.home != socket_) return false;
        perform(txn, line.data);
        line.dirty |= txn.bytes();
        changed(txn);
    } else if (txn.is_write()) {
        if (writes_through(txn)) return false;
        if (line.data) merge_bytes(line.data, txn.data.data(), txn.bytes());
        line.dirty |= txn.bytes();
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
    Entry& e = table_[index];
    flush_.write_ended(e);
    e.end_write(e.targets, [&](Txn& txn) {
        absorb(txn, child);
        respond(txn, config_.fill_cycles);
    });
    if (!e.targets.empty() && combine(index)) return;
    replay(e.targets);
    table_.release(index);
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
    if (__builtin_expect(pool_.flags != nullptr, 0) && txn.home == socket_) pool_.flags->served(txn);
    txn.answer();
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
