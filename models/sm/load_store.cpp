#include "models/sm/load_store.h"

#include <algorithm>

#include "models/sm/atomic_packets.h"
#include "models/sm/shared_banks.h"
#include "tlm-links/protocol/access_log.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

LoadStore::LoadStore(const L1Config& config, const Resources& r)
    : socket_(r.socket), sm_(r.sm), queue_(config.queue_depth), domain_(r.domain), pool_(r.pool), map_(r.map),
      pages_(r.pages), hooks_(r.hooks), latencies_(r.latencies), client_(r.client), config_(config),
      injection_(config.store_bytes_per_s, r.domain.khz()), tags_(config.sets(), config.ways, r.pool.functional),
      pending_(config.miss_entries), entries_(config.miss_entries),
      port_("mem_side", r.domain, {config.wire_depth, Part::sm}, static_cast<RequesterIf&>(*this), 0) {
    for (unsigned i = config.miss_entries; i-- > 0;) free_entries_.push_back(static_cast<std::uint16_t>(i));
    if (config.bypass_cycles == 0) config_.bypass_cycles = config.miss_cycles;
    if (config.partitioned) tags_.set_local_ways(config.ways - config.ways / 2);
    port_.set_feeder(r.arbiter);
    port_.set_consumer(InitiatorPort::Reads::payload_and_tag);
}

unsigned LoadStore::new_load(const Inst& inst, const Issuer& issuer) {
    if (free_loads_.empty()) {
        free_loads_.push_back(static_cast<unsigned>(loads_.size()));
        loads_.emplace_back();
    }
    const unsigned index = free_loads_.back();
    free_loads_.pop_back();
    Load& l = loads_[index];
    l.issuer = issuer;
    ++issuer.traffic->outstanding; // until its last line is there, which may come with another kernel's record
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
    op.cookie = inst.cookie;
    op.issuer = issuer;
    if (op.count != 0) {
        const std::uint64_t page = pages_.page_of(op.lines[0].line_address >> kLineShift);
        if (cached_page(page).page != page) pages_.prefetch(page);
        if (queued_ == 1) look_ahead();
    }
    ++issuer.traffic->outstanding; // the instruction itself, until it has made all its accesses
    counts_.instructions += op.count != 0;
    if (inst.op == Op::load || inst.op == Op::atomic || inst.op == Op::shared) op.load = new_load(inst, issuer);
    return inst.op == Op::load ? 0 : op.count;
}

/// A cycle of shared memory's banks for the head of the queue. True: its last.
bool LoadStore::step_banks(Operation& op) {
    if (--op.cycles != 0) return false;
    made(op);
    leave_queue();
    return true;
}

