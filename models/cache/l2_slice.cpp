#include "models/cache/l2_slice.h"

#include <cstring>

#include "base/values/units.h"
#include "models/cache/merge_bytes.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

L2Slice::L2Slice(sc_core::sc_module_name name, const L2Config& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, r.rank), part_(r.part),
      paced_(config.write_cycles != 0.0 || config.atomic_cycles != 0.0), socket_(r.socket),
      index_(static_cast<std::uint16_t>(r.index)), inlets_{Inlet(config.queue_depth + config.lookup_cycles),
                                                           Inlet(config.queue_depth + config.lookup_cycles)},
      pool_(r.pool), map_(r.map),
      fetched_sectors_(config.fetch_bytes > kSectorBytes ? config.fetch_bytes / kSectorBytes : 1),
      config_(config), data_{BandwidthServer(bytes_per_s(config.bytes_per_cycle, r.domain.khz()), r.domain.khz()),
                             BandwidthServer(bytes_per_s(config.bytes_per_cycle, r.domain.khz()), r.domain.khz())},
      table_(config, r.has_link, r.pool.functional) {
    static_assert(sizeof(Entry) == 64, "what has come touches one cache line of its entry");
    auto& responder = static_cast<ResponderIf&>(*this);
    auto& requester = static_cast<RequesterIf&>(*this);
    ports_[kCore] =
        std::make_unique<TargetPort>("core_side", domain_, WireSpec{config.wire_depth, r.part}, responder, kCore);
    ports_[kCore]->set_feeder(*this);
    if (r.has_memory) {
        mem_ = std::make_unique<InitiatorPort>("mem_side", domain_, WireSpec{config.wire_depth, r.part}, requester,
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
    if (config.has_directory() && r.has_link) copies_ = std::make_unique<CopyCoherence>(config);
    if (config.partial_lines != 0) partial_ = std::make_unique<PartialLines>(config.partial_lines);
    if (config.set_index == SetIndex::even) table_.tags().spread_evenly(r.map.slicing_of(r.socket));
}

L2Slice::~L2Slice() = default;

// --- arrivals

// Arrivals are processed in this edge's second pass; the memory that this touches is prefetched now. Those from memory
// come first then: the order in which the two wires delivered does not matter.

/// Fetches what the look-up of a side's first request will touch, and names it.
inline void L2Slice::name_first(Side side) {
    const Txn& next = inlets_[side].front();
    table_.prefetch(next.line);
    touches_.expect(kFirst, static_cast<const Node*>(&next));
    touches_.expect(kFirstPlace, inlets_[side].first_touched());
    touches_.expect(kFirstTags, table_.first_tags(next.line));
}

bool L2Slice::request(unsigned port, Txn& txn) {
    const bool first = inlets_[port].empty(); // else the request before it will name it
    if (config_.lookup_cycles != 0) {
        txn.departs = domain_.now() + config_.lookup_cycles;
        wake_at(txn.departs);
    } else {
        wake();
    }
    const bool room = inlets_[port].arrive(txn);
    if (first) name_first(static_cast<Side>(port));
    return room;
}

bool L2Slice::response(unsigned port, Txn& txn) {
    if (txn.kind != Kind::atomic) {
        __builtin_prefetch(&table_[txn.context], 1);
        table_.prefetch(txn.line);
        touches_.expect(kArrivedEntry, &table_[txn.context]);
        touches_.expect(kArrivedTags, table_.first_tags(txn.line));
        if (txn.kind == Kind::fill && txn.parent != nullptr) txn.parent->prefetch();
    }
    arrived_[port].push(txn);
    wake();
    return true;
}

void L2Slice::arbitrate() {
    for (TxnQueue& arrived : arrived_) {
        if (arrived.empty()) continue;
        while (!arrived.empty()) finish(arrived.pop());
        touches_.forget(kArrivedEntry, kArrivedTags);
    }
    if (!responses_[kCore].empty() || !responses_[kHome].empty()) drain_responses();
    while (!to_mem_.empty() && mem_->ready()) send_queued(to_mem_, *mem_);
    while (!to_link_.empty() && link_->ready()) send_queued(to_link_, *link_);
    if (copies_) send_recall();
    if (flush_.running()) {
        unsettle();
        step_flush();
    }
    if (paced_ && free_at_.after(domain_.now())) return wake_at(free_at_.edge());
    // One request a cycle; the sides take turns, and a side that can't go on does not hold up the other.
    const Side first = home_turn_ ? kHome : kCore;
    const Side second = home_turn_ ? kCore : kHome;
    const bool served_first = has_work(first) && serve_side(first);
    if (!served_first && !(has_work(second) && serve_side(second))) return; // woken by what frees an entry or a wire
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

/// Of a side that has work; true if a request was taken.
inline bool L2Slice::serve_side(Side side) {
    const bool again = !replays_[side].empty();
    if (!again && in_pipeline(side)) return false;
    // A response may be due at once: there must be room for it.
    if (responses_[side].size() >= config_.queue_depth) return false;
    if (settled(side)) { // counted as the attempt that it stands for
        ++counts_.stalls;
        return false;
    }
    // Taken off first: an access puts the record into other queues.
    Txn& txn = again ? replays_[side].pop() : inlets_[side].pop();
    if (__builtin_expect(txn.followed, 0)) follow_look_up(txn);
    const double busy = again || !paced_ ? 0.0 : cycles_of_writing(txn);
    if (!access(txn)) {
        ++counts_.stalls;
        if (__builtin_expect(txn.followed, 0)) txn.trail->blame(held_up_);
        if (again)
            replays_[side].push_front(txn);
        else
            inlets_[side].unpop(txn);
        if (!copies_ && !partial_ && !txn.followed) settled_[side] = tags().set_of(txn.line);
        return false;
    }
    unsettle();
    if (!inlets_[side].empty())
        name_first(side);
    else
        touches_.forget(kFirst, kFirstPlace, kFirstTags);
    if (busy != 0.0) free_at_.take(domain_.now(), busy);
    if (!again)
        if (Txn* next = inlets_[side].admit()) ports_[side]->end_request(*next, domain_.now() + 1);
    return true;
}

/// How long what a request writes keeps the slice from the next one; 0: no longer than its own cycle.
inline double L2Slice::cycles_of_writing(const Txn& txn) const {
    if (txn.is_write()) return passes_on(txn) ? 0.0 : config_.write_cycles * txn.sectors();
    const bool performed_here = txn.kind == Kind::atomic && txn.home == socket_;
    return performed_here ? config_.atomic_cycles * txn.sectors() : 0.0;
}

void L2Slice::count(Txn& txn, std::uint64_t SliceCounts::Class::*what) {
    const bool passed_on = txn.kind == Kind::atomic && txn.home != socket_; // its home counts it
    if (txn.counted || txn.is_write() || passed_on) return;
    txn.counted = true;
    SliceCounts::Class& counts =
        side_of(txn) == kHome ? counts_.incoming : (txn.home == socket_ ? counts_.local : counts_.remote);
    ++(counts.*what);
    if (what != &SliceCounts::Class::misses) counts_.hit_sectors += txn.sectors();
}

inline bool L2Slice::access(Txn& txn) {
    if (__builtin_expect(txn.kind == Kind::recall, 0)) return recalled(txn);
    const unsigned entry = table_.pending(txn.line);
    if (entry != kNone && !passes(table_[entry], txn)) return wait_in(entry, txn);
    if (txn.kind == Kind::atomic) return atomic(txn);
    return txn.is_write() ? write(txn) : read(txn);
}

/// Other sectors of the line are on their way, and this request needs none of them.
inline bool L2Slice::passes(const Entry& e, const Txn& txn) const {
    if (!config_.sectored || !e.open()) return false;
    const int frame = tags().find(txn.line);
    if (frame < 0 || !e.lets_by(request_of(txn))) return false;
    return txn.is_write() || tags().readable(static_cast<unsigned>(frame), txn.bytes());
}

inline bool L2Slice::wait_in(unsigned index, Txn& txn) {
    Entry& e = table_[index];
    if (e.targets.size() >= config_.merges) return held_up(Waited::merges);
    const bool asks = config_.sectored && e.open() && !txn.is_write() &&
                      (txn.kind != Kind::atomic || txn.home == socket_) && ask(index, txn);
    e.targets.push(txn);
    if (config_.sectored) e.wait(request_of(txn));
    if (__builtin_expect(txn.followed, 0) && !asks) follow_wait(txn, e);
    count(txn, asks ? &SliceCounts::Class::misses : &SliceCounts::Class::merged);
    return true;
}

inline bool L2Slice::read(Txn& txn) {
    TagArray& tags = table_.tags();
    const int frame = tags.find(txn.line);
    if (frame < 0 || !tags.readable(static_cast<unsigned>(frame), txn.bytes())) return fetch(txn);
    count(txn, &SliceCounts::Class::hits);
    tags.touch(static_cast<unsigned>(frame));
    if (const unsigned char* data = tags.data(static_cast<unsigned>(frame)))
        std::memcpy(txn.data.data(), data, kLineBytes);
    lend(txn);
    respond(txn, config_.hit_cycles);
    return true;
}

bool L2Slice::fetch(Txn& txn) {
    const unsigned entry = table_.acquire(txn.line, State::fill, side_of(txn) == kHome);
    if (entry == kNone) return held_up(Waited::entry);
    count(txn, &SliceCounts::Class::misses);
    ask(entry, txn);
    table_[entry].targets.push(txn);
    if (config_.sectored) table_[entry].wait(request_of(txn));
    return true;
}

/// Sends a fill for the sectors that the request needs and no fill has asked for; false if there are none.
bool L2Slice::ask(unsigned index, Txn& txn) {
    Entry& e = table_[index];
    SectorSet wanted = SectorSet::all();
    if (config_.sectored) {
        wanted = txn.touched() & ~e.asked;
        wanted = wanted & ~table_.take_from_frame(index, wanted);
        if (!wanted.any()) return false;
        if (fetched_sectors_ != 1 && !is_remote(txn.line)) wanted |= neighbours(e, wanted);
    }
    e.ask(wanted);
    ++counts_.fills;
    Txn& child = pool_.make(Kind::fill, txn.line, wanted.bytes());
    counts_.fill_sectors += child.sectors();
    child.context = static_cast<std::uint16_t>(index);
    child.read_only = txn.read_only;
    child.parent = &txn;
    if (__builtin_expect(txn.followed, 0)) follow_child(child, txn, e);
    send_child(child, config_.miss_cycles);
    return true;
}

/// Sectors that memory reads with those of a fill, and that are neither here nor on their way.
SectorSet L2Slice::neighbours(const Entry& e, SectorSet wanted) const {
    SectorSet more = SectorSet::all();
    if (fetched_sectors_ != kLineSectors) // pairs
        more = SectorSet(((wanted.bits & 3U) != 0 ? 3U : 0U) | ((wanted.bits & 12U) != 0 ? 12U : 0U));
    return more & table_.absent(e);
}

// --- child records

/// Writes the dirty bytes of a frame to their home and frees the frame.
void L2Slice::evict(unsigned frame, unsigned entry) {
    TagArray& tags = table_.tags();
    const unsigned char* data = tags.data(frame);
    start_write(entry, tags.dirty_mask(frame), data);
    tags.invalidate(frame);
}

void L2Slice::start_write(unsigned entry, ByteMask mask, const unsigned char* data) {
    Entry& e = table_[entry];
    e.state = State::write;
    Txn& child = pool_.make(Kind::write, e.line, mask);
    if (pool_.functional && data) std::memcpy(child.data.data(), data, kLineBytes);
    child.context = static_cast<std::uint16_t>(entry);
    flush_.write_begins(e);
    ++(is_remote(e.line) ? counts_.written_remote : counts_.written_local);
    if (e.stores != 0 && e.targets.front().followed) follow_child(child, e.targets.front(), e);
    send_child(child, config_.miss_cycles);
}

void L2Slice::send_child(Txn& child, unsigned delay) {
    child.requester = socket_;
    child.source = index_;
    map_.resolve(child);
    child.start(domain_.clockwork().now_ps());
    const bool remote = child.home != socket_;
    if (remote && child.kind == Kind::fill) {
        ++counts_.outgoing_reads;
        counts_.outgoing_bytes += child.response_bytes;
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
    unsettle(); // an atomic may have waited for the queue to be empty
    Txn& txn = queue.pop();
    if (__builtin_expect(txn.followed, 0)) txn.trail->waited(port.place(), domain_.clockwork().now_ps(), Waited::room);
    port.send(txn, domain_.now() + config_.miss_cycles);
}

} // namespace numavp
