// Stores, write-backs and atomics at a slice.
#include <array>

#include "models/cache/l2_slice.h"
#include "models/cache/merge_bytes.h"

namespace numavp {

bool L2Slice::write(Txn& txn) {
    count_write(txn, 1);
    TagArray& tags = table_.tags();
    int frame = tags.find(txn.line);
    if (writes_through(txn)) return write_through(txn, frame);
    if (config_.partial_lines != 0 && !has_room_for_part(txn, frame)) {
        count_write(txn, -1);
        return held_up(Waited::entry);
    }
    if (frame < 0) {
        const bool home = side_of(txn) == kHome, remote = is_remote(txn.line);
        frame = table_.victim(txn.line, {remote, home});
        if (frame < 0) return write_through(txn, -1);
        const auto victim = static_cast<unsigned>(frame);
        if (table_.on_its_way(victim)) {
            count_write(txn, -1);
            return held_up(Waited::victim);
        }
        if (table_.must_be_written(victim)) {
            const unsigned entry = table_.acquire(tags.line_at(victim), State::write, home);
            if (entry == kNone) {
                count_write(txn, -1);
                return held_up(Waited::entry);
            }
            evict(victim, entry);
        }
        ++counts_.write_misses;
        tags.install(victim, txn.line, remote, SectorSet());
    }
    table_.store(static_cast<unsigned>(frame), txn.bytes(), txn.data.data());
    if (config_.partial_lines != 0) note_part(static_cast<unsigned>(frame));
    changed(txn);
    respond(txn, config_.hit_cycles);
    return true;
}

/// Whether another line may have sectors that were written in part: else the oldest of those makes room, if an entry is
/// left for it. It waits for the slice's own memory alone, as requests of other sockets may.
bool L2Slice::has_room_for_part(const Txn& txn, int frame) {
    SectorSet parts = txn.touched() & ~SectorSet::covered(txn.bytes());
    if (frame >= 0) parts = parts & ~tags().sectors(static_cast<unsigned>(frame));
    if (!parts.any() || is_remote(txn.line) || partial_->lists(txn.line)) return true;
    for (std::size_t left = partial_->size(); partial_->full() && left != 0; --left) {
        const std::uint64_t line = partial_->oldest();
        if (table_.pending(line) != kNone) {
            partial_->put_off();
            continue;
        }
        const int held = tags().find(line);
        const SectorSet sectors = held >= 0 ? table_.partial(static_cast<unsigned>(held)) : SectorSet();
        if (sectors.any()) {
            const unsigned entry = table_.acquire(line, State::fill, side_of(txn) == kHome);
            if (entry == kNone) return false;
            complete(entry, sectors);
        }
        partial_->remove_oldest();
    }
    return !partial_->full();
}

/// Reads the rest of a line that stores wrote in part; it is written back when that has come.
void L2Slice::complete(unsigned index, SectorSet sectors) {
    Entry& e = table_[index];
    e.completing = true;
    e.ask(sectors);
    ++counts_.fills;
    ++counts_.completed;
    Txn& child = pool_.make(Kind::fill, e.line, sectors.bytes());
    counts_.fill_sectors += child.sectors();
    child.context = static_cast<std::uint16_t>(index);
    send_child(child, config_.miss_cycles);
}

/// Lists a line that a store has come to, unless its rest is on its way for its write-back.
void L2Slice::note_part(unsigned frame) {
    if (tags().remote(frame) || !table_.partial(frame).any()) return;
    const std::uint64_t line = tags().line_at(frame);
    const unsigned entry = table_.pending(line);
    if (entry == kNone || !table_[entry].completing) partial_->add(line);
}

/// Passes a write on to the line's memory; it is acknowledged when that is.
bool L2Slice::write_through(Txn& txn, int frame) {
    const unsigned entry = table_.acquire(txn.line, State::write, side_of(txn) == kHome);
    if (entry == kNone) {
        count_write(txn, -1);
        return held_up(Waited::entry);
    }
    write_held(txn, frame);
    table_[entry].targets.push(txn);
    table_[entry].stores = 1;
    start_write(entry, txn.bytes(), txn.data.data());
    return true;
}

/// Of a write that goes on to memory: to the line here, if it is.
void L2Slice::write_held(const Txn& txn, int frame) {
    if (frame >= 0) {
        if (txn.home != socket_) ++counts_.upgrades;
        table_.store_through(static_cast<unsigned>(frame), txn.bytes(), txn.data.data());
    }
    changed(txn);
}

/// Stores that have waited for a write of their line go on as one. False if the first that waits is no such store.
bool L2Slice::combine(unsigned index) {
    Entry& e = table_[index];
    ByteMask mask{0, 0};
    std::array<unsigned char, kLineBytes> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): of the mask
    const int frame = tags().find(e.line);
    const auto join = [&](Txn& txn) {
        if (__builtin_expect(txn.followed, 0)) follow_until_now(txn, Waited::pending);
        count_write(txn, 1);
        write_held(txn, frame);
        mask |= txn.bytes();
        if (pool_.functional) merge_bytes(bytes.data(), txn.data.data(), txn.bytes());
    };
    if (!e.combine(
            e.targets, [this](const Txn& txn) { return request_of(txn); }, join))
        return false;
    e.flushing = false;
    start_write(index, mask, bytes.data());
    return true;
}

bool L2Slice::atomic(Txn& txn) {
    if (!atomic_of(txn)) return refuse(txn); // what is between may have taken its operand away
    if (txn.home != socket_) return forward_atomic(txn);
    TagArray& tags = table_.tags();
    const int frame = tags.find(txn.line);
    if (frame < 0 || !tags.readable(static_cast<unsigned>(frame), txn.bytes())) return fetch(txn);
    const auto f = static_cast<unsigned>(frame);
    count(txn, &SliceCounts::Class::hits);
    tags.touch(f);
    perform(txn, tags.data(f));
    tags.mark_dirty(f, txn.bytes());
    changed(txn);
    respond(txn, config_.hit_cycles);
    return true;
}

/// Answers that it can't be performed, as atomic.h has it.
bool L2Slice::refuse(Txn& txn) {
    respond(txn, config_.hit_cycles);
    txn.answer(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return true;
}

bool L2Slice::forward_atomic(Txn& txn) {
    if (!to_link_.empty()) return held_up(Waited::room);
    TagArray& tags = table_.tags();
    const int frame = tags.find(txn.line);
    if (frame >= 0) {
        const auto f = static_cast<unsigned>(frame);
        if (tags.dirty(f)) { // our bytes must be home first; the atomic follows them
            const unsigned entry = table_.acquire(txn.line, State::write, false);
            if (entry == kNone) return held_up(Waited::entry);
            table_[entry].targets.push(txn);
            evict(f, entry);
            if (txn.followed) follow_wait(txn, table_[entry]);
            return true;
        }
        tags.drop(f, config_.sectored ? txn.touched() : SectorSet::all());
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
    counts_.atomic_sectors += txn.sectors();
    if (!line) return;
    AtomicExtension& atomic = txn.atomic();
    add_words(line, atomic.operand.data(), atomic.result.data(), txn.bytes());
}

} // namespace numavp