bool LoadStore::step() {
    if (translating_) return step_translating();
    if (refused_at_ == domain_.now()) --counts_.stalls; // this step decides
    if (refuses()) {                                    // counted as the attempt that it stands for
        ++counts_.stalls;
        return false;
    }
    blocked_ = on_port_ = settled_ = false;
    if (queued_ > 1) __builtin_prefetch(&queue_[head_ + 1 < config_.queue_depth ? head_ + 1 : 0]); // for look_ahead()
    unsigned ended = 0;
    for (unsigned budget = config_.lines_per_cycle; queued_ != 0; --budget) {
        Operation& op = queue_[head_];
        if (op.op == Op::shared) {
            step_banks(op);
            break;
        }
        if (op.next < op.count) {
            if (budget == 0) break;
            if (!access(op, op.lines[op.next])) {
                ++counts_.stalls;
                blocked_ = settled_ = true;
                return false; // whoever frees what it waits for steps it again
            }
            ++op.next;
        }
        if (op.next < op.count) {
            if (budget == 1) break;
            continue;
        }
        made(op);
        leave_queue();
        if (budget <= 1 || ++ended == config_.instructions_per_cycle) break;
    }
    look_ahead();
    return queued_ != 0;
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

inline std::uint64_t LoadStore::translate(std::uint64_t virtual_line, bool& failed) {
    const std::uint64_t number = virtual_line >> kLineShift;
    const std::uint64_t page = pages_.page_of(number);
    CachedPage& cached = cached_pages_[page % cached_pages_.size()];
    if (cached.page != page) {
        const PageEntry entry = pages_.entry(page, socket_, failed);
        if (failed) return 0;
        cached = {page, {entry}};
    }
    return pages_.address(cached.entry, number);
}

void LoadStore::name_ahead() {
    ahead_tags_ = tags_.first_touched(ahead_);
    ahead_pending_ = pending_.first_touched(ahead_);
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
    name_ahead();
    pending_.prefetch(ahead_);
    tags_.prefetch(ahead_);
}

inline bool LoadStore::access(Operation& op, const LineAccess& line) {
    bool failed = false;
    if (op.op == Op::load) __builtin_prefetch(&loads_[op.load], 1); // it may have waited
    const std::uint64_t physical = ahead_ != kNever ? ahead_ : translate(line.line_address, failed);
    if (failed) {
        client_.no_place(*op.issuer.traffic);
        return false;
    }
    const bool made = op.op == Op::load ? load(op, physical, line) : write(op, physical, line);
    const bool named = ahead_ != kNever;
    ahead_ = made ? kNever : physical;
    if (!made) {
        if (!named) name_ahead();
        return false;
    }
    const unsigned sectors = line.mask.sectors();
    counts_.sectors += sectors;
    if (op.op != Op::load) counts_.store_sectors += sectors;
    return true;
}

bool LoadStore::load(Operation& op, std::uint64_t physical, const LineAccess& line) {
    const int frame = op.bypass ? -1 : tags_.find(physical);
    SectorSet missing = sectors_of(line.mask);
    if (frame >= 0) missing = missing & ~tags_.sectors(static_cast<unsigned>(frame));
    SectorSet ask = missing;
    unsigned first = PendingTable::kNone;
    if (missing.any()) {
        first = pending_.find(physical);
        if (!mergeable(first, missing, ask)) return false;
        on_port_ = ask.any() && !port_.ready();
        if (ask.any() && (on_port_ || free_entries_.empty())) return false;
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
    merge(first, op, line, missing);
    if (!ask.any()) {
        ++counts_.merged;
        return true;
    }
    const unsigned index = new_entry(first, physical, ask);
    Entry& e = entries_[index];
    e.keep = !op.bypass;
    e.first_load = op.load;
    e.first_mask = line.mask & ask.bytes();
    ++loads_[op.load].waiting;
    Txn& txn = pool_.make(Kind::load, physical, ask.bytes());
    txn.context = static_cast<std::uint16_t>(index);
    txn.read_only = op.read_only;
    txn.load = op.load;
    txn.tag = op.issuer.warp;
    send(txn, line.line_address, op, op.bypass);
    ++(txn.is_remote() ? counts_.misses_remote : counts_.misses_local);
    if (op.unmapped_ps != kNever)
        latencies_[txn.is_remote()].translation_ps += domain_.clockwork().now_ps() - op.unmapped_ps;
    return true;
}

// Of these three, `first` is the first entry of the line.

/// Whether a load may wait for those of the sectors that are on their way; `ask` loses them.
inline bool LoadStore::mergeable(unsigned first, SectorSet missing, SectorSet& ask) const {
    for (unsigned i = first; i != PendingTable::kNone; i = entries_[i].next) {
        const Entry& e = entries_[i];
        const SectorSet shared = e.sectors & missing;
        if (!shared.any()) continue;
        if ((e.stale & shared).any() || e.waiting >= config_.merges) return false;
        ask = ask & ~shared;
    }
    return true;
}

inline void LoadStore::merge(unsigned first, const Operation& op, const LineAccess& line, SectorSet missing) {
    for (unsigned i = first; i != PendingTable::kNone; i = entries_[i].next) {
        Entry& e = entries_[i];
        const SectorSet shared = e.sectors & missing;
        if (!shared.any()) continue;
        e.others.push_back({op.load, line.mask & shared.bytes()});
        ++e.waiting;
        ++loads_[op.load].waiting;
    }
}

inline unsigned LoadStore::new_entry(unsigned first, std::uint64_t physical, SectorSet sectors) {
    const unsigned index = free_entries_.back();
    free_entries_.pop_back();
    Entry& e = entries_[index];
    e.line = physical;
    e.sectors = sectors;
    e.stale = SectorSet();
    e.waiting = 1;
    e.next = PendingTable::kNone;
    if (first == PendingTable::kNone) {
        pending_.insert(physical, index);
    } else {
        e.next = entries_[first].next;
        entries_[first].next = index;
    }
    return index;
}

/// Takes an entry out of those of its line.
void LoadStore::unlink(unsigned index) {
    const Entry& e = entries_[index];
    unsigned before = pending_.find(e.line);
    if (before == index) {
        pending_.erase(e.line);
        if (e.next != PendingTable::kNone) pending_.insert(e.line, e.next);
        return;
    }
    while (entries_[before].next != index) before = entries_[before].next;
    entries_[before].next = e.next;
}

bool LoadStore::write(Operation& op, std::uint64_t physical, const LineAccess& line) {
    on_port_ = !port_.ready();
    if (on_port_) return false;
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
    for (unsigned i = pending_.find(physical); i != PendingTable::kNone; i = entries_[i].next)
        entries_[i].stale |= entries_[i].sectors & written;
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
    txn.source = static_cast<std::uint16_t>(sm_);
    txn.traffic = issuer.traffic;
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    if (__builtin_expect(--pool_.until_followed == 0, 0)) follow(txn, virtual_line, op);
    ++issuer.traffic->outstanding;
    txn.epoch = epoch_;
    ++in_flight_[epoch_];
    const unsigned delay = past_l1 ? config_.bypass_cycles : config_.miss_cycles;
    last_sent_ = std::max(last_sent_, injection_.take(domain_.now(), txn.request_bytes) + delay);
    port_.send(txn, last_sent_);
}

} // namespace numavp
