#include "models/sm/load_store.h"

#include <algorithm>

#include "models/sm/atomic_packets.h"
#include "models/sm/shared_banks.h"
#include "tlm-links/protocol/access_log.h"
#include "tlm-links/protocol/flag_board.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

LoadStore::LoadStore(const L1Config& config, const Resources& r)
    : injection_(config.store_bytes_per_s, r.domain.khz()), socket_(r.socket), sm_(static_cast<std::uint16_t>(r.sm)),
      shard_(static_cast<std::uint16_t>(r.domain.shard())), queue_(config.queue_depth), domain_(r.domain),
      pool_(r.pool), map_(r.map), pages_(r.pages), hooks_(r.hooks), latencies_(r.latencies), client_(r.client),
      config_(config), tags_(config.sets(), config.ways, r.pool.functional),
      reads_(config.miss_entries, config.merges, tags_),
      port_("mem_side", r.domain, {config.wire_depth, Part::sm}, static_cast<RequesterIf&>(*this), 0) {
    if (config.bypass_cycles == 0) config_.bypass_cycles = config.miss_cycles;
    if (config.partitioned) tags_.set_local_ways(config.ways - config.ways / 2);
    port_.set_feeder(r.arbiter);
    port_.set_consumer();
}

unsigned LoadStore::new_load(const Inst& inst, const Issuer& issuer) {
    unsigned index = free_loads_;
    if (index == kNowhere) {
        index = static_cast<unsigned>(loads_.size());
        loads_.emplace_back().next_free = kNowhere;
    }
    Load& l = loads_[index];
    free_loads_ = static_cast<unsigned>(l.next_free);
    l.warp = static_cast<std::uint8_t>(issuer.warp);
    l.generation = issuer.generation;
    l.traffic = issuer.traffic;
    ++issuer.traffic->outstanding(shard_); // until its last line is there, which may come with another kernel's record
    l.cookie = inst.cookie;
    l.ready = 0;
    l.waiting = 1;
    l.reg = inst.dst;
    return index;
}

unsigned LoadStore::push(const Inst& inst, const Issuer& issuer) {
    const unsigned place = head_ + queued_;
    Operation& op = queue_[place < config_.queue_depth ? place : place - config_.queue_depth];
    ++queued_;
    const bool serial = config_.serial_atomics && (inst.op == Op::atomic || inst.op == Op::reduce);
    if (inst.op == Op::shared) {
        op.count = 0;
        op.cycles = inst.repeat * shared_cycles(inst, config_.shared_banks);
    } else {
        op.count = serial ? serialise_atomic(inst, op.lines.data()) : coalesce(inst, op.lines.data());
        op.cycles = 0;
    }
    op.next = 0;
    op.op = inst.op;
    op.bypass = inst.bypass_l1;
    op.read_only = inst.read_only;
    op.signals = inst.signals;
    if (hooks_) op.cookie = inst.cookie;
    op.issuer = issuer;
    if (op.count != 0) {
        const std::uint64_t page = pages_.page_of(op.lines[0].line_address >> kLineShift);
        if (cached_page(page).page != page) pages_.prefetch(page);
        if (queued_ == 1) look_ahead();
    }
    ++issuer.traffic->outstanding(shard_); // the instruction itself, until it has made all its accesses
    counts_.instructions += op.count != 0;
    if (inst.op == Op::load || inst.op == Op::atomic || inst.op == Op::shared) op.load = new_load(inst, issuer);
    return inst.op == Op::load ? 0 : op.count;
}

// --- the pipeline: an operation, its next line's page, the look-up, the wire

/// One cycle's look-ups. Operations whose translations have come go before the queue.
bool LoadStore::step() {
    if (refused_at_ == domain_.now()) --counts_.stalls; // this step decides
    if (refuses()) {                                    // counted as the attempt that it stands for
        ++counts_.stalls;
        return false;
    }
    blocked_ = on_port_ = settled_ = on_pages_ = false;
    if (queued_ > 1) __builtin_prefetch(&queue_[head_ + 1 < config_.queue_depth ? head_ + 1 : 0]); // for look_ahead()
    unsigned may_end = config_.instructions_per_cycle;                                             // 0: any number
    for (unsigned budget = config_.lines_per_cycle; budget != 0; --budget) {
        const Outcome outcome = replays_ != 0 ? try_translated() : try_head();
        if (outcome == Outcome::blocked || (outcome == Outcome::all && --may_end == 0)) break;
    }
    if (blocked_) return false; // whoever frees what it waits for steps it again
    if (!translating_) look_ahead();
    return (queued_ | replays_) != 0;
}

