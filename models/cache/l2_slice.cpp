#include "models/cache/l2_slice.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "models/base/units.h"

namespace numavp {

namespace {
void merge_bytes(unsigned char* into, const unsigned char* from, ByteMask mask) {
    if (mask.all()) {
        std::memcpy(into, from, kLineBytes);
        return;
    }
    for (unsigned i = 0; i < kLineBytes; ++i)
        if (mask.test(i)) into[i] = from[i];
}
} // namespace

L2Slice::L2Slice(sc_core::sc_module_name name, const L2Config& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, r.rank), inlets_{Inlet(config.queue_depth + config.lookup_cycles),
                                                          Inlet(config.queue_depth + config.lookup_cycles)},
      socket_(r.socket), index_(r.index), pool_(r.pool), map_(r.map),
      config_(config), data_{BandwidthServer(bytes_per_s(config.bytes_per_cycle, r.domain.khz()), r.domain.khz()),
                             BandwidthServer(bytes_per_s(config.bytes_per_cycle, r.domain.khz()), r.domain.khz())},
      tags_(config.sets(), config.ways, r.pool.functional), pending_(config.entries), entries_(config.entries) {
    for (unsigned i = config.entries; i-- > 0;) free_.push_back(static_cast<std::uint16_t>(i));
    if (config.sectored && r.pool.functional) gathered_.resize(std::size_t{config.entries} * kLineBytes);
    auto& responder = static_cast<ResponderIf&>(*this);
    auto& requester = static_cast<RequesterIf&>(*this);
    ports_[kCore] =
        std::make_unique<TargetPort>("core_side", domain_, WireSpec{config.wire_depth, Part::slice}, responder, kCore);
    ports_[kCore]->set_feeder(*this);
    if (r.has_memory) {
        mem_ = std::make_unique<InitiatorPort>("mem_side", domain_, WireSpec{config.wire_depth, Part::slice}, requester,
                                               kMemory);
        mem_->set_feeder(*this);
        mem_->set_consumer();
    }
    if (r.has_link) {
        ports_[kHome] = std::make_unique<TargetPort>("home_side", domain_, WireSpec{config.wire_depth, Part::home},
                                                     responder, kHome);
        link_ = std::make_unique<InitiatorPort>("link_side", domain_, WireSpec{config.wire_depth, Part::slice},
                                                requester, kLink);
        ports_[kHome]->set_feeder(*this);
        link_->set_feeder(*this);
    }
    if (config.organisation == L2Organisation::static_split) {
        tags_.set_local_ways(config.ways - config.static_remote_ways);
        tags_.set_strict(true);
    } else if (config.organisation == L2Organisation::numa_aware) {
        tags_.set_local_ways(config.ways - config.ways / 2);
    }
}

L2Slice::~L2Slice() = default;

FlushScope L2Slice::flush_scope() const {
    if (!config_.invalidate) return FlushScope::none;
    switch (config_.organisation) {
    case L2Organisation::memory_side: return FlushScope::none;
    case L2Organisation::static_split: return FlushScope::remote;
    case L2Organisation::replicating:
        if (!config_.replicas) return FlushScope::none;
        return config_.flushes_all ? FlushScope::all : FlushScope::remote;
    default: return config_.flush_local ? FlushScope::all : FlushScope::remote;
    }
}

// --- arrivals

// Arrivals are looked at in this edge's second pass; what that will touch is fetched meanwhile. Memory's come first
// then: which of the two wires was delivered first decides nothing.

void L2Slice::fetch_ahead(std::uint64_t line) const {
    pending_.prefetch(line);
    tags_.prefetch(line);
}

bool L2Slice::request(unsigned port, Txn& txn) {
    fetch_ahead(txn.line);
    if (config_.lookup_cycles != 0) {
        txn.departs = domain_.now() + config_.lookup_cycles;
        wake_at(txn.departs);
    } else {
        wake();
    }
    return inlets_[port].arrive(txn);
}

bool L2Slice::response(unsigned port, Txn& txn) {
    if (txn.kind != Kind::atomic) {
        __builtin_prefetch(&entries_[txn.context], 1);
        fetch_ahead(txn.line);
        if (txn.owner) static_cast<Txn*>(txn.owner)->prefetch();
    }
    arrived_[port].push(txn);
    wake();
    return true;
}

void L2Slice::arbitrate() {
    for (TxnQueue& arrived : arrived_)
        while (!arrived.empty()) finish(arrived.pop());
    drain_responses();
    while (!to_mem_.empty() && mem_->ready()) send_queued(to_mem_, *mem_);
    while (!to_link_.empty() && link_->ready()) send_queued(to_link_, *link_);
    if (flushing_) step_flush();
    // One request a cycle; the sides take turns, and a side that can't go on does not hold up the other.
    const Side first = home_turn_ ? kHome : kCore;
    const Side second = home_turn_ ? kCore : kHome;
    const bool served_first = serve_side(first);
    if (!served_first && !serve_side(second)) return; // woken by whatever frees an entry or a wire
    home_turn_ = (served_first ? second : first) == kHome;
    if (config_.lookup_cycles != 0) return wake_for_more();
    if (has_work(kCore) || has_work(kHome)) wake();
}

/// The next edge at which a request may be served, with a pipeline before the look-up.
void L2Slice::wake_for_more() {
    for (const Side side : {kCore, kHome}) {
        if (!has_work(side)) continue;
        if (!replays_[side].empty() || inlets_[side].front().departs <= domain_.now() + 1) return wake();
        wake_at(inlets_[side].front().departs);
    }
}

/// True if a request was taken.
bool L2Slice::serve_side(Side side) {
    const bool again = !replays_[side].empty();
    if (!again && (inlets_[side].empty() || in_pipeline(side))) return false;
    // A response may be due at once: there must be room for it.
    if (responses_[side].size() >= config_.queue_depth) return false;
    // Taken off first: an access puts the record into other queues.
    Txn& txn = again ? replays_[side].pop() : inlets_[side].pop();
    if (!inlets_[side].empty()) fetch_ahead(inlets_[side].front().line);
    if (__builtin_expect(txn.followed, 0)) follow_look_up(txn);
    if (!access(txn)) {
        ++counts_.stalls;
        if (__builtin_expect(txn.followed, 0)) txn.trail->blame(held_up_);
        if (again)
            replays_[side].push_front(txn);
        else
            inlets_[side].unpop(txn);
        return false;
    }
    if (!again)
        if (Txn* next = inlets_[side].admit()) ports_[side]->end_request(*next, domain_.now() + 1);
    return true;
}

void L2Slice::count(Txn& txn, std::uint64_t SliceCounts::Class::*what) {
    const bool passed_on = txn.kind == Kind::atomic && txn.home != socket_; // its home counts it
    if (txn.counted || txn.is_write() || passed_on) return;
    txn.counted = true;
    SliceCounts::Class& counts =
        side_of(txn) == kHome ? counts_.incoming : (txn.home == socket_ ? counts_.local : counts_.remote);
    ++(counts.*what);
}

bool L2Slice::access(Txn& txn) {
    const unsigned entry = pending_.find(txn.line);
    if (entry != PendingTable::kNone && !passes(entries_[entry], txn)) return wait_in(entry, txn);
    if (txn.kind == Kind::atomic) return atomic(txn);
    return txn.is_write() ? write(txn) : read(txn);
}

/// Other sectors of the line are on their way, and this request needs none of them.
bool L2Slice::passes(const Entry& e, const Txn& txn) const {
    if (!config_.sectored || e.state != State::fill || e.stale || txn.kind == Kind::atomic) return false;
    const int frame = tags_.find(txn.line);
    if (frame < 0) return false;
    const SectorSet touched = SectorSet::touched(txn.mask);
    if (txn.is_write())
        return config_.write_policy == WritePolicy::write_back && !(touched & (e.claimed | e.asked)).any();
    return !(touched & e.written).any() && tags_.readable(static_cast<unsigned>(frame), txn.mask);
}

bool L2Slice::wait_in(unsigned index, Txn& txn) {
    Entry& e = entries_[index];
    if (e.targets.size() >= config_.merges) return held_up(Waited::merges);
    const bool asks = config_.sectored && e.state == State::fill && !e.stale && !txn.is_write() &&
                      (txn.kind != Kind::atomic || txn.home == socket_) && ask(index, txn);
    e.targets.push(txn);
    if (config_.sectored) claim(e, txn);
    if (__builtin_expect(txn.followed, 0) && !asks) follow_wait(txn, e);
    count(txn, asks ? &SliceCounts::Class::misses : &SliceCounts::Class::merged);
    return true;
}

void L2Slice::claim(Entry& e, const Txn& txn) {
    const bool away = txn.kind == Kind::atomic && txn.home != socket_; // it takes the line from here
    const SectorSet touched = away ? SectorSet::all() : SectorSet::touched(txn.mask);
    e.claimed |= touched;
    if (txn.is_write() || txn.kind == Kind::atomic) e.written |= touched;
}

bool L2Slice::read(Txn& txn) {
    const int frame = tags_.find(txn.line);
    if (frame < 0 || !tags_.readable(static_cast<unsigned>(frame), txn.mask)) return fetch(txn);
    count(txn, &SliceCounts::Class::hits);
    tags_.touch(static_cast<unsigned>(frame));
    if (const unsigned char* data = tags_.data(static_cast<unsigned>(frame)))
        std::memcpy(txn.data.data(), data, kLineBytes);
    respond(txn, config_.hit_cycles);
    return true;
}

bool L2Slice::fetch(Txn& txn) {
    const unsigned entry = acquire(txn.line, State::fill, side_of(txn));
    if (entry == PendingTable::kNone) return held_up(Waited::entry);
    count(txn, &SliceCounts::Class::misses);
    ask(entry, txn);
    entries_[entry].targets.push(txn);
    if (config_.sectored) claim(entries_[entry], txn);
    return true;
}

/// Sends a fill for what the request needs of a line and nobody has asked for; false if that is nothing.
bool L2Slice::ask(unsigned index, Txn& txn) {
    Entry& e = entries_[index];
    SectorSet wanted = SectorSet::all();
    if (config_.sectored) {
        wanted = SectorSet::touched(txn.mask) & ~e.asked;
        wanted = wanted & ~take_from_frame(index, wanted);
        if (!wanted.any()) return false;
    }
    e.asked |= wanted;
    ++e.fills;
    ++counts_.fills;
    Txn& child = pool_.make(Kind::fill, txn.line, wanted.bytes());
    counts_.fill_sectors += child.mask.sectors();
    child.context = static_cast<std::uint16_t>(index);
    child.read_only = txn.read_only;
    child.owner = &txn;
    if (__builtin_expect(txn.followed, 0)) follow_child(child, txn, e);
    send_child(child, config_.miss_cycles);
    return true;
}

/// Of the sectors that a request waits for, those that are here: kept in its entry, since the frame may be lost.
SectorSet L2Slice::take_from_frame(unsigned index, SectorSet wanted) {
    const int frame = tags_.find(entries_[index].line);
    if (frame < 0) return {};
    const SectorSet here = wanted & tags_.sectors(static_cast<unsigned>(frame));
    if (const unsigned char* data = tags_.data(static_cast<unsigned>(frame)))
        merge_bytes(gathered(index), data, here.bytes());
    entries_[index].asked |= here;
    entries_[index].arrived |= here;
    return here;
}

bool L2Slice::write(Txn& txn) {
    ++counts_.writes;
    const int held = tags_.find(txn.line);
    if (config_.write_policy == WritePolicy::write_through) return write_through(txn, held);
    int frame = held;
    if (frame < 0) {
        const Side side = side_of(txn);
        frame = victim(txn.line, {is_remote(txn.line), side == kHome});
        if (frame < 0) return write_through(txn, -1);
        const auto victim = static_cast<unsigned>(frame);
        if (on_its_way(victim)) {
            --counts_.writes;
            return held_up(Waited::victim);
        }
        if (tags_.valid(victim) && tags_.dirty(victim)) {
            const unsigned entry = acquire(tags_.line_at(victim), State::write, side);
            if (entry == PendingTable::kNone) {
                --counts_.writes;
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
    respond(txn, config_.hit_cycles);
    return true;
}

/// A dirty line that has an entry of its own can't be a victim: one entry a line.
bool L2Slice::on_its_way(unsigned frame) const {
    return tags_.valid(frame) && tags_.dirty(frame) && pending_.find(tags_.line_at(frame)) != PendingTable::kNone;
}

/// Passes a write on to the line's memory; it is acknowledged when that is.
bool L2Slice::write_through(Txn& txn, int frame) {
    const unsigned entry = acquire(txn.line, State::write, side_of(txn));
    if (entry == PendingTable::kNone) {
        --counts_.writes;
        return held_up(Waited::entry);
    }
    ByteMask mask = txn.mask;
    if (frame >= 0) {
        const auto f = static_cast<unsigned>(frame);
        tags_.touch(f);
        if (unsigned char* data = tags_.data(f)) merge_bytes(data, txn.data.data(), mask);
        // What is dirty already (by an atomic, or in a line that is not whole) stays dirty. Bytes of a sector that is
        // not there are not kept: dirty ones would be written home once more, and later.
        const ByteMask open = mask & ~tags_.sectors(f).bytes();
        if (!config_.sectored && open.any()) tags_.mark_dirty(f, open);
    }
    entries_[entry].targets.push(txn);
    entries_[entry].acknowledges = true;
    start_write(entry, mask, txn.data.data());
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

// --- entries and child records

unsigned L2Slice::acquire(std::uint64_t line, State state, Side side) {
    const std::size_t needed = side == kHome || !link_ ? 1 : config_.reserved_home_entries + std::size_t{1};
    if (free_.size() < needed) return PendingTable::kNone;
    const unsigned index = free_.back();
    free_.pop_back();
    Entry& e = entries_[index];
    e.line = line;
    e.state = state;
    e.stale = e.acknowledges = e.flushing = false;
    e.home = side == kHome;
    e.fills = 0;
    e.asked = e.arrived = e.claimed = e.written = SectorSet();
    e.fresh = 0;
    e.followed = 0;
    pending_.insert(line, index);
    return index;
}

void L2Slice::release(unsigned entry) {
    Entry& e = entries_[entry];
    pending_.erase(e.line);
    e.state = State::idle;
    free_.push_back(static_cast<std::uint16_t>(entry));
}

/// Writes the dirty bytes of a frame to their home and frees the frame.
void L2Slice::evict(unsigned frame, unsigned entry) {
    const unsigned char* data = tags_.data(frame);
    start_write(entry, tags_.dirty_mask(frame), data);
    tags_.invalidate(frame);
}

void L2Slice::start_write(unsigned entry, ByteMask mask, const unsigned char* data) {
    Entry& e = entries_[entry];
    e.state = State::write;
    Txn& child = pool_.make(Kind::write, e.line, mask);
    if (pool_.functional && data) std::memcpy(child.data.data(), data, kLineBytes);
    child.context = static_cast<std::uint16_t>(entry);
    if (flushing_ && flush_.covers(e.line)) { // it may carry bytes of a frame that the flush has not come to
        e.flushing = true;
        ++flush_writes_;
    }
    ++(is_remote(e.line) ? counts_.written_remote : counts_.written_local);
    if (e.acknowledges && e.targets.front().followed) follow_child(child, e.targets.front(), e);
    send_child(child, config_.miss_cycles);
}

void L2Slice::send_child(Txn& child, unsigned delay) {
    child.requester = socket_;
    child.source = static_cast<std::uint16_t>(index_);
    map_.resolve(child);
    child.start(domain_.clockwork().now_ps());
    const bool remote = child.home != socket_;
    if (remote && child.kind == Kind::fill) {
        ++counts_.outgoing_reads;
        counts_.outgoing_sectors += child.mask.sectors();
    }
    InitiatorPort& port = remote ? *link_ : *mem_;
    TxnQueue& queue = remote ? to_link_ : to_mem_;
    if (queue.empty() && port.ready())
        port.send(child, domain_.now() + delay);
    else
        hold_back(queue, child);
}

/// Until its wire has room.
void L2Slice::hold_back(TxnQueue& queue, Txn& txn) {
    if (__builtin_expect(txn.followed, 0)) txn.trail->blame(Waited::room);
    queue.push(txn);
}

void L2Slice::send_queued(TxnQueue& queue, InitiatorPort& port) {
    Txn& txn = queue.pop();
    if (__builtin_expect(txn.followed, 0)) txn.trail->waited(port.place(), domain_.clockwork().now_ps(), Waited::room);
    port.send(txn, domain_.now() + config_.miss_cycles);
}

// --- what comes back

void L2Slice::absorb(Txn& parent, const Txn& child) {
    if (__builtin_expect(parent.followed, 0)) follow_until_now(parent, Waited::pending);
    const Part own = side_of(parent) == kHome ? Part::home : Part::slice;
    const std::uint64_t now = domain_.clockwork().now_ps();
    if (parent.stamped_ps > child.born_ps) return parent.stamp(own, now);
    parent.stamp(own, child.born_ps);
    const bool fits = (now - parent.born_ps) >> 32 == 0; // no part of either can be long
    for (unsigned p = 0; p < kParts; ++p) {
        const unsigned into = p == static_cast<unsigned>(Part::slice) ? static_cast<unsigned>(own) : p;
        if (fits)
            parent.parts_ps[into] += child.parts_ps[p];
        else
            parent.add_part(into, child.part(p));
    }
    parent.stamped_ps = now;
}

void L2Slice::finish(Txn& child) {
    if (child.kind == Kind::atomic) return respond(child, 1); // passed on by this slice: its requester waits for it
    if (child.kind == Kind::fill)
        finish_fill(child);
    else
        finish_write(child);
    child.release();
}

void L2Slice::finish_fill(Txn& child) {
    const unsigned index = child.context;
    Entry& e = entries_[index];
    const bool remote = is_remote(e.line);
    if (!patches_.empty()) patch(child);
    e.arrived |= SectorSet::touched(child.mask);
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
    } else if (!e.stale && (config_.incoming_allocate || !e.home)) {
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

/// Bytes of a fill join what came before, and the record gets all.
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
        if (e.stale) --e.fresh;
        absorb(txn, child);
        respond(txn, config_.fill_cycles);
    }
}

/// Serves a request from the line's bytes; false if it must be tried again from the start.
bool L2Slice::serve_target(Txn& txn, Working& line, const Txn& child) {
    if (txn.kind == Kind::atomic) {
        if (txn.home != socket_) return false;
        perform(txn, line.data);
        line.dirty |= txn.mask;
    } else if (txn.is_write()) {
        if (config_.write_policy == WritePolicy::write_through) return false;
        if (line.data) merge_bytes(line.data, txn.data.data(), txn.mask);
        line.dirty |= txn.mask;
        ++counts_.writes;
    } else if (line.data) {
        std::memcpy(txn.data.data(), line.data, kLineBytes);
    }
    absorb(txn, child);
    respond(txn, config_.fill_cycles);
    return true;
}

void L2Slice::finish_write(Txn& child) {
    const unsigned index = child.context;
    Entry& e = entries_[index];
    if (e.flushing) --flush_writes_;
    if (e.acknowledges) {
        Txn& txn = e.targets.pop();
        absorb(txn, child);
        respond(txn, config_.fill_cycles);
    }
    replay(e.targets);
    release(index);
}

void L2Slice::replay(CountedTxnQueue& targets) {
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

// --- coherence

void L2Slice::ask_flush(Flush flush) {
    if (flushing_) {
        flush_queued_.push_back(std::move(flush));
        return;
    }
    flush_ = std::move(flush);
    flushing_ = true;
    ++counts_.flushes;
    flush_frames_.clear();
    flush_next_ = 0;
    flush_writes_ = 0;
    if (flush_.bytes != 0 || flush_scope() != FlushScope::none) start_flush();
    wake();
}

void L2Slice::start_flush() {
    const bool remote_only = flush_.bytes == 0 && flush_scope() == FlushScope::remote;
    if (flush_.bytes != 0) {
        counts_.invalidated += tags_.sweep(flush_.first, flush_.bytes, flush_frames_);
    } else {
        counts_.invalidated += tags_.count_valid(true) + (remote_only ? 0 : tags_.count_valid(false));
        tags_.sweep(remote_only, flush_frames_);
    }
    // Remote lines first: their homes may be waiting for them.
    std::stable_partition(flush_frames_.begin(), flush_frames_.end(),
                          [this](std::uint32_t f) { return tags_.remote(f); });
    for (Entry& e : entries_) {
        if (e.state == State::idle || !flush_.covers(e.line)) continue;
        if (e.state == State::fill && (!remote_only || is_remote(e.line)) && !e.stale) {
            e.stale = true;
            e.fresh = e.targets.size();
        }
        if (e.state == State::write) {
            e.flushing = true;
            ++flush_writes_;
        }
    }
}

void L2Slice::step_flush() {
    while (flush_next_ < flush_frames_.size()) {
        const std::uint32_t frame = flush_frames_[flush_next_];
        if (tags_.valid(frame) && !flush_.covers(tags_.line_at(frame))) { // another line has taken its place
            ++flush_next_;
            continue;
        }
        if (tags_.valid(frame) && tags_.dirty(frame)) {
            const std::uint64_t line = tags_.line_at(frame);
            const unsigned waiting = pending_.find(line);
            if (waiting != PendingTable::kNone) return; // a fill of a partly written line: it ends first
            const unsigned entry = acquire(line, State::write, kCore);
            if (entry == PendingTable::kNone) return;
            evict(frame, entry);
            ++flush_next_;
            return wake(); // one line a cycle
        }
        tags_.invalidate(frame);
        ++flush_next_;
    }
    if (flush_writes_ != 0) return;
    flushing_ = false;
    const std::function<void()> done = std::move(flush_.done);
    done();
    for (Flush& next : std::exchange(flush_queued_, {})) ask_flush(std::move(next));
}

bool L2Slice::drained() const {
    return free_.size() == entries_.size() && inlets_[kCore].empty() && inlets_[kHome].empty() &&
           replays_[kCore].empty() && replays_[kHome].empty() && responses_[kCore].empty() &&
           responses_[kHome].empty() && to_mem_.empty() && to_link_.empty() && !flushing_;
}

std::string L2Slice::waiting_for() const {
    for (const Entry& e : entries_)
        if (e.state != State::idle)
            return fmt::format("{} entries, the first {} line {:#x} {}", entries_in_use(),
                               e.state == State::fill ? "reading" : "writing", e.line,
                               is_remote(e.line) ? "over the link" : "of its memory");
    if (!inlets_[kCore].empty()) return "its own turn to serve a request of its SMs";
    if (!inlets_[kHome].empty()) return "its own turn to serve a request of another socket";
    if (!responses_[kCore].empty() || !responses_[kHome].empty()) return "room for a response in the crossbar";
    return "";
}

void L2Slice::debug_overlay(std::uint64_t line, unsigned char* out) {
    const int frame = tags_.find(line);
    if (frame < 0) return;
    const auto f = static_cast<unsigned>(frame);
    if (const unsigned char* data = tags_.data(f))
        merge_bytes(out, data, is_remote(line) ? tags_.dirty_mask(f) : tags_.readable_bytes(f));
}

void L2Slice::debug_patch(std::uint64_t address, std::uint64_t word) {
    const std::uint64_t line = address & ~std::uint64_t{kLineBytes - 1};
    const unsigned entry = pending_.find(line);
    if (entry != PendingTable::kNone && entries_[entry].state == State::fill) {
        const SectorSet changed(1U << address % kLineBytes / kSectorBytes);
        if ((entries_[entry].asked & ~entries_[entry].arrived & changed).any()) patches_.push_back({address, word});
        if (!gathered_.empty()) std::memcpy(gathered(entry) + address % kLineBytes, &word, sizeof word);
    }
    const int frame = tags_.find(line);
    if (frame < 0) return;
    if (unsigned char* data = tags_.data(static_cast<unsigned>(frame)))
        std::memcpy(data + address % kLineBytes, &word, sizeof word);
}

/// A line that was read before its memory was changed.
void L2Slice::patch(Txn& child) {
    for (std::size_t i = 0; i < patches_.size();) {
        const Patch& p = patches_[i];
        if (p.address - child.line >= kLineBytes || !child.mask.test(static_cast<unsigned>(p.address - child.line))) {
            ++i;
            continue;
        }
        std::memcpy(&child.data[p.address - child.line], &p.word, sizeof p.word);
        patches_.erase(patches_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

} // namespace numavp
