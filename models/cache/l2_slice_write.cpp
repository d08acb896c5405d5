// Stores, write-backs and atomics at a slice.
#include <array>
#include <cstring>
#include <utility>

#include "models/cache/l2_slice.h"
#include "models/cache/merge_bytes.h"

namespace numavp {

bool L2Slice::write(Txn& txn) {
    count_write(txn, 1);
    const int held = tags_.find(txn.line);
    if (writes_through(txn)) return write_through(txn, held);
    int frame = held;
    if (frame < 0) {
        const Side side = side_of(txn);
        frame = victim(txn.line, {is_remote(txn.line), side == kHome});
        if (frame < 0) return write_through(txn, -1);
        const auto victim = static_cast<unsigned>(frame);
        if (on_its_way(victim)) {
            count_write(txn, -1);
            return held_up(Waited::victim);
        }
        if (tags_.valid(victim) && tags_.dirty(victim)) {
            const unsigned entry = acquire(tags_.line_at(victim), State::write, side);
            if (entry == PendingTable::kNone) {
                count_write(txn, -1);
                return held_up(Waited::entry);
            }
            evict(victim, entry);
        }
        ++counts_.write_misses;
        tags_.install(victim, txn.line, is_remote(txn.line), SectorSet());
    }
    const auto f = static_cast<unsigned>(frame);
    tags_.touch(f);
    tags_.mark_dirty(f, txn.mask);
    if (unsigned char* data = tags_.data(f)) merge_bytes(data, txn.data.data(), txn.mask);
    changed(txn);
    respond(txn, config_.hit_cycles);
    return true;
}

/// A dirty line that has a miss entry can't be a victim, since a line has one entry at most.
bool L2Slice::on_its_way(unsigned frame) const {
    return tags_.valid(frame) && tags_.dirty(frame) && pending_.find(tags_.line_at(frame)) != PendingTable::kNone;
}

/// Passes a write on to the line's memory; it is acknowledged when that is.
bool L2Slice::write_through(Txn& txn, int frame) {
    const unsigned entry = acquire(txn.line, State::write, side_of(txn));
    if (entry == PendingTable::kNone) {
        count_write(txn, -1);
        return held_up(Waited::entry);
    }
    write_held(txn, frame);
    entries_[entry].targets.push(txn);
    entries_[entry].stores = 1;
    start_write(entry, txn.mask, txn.data.data());
    return true;
}

/// Of a write that goes on to memory: to the line here, if it is.
void L2Slice::write_held(const Txn& txn, int frame) {
    if (frame >= 0) {
        if (txn.home != socket_) ++counts_.upgrades;
        const auto f = static_cast<unsigned>(frame);
        tags_.touch(f);
        if (unsigned char* data = tags_.data(f)) merge_bytes(data, txn.data.data(), txn.mask);
        // What is dirty already (by an atomic, or in a line that is not whole) stays dirty. Bytes of a sector that is
        // not there are not kept: dirty ones would be written home once more, and later.
        const ByteMask open = txn.mask & ~tags_.sectors(f).bytes();
        if (!config_.sectored && open.any()) tags_.mark_dirty(f, open);
    }
    changed(txn);
}

/// Stores that have waited for a write of their line go on as one (Jouppi, "Cache write policies and performance",
/// 1993: a coalescing write buffer): else each would take the memory's latency, one after the other. A line has one
/// write on its way at a time, so writes need no order behind this slice. False if the first that waits is no such
/// store.
bool L2Slice::combine(unsigned index) {
    Entry& e = entries_[index];
    CountedTxnQueue all;
    std::swap(all, e.targets);
    ByteMask mask{0, 0};
    std::array<unsigned char, kLineBytes> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): of the mask
    const int frame = tags_.find(e.line);
    for (e.stores = 0; !all.empty() && all.front().is_write() && writes_through(all.front()); ++e.stores) {
        Txn& txn = all.pop();
        if (__builtin_expect(txn.followed, 0)) follow_until_now(txn, Waited::pending);
        count_write(txn, 1);
        write_held(txn, frame);
        mask |= txn.mask;
        if (pool_.functional) merge_bytes(bytes.data(), txn.data.data(), txn.mask);
        e.targets.push(txn);
    }
    while (!all.empty()) e.targets.push(all.pop());
    if (e.stores == 0) return false;
    e.flushing = false;
    start_write(index, mask, bytes.data());
    return true;
}

bool L2Slice::atomic(Txn& txn) {
    if (!atomic_of(txn)) return refuse(txn); // what is between may have taken its operand away
    if (txn.home != socket_) return forward_atomic(txn);
    const int frame = tags_.find(txn.line);
    if (frame < 0 || !tags_.readable(static_cast<unsigned>(frame), txn.mask)) return fetch(txn);
    const auto f = static_cast<unsigned>(frame);
    count(txn, &SliceCounts::Class::hits);
    tags_.touch(f);
    perform(txn, tags_.data(f));
    tags_.mark_dirty(f, txn.mask);
    changed(txn);
    respond(txn, config_.hit_cycles);
    return true;
}

/// Answers that it can't be performed, as atomic.h has it.
bool L2Slice::refuse(Txn& txn) {
    respond(txn, config_.hit_cycles);
    txn.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return true;
}

bool L2Slice::forward_atomic(Txn& txn) {
    if (!to_link_.empty()) return held_up(Waited::room);
    const int frame = tags_.find(txn.line);
    if (frame >= 0) {
        const auto f = static_cast<unsigned>(frame);
        if (tags_.dirty(f)) { // our bytes must be home first; the atomic follows them
            const unsigned entry = acquire(txn.line, State::write, kCore);
            if (entry == PendingTable::kNone) return held_up(Waited::entry);
            entries_[entry].targets.push(txn);
            evict(f, entry);
            if (txn.followed) follow_wait(txn, entries_[entry]);
            return true;
        }
        tags_.drop(f, config_.sectored ? SectorSet::touched(txn.mask) : SectorSet::all());
    }
    ++counts_.forwarded;
    if (link_->ready())
        link_->send(txn, domain_.now() + config_.miss_cycles);
    else
        hold_back(to_link_, txn);
    return true;
}

/// Adds the operand's words to those of the line; the result has the old ones.
void L2Slice::perform(Txn& txn, unsigned char* line) {
    ++counts_.atomics;
    counts_.atomic_sectors += txn.mask.sectors();
    if (!line) return;
    AtomicExtension& atomic = txn.atomic();
    for (unsigned i = 0; i < kLineBytes; i += 4) {
        if (!txn.mask.test(i)) continue;
        std::uint32_t operand, word;
        std::memcpy(&operand, &atomic.operand[i], 4);
        std::memcpy(&word, line + i, 4);
        const std::uint32_t sum = word + operand;
        std::memcpy(&atomic.result[i], &word, 4);
        std::memcpy(line + i, &sum, 4);
    }
}

} // namespace numavp