inline LoadStore::Outcome LoadStore::try_head() {
    if (queued_ == 0) return Outcome::blocked;
    Operation& op = queue_[head_];
    if (op.op == Op::shared) { // needs no page, and the banks for the rest of this cycle
        step_banks(op);
        return Outcome::blocked;
    }
    const bool waits_behind = translating_ && behind(op);
    const Outcome outcome = waits_behind ? Outcome::unmapped : attempt(op, kNowhere);
    if (outcome == Outcome::unmapped) {
        if (translating_) return wait_for_page(op, waits_behind);
        client_.no_place(*op.issuer.traffic);
        return refuse();
    }
    if (outcome == Outcome::all) {
        made(op);
        tell_made(op.issuer);
        leave_queue();
    }
    return outcome;
}

/// Tries an operation's next line. `place`: where it waited for its page, kNowhere: it did not.
LoadStore::Outcome LoadStore::attempt(Operation& op, unsigned place) {
    if (op.next == op.count) return Outcome::all;
    const LineAccess& line = op.lines[op.next];
    if (op.op == Op::load) __builtin_prefetch(&loads_[op.load], 1); // it may have waited
    const bool named = !translating_ && ahead_ != kNever;
    const std::uint64_t physical = named          ? ahead_
                                   : translating_ ? find_translated(op, line.line_address, place)
                                                  : translate(line.line_address);
    if (physical == kNever) return Outcome::unmapped;
    const std::uint64_t sent = in_flight_[epoch_];
    if (!(op.op == Op::load ? load(op, physical, line) : write(op, physical, line))) {
        if (!named) {
            ahead_ = physical;
            ahead_tags_ = tags_.first_touched(physical);
        }
        return refuse();
    }
    ahead_ = kNever;
    const unsigned sectors = line.mask.sectors();
    counts_.sectors += sectors;
    if (op.op != Op::load) counts_.store_sectors += sectors;
    if (translating_)
        count_translated(line.line_address, in_flight_[epoch_] != sent && map_.home_of(physical) != socket_);
    return ++op.next == op.count ? Outcome::all : Outcome::more;
}

/// What is first can't go on.
inline LoadStore::Outcome LoadStore::refuse() {
    ++counts_.stalls;
    blocked_ = true;
    settled_ = !translating_; // pages come and go beside it
    return Outcome::blocked;
}

/// A cycle of shared memory's banks for the head of the queue.
void LoadStore::step_banks(Operation& op) {
    if (--op.cycles != 0) return;
    const Issuer issuer = op.issuer;
    made(op);
    leave_queue();
    tell_made(issuer);
}

/// All accesses of an instruction have been made.
void LoadStore::made(const Operation& op) {
    if (op.op == Op::load || op.op == Op::atomic) line_arrived(op.load, domain_.now() + config_.hit_cycles);
    if (op.op == Op::shared) line_arrived(op.load, domain_.now() + config_.shared_cycles);
    left(op.issuer.traffic);
}

void LoadStore::leave_queue() {
    head_ = head_ + 1 < config_.queue_depth ? head_ + 1 : 0;
    --queued_;
    client_.unit_ready();
}

/// Physical line by the page table; kNever: its page has no place.
inline std::uint64_t LoadStore::translate(std::uint64_t virtual_line) {
    const std::uint64_t number = virtual_line >> kLineShift;
    const std::uint64_t page = pages_.page_of(number);
    CachedPage& cached = cached_pages_[page % cached_pages_.size()];
    if (cached.page != page) {
        bool failed = false;
        const PageEntry entry = pages_.entry(page, socket_, failed);
        if (failed) return kNever;
        cached = {page, {entry}};
    }
    return pages_.address(cached.entry, number);
}

/// Fetches what the next look-up will touch, if its page has been met before.
void LoadStore::look_ahead() {
    ahead_ = kNever;
    if (queued_ == 0) return;
    const Operation& op = queue_[head_];
    if (op.next >= op.count) return;
    const std::uint64_t number = op.lines[op.next].line_address >> kLineShift;
    const std::uint64_t page = pages_.page_of(number);
    const CachedPage& cached = cached_page(page);
    if (cached.page != page) return;
    ahead_ = pages_.address(cached.entry, number);
    ahead_tags_ = tags_.first_touched(ahead_);
    tags_.prefetch(ahead_);
}

bool LoadStore::load(Operation& op, std::uint64_t physical, const LineAccess& line) {
    const int frame = op.bypass ? -1 : tags_.find(physical);
    SectorSet missing = sectors_of(line.mask);
    if (frame >= 0) missing = missing & ~tags_.sectors(static_cast<unsigned>(frame));
    SectorSet ask = missing;
    unsigned first = L1Reads::kNone; // entry of the line
    if (missing.any()) {
        first = reads_.find(physical);
        if (!reads_.mergeable(first, missing, ask)) return false;
        on_port_ = ask.any() && !port_.ready();
        if (ask.any() && (on_port_ || reads_.full())) return false;
    }
    ++counts_.load_lines;
    if (frame >= 0) {
        const auto f = static_cast<unsigned>(frame);
        const ByteMask here = line.mask & ~missing.bytes();
        tags_.touch(f);
        if (hooks_ && here.any()) hooks_->consume(op.cookie, line.line_address, here, tags_.data(f));
    }
    if (!missing.any()) {
        ++counts_.hits;
        counts_.hit_sectors += line.mask.sectors();
        loads_[op.load].ready = domain_.now() + config_.hit_cycles;
        return true;
    }
    const unsigned joined = reads_.merge(first, op.load, line.mask, missing);
    Load& waiter = loads_[op.load];
    waiter.waiting = static_cast<std::uint16_t>(waiter.waiting + joined + (ask.any() ? 1 : 0));
    if (!ask.any()) {
        ++counts_.merged;
        return true;
    }
    const unsigned index = reads_.begin(physical, ask, !op.bypass, {op.load, line.mask & ask.bytes()});
    Txn& txn = pool_.make(Kind::load, physical, ask.bytes());
    txn.context = static_cast<std::uint16_t>(index);
    txn.read_only = op.read_only;
    txn.load = op.load;
    txn.tag = op.issuer.warp;
    send(txn, line.line_address, op, op.bypass);
    ++(txn.is_remote() ? counts_.misses_remote : counts_.misses_local);
    if (translating_ && op.unmapped_ps != kNever)
        latencies_[txn.is_remote()].translation_ps += domain_.clockwork().now_ps() - op.unmapped_ps;
    return true;
}

bool LoadStore::write(Operation& op, std::uint64_t physical, const LineAccess& line) {
    on_port_ = !port_.ready();
    if (on_port_) return false;
    if (__builtin_expect(op.signals, 0)) pool_.flags->declare(physical);
    const bool store = op.op == Op::store;
    Txn& txn = pool_.make(store ? Kind::store : Kind::atomic, physical, line.mask);
    txn.no_return = op.op == Op::reduce;
    txn.tag = op.issuer.generation;
    if (op.op == Op::atomic) {
        txn.load = op.load;
        ++loads_[op.load].waiting;
    }
    if (hooks_) {
        txn.cookie = op.cookie;
        auto& bytes = store ? txn.data : txn.atomic().operand;
        hooks_->produce(op.cookie, line.line_address, line.mask, bytes.data());
    }
    txn.context = static_cast<std::uint16_t>(op.issuer.warp);
    ++(store ? counts_.store_lines : counts_.atomic_lines);
    const SectorSet written = sectors_of(line.mask);
    reads_.written(physical, written);
    const int frame = tags_.find(physical);
    if (frame >= 0) {
        const auto f = static_cast<unsigned>(frame);
        if (!store)
            tags_.drop(f, written);
        else if (unsigned char* data = tags_.data(f))
            for (unsigned i = 0; i < kLineBytes; ++i)
                if (line.mask.test(i)) data[i] = txn.data[i];
    }
    send(txn, line.line_address, op, !store);
    return true;
}

/// From now on `txn` reports its hops.
[[gnu::cold, gnu::noinline]] void LoadStore::follow(Txn& txn, std::uint64_t virtual_line, const Operation& op) {
    txn.virtual_line = virtual_line;
    pool_.until_followed = pool_.accesses->every();
    const bool waited = op.unmapped_ps != kNever;
    pool_.accesses->begin(txn, waited ? op.unmapped_ps : txn.born_ps);
    txn.trail->waited(port_.place(), txn.born_ps, Waited::translation);
    const Cycle free_at = std::max(domain_.now(), injection_.free_at());
    txn.trail->waited(port_.place(), domain_.edge_ps(free_at), Waited::sm_port);
}

void LoadStore::send(Txn& txn, std::uint64_t virtual_line, const Operation& op, bool past_l1) {
    const Issuer& issuer = op.issuer;
    if (hooks_) txn.virtual_line = virtual_line; // else its line of the record is not touched
    txn.requester = socket_;
    txn.source = sm_;
    txn.traffic = issuer.traffic;
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    if (__builtin_expect(--pool_.until_followed == 0, 0)) follow(txn, virtual_line, op);
    ++issuer.traffic->outstanding(shard_);
    txn.epoch = epoch_;
    ++in_flight_[epoch_];
    const unsigned delay = past_l1 ? config_.bypass_cycles : config_.miss_cycles;
    last_sent_ = std::max(last_sent_, injection_.take(domain_.now(), txn.request_bytes) + delay);
    port_.send(txn, last_sent_);
}

} // namespace numavp
