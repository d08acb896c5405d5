#include "models/mmu/socket_mmu.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

SocketMmu::SocketMmu(sc_core::sc_module_name name, const MmuConfig& config, const Resources& r)
    : sc_module(name), Translator(config), Arbiter(r.domain, {r.socket.value, kRankMmu, 0}), socket_(r.socket),
      source_(r.source), pool_(r.pool), map_(r.map), space_(r.space), table_(r.table), sink_(r.sink), check_(r.check),
      tlb_(config.l2_entries, config.l2_ways), injection_(config.bytes_per_s, r.domain.khz()),
      port_("mem_side", r.domain, {config.wire_depth, Part::sm}, static_cast<RequesterIf&>(*this), 0),
      invalidator_(
          r.table.layout().page_bytes(), [this](std::uint64_t page) { sink_.invalidated(socket_, page); },
          [this] { wake(); }) {
    port_.set_feeder(*this);
    port_.set_consumer();
    look_up_done_.owner = this;
}

SocketMmu::~SocketMmu() = default;

void SocketMmu::connect(TranslationUser& user) {
    users_.push_back(&user);
    serve(user, socket_);
    invalidator_.connect(user);
}

unsigned SocketMmu::serve(TranslationUser& user, SocketId socket) {
    clients_.push_back({&user, socket});
    return static_cast<unsigned>(clients_.size()) - 1;
}

void SocketMmu::share(const std::vector<SocketMmu*>& all, unsigned unit) {
    all[unit]->clients_.clear();
    for (SocketMmu* mmu : all) {
        mmu->unit_ = all[unit];
        mmu->way_ = std::make_unique<MmuWay>(mmu->domain_, Rank{mmu->socket_.value, kRankMmu, 1},
                                             mmu->config_.shared_cycles, mmu->users_);
        mmu->way_->connect(*all[unit], mmu->socket_);
    }
}

// --- look-ups

void SocketMmu::request(unsigned sm, std::uint64_t page, bool write) {
    if (way_) return way_->ask(sm, page, write);
    look_up(sm, page, write);
}

void SocketMmu::asked(unsigned user, std::uint64_t page, bool write) {
    asked_.push_back({user, page, write});
    wake();
}

/// In the order of the clients, whichever way was delivered first.
void SocketMmu::take_asked() {
    std::stable_sort(asked_.begin(), asked_.end(), [](const Asked& a, const Asked& b) { return a.client < b.client; });
    for (const Asked& a : asked_) look_up(a.client, a.page, a.write);
    asked_.clear();
}

void SocketMmu::look_up(unsigned sm, std::uint64_t page, bool write) {
    ++looking_;
    if (config_.mode == TranslationMode::ideal) return missed(sm, page, write);
    if (free_look_ups_.empty()) free_look_ups_.push_back(&look_ups_.emplace_back());
    LookUp& look_up = *free_look_ups_.back();
    free_look_ups_.pop_back();
    look_up.page = page;
    look_up.sm = sm;
    look_up.write = write;
    look_up.handler = &look_up_done_;
    // The next edge at which a port is free; requests take them in the order in which they come.
    if (domain_.now() > port_cycle_) {
        port_cycle_ = domain_.now();
        ports_used_ = 0;
    } else if (ports_used_ == config_.l2_ports) {
        ++port_cycle_;
        ports_used_ = 0;
    }
    ++ports_used_;
    // The answer is the SM's a cycle after it was found.
    const Cycle found = port_cycle_ + config_.l2_cycles - 1;
    if (found > domain_.now())
        domain_.at(found, look_up);
    else
        looked_up(look_up);
}

/// Uses the content of the TLB at the end of the latency: a page that was dropped in the meantime is not found.
void SocketMmu::looked_up(LookUp& look_up) {
    free_look_ups_.push_back(&look_up);
    const Translation* const entry = known(look_up.page, clients_[look_up.sm].socket);
    if (entry != nullptr && !(entry->read_only && look_up.write)) {
        ++counts_.l2_hits;
        --looking_;
        clients_[look_up.sm].user->translated(look_up.page, *entry);
        return;
    }
    ++counts_.l2_misses;
    missed(look_up.sm, look_up.page, look_up.write);
}

namespace {
/// Where the L2 TLB keeps a socket's translation of a page with replicas: as a page of its own, beyond all others.
/// Others are the same for all sockets. Socket 0's has the place of such a one; those of the others lie in other sets.
constexpr std::uint64_t key_of(std::uint64_t page, SocketId reader) {
    return (page ^ reader.value) | std::uint64_t{reader.value} << 52;
}
} // namespace

const Translation* SocketMmu::known(std::uint64_t page, SocketId reader) {
    const Translation* const entry = tlb_.look_up(page);
    if (unit_ == nullptr || !config_.replicates || reader.value == 0) return entry;
    return entry != nullptr && !entry->read_only ? entry : tlb_.look_up(key_of(page, reader));
}

bool SocketMmu::at_once(std::uint64_t page, Translation& entry) { return space_.look_up(page, socket_, entry); }

void SocketMmu::missed(unsigned sm, std::uint64_t page, bool write) {
    --looking_;
    const auto [at, made] = by_page_.try_emplace(page, 0);
    if (!made) {
        ++counts_.merged;
        walks_[at->second].sms.push_back(sm);
        walks_[at->second].writes |= write;
        return;
    }
    if (free_walks_.empty()) {
        free_walks_.push_back(static_cast<unsigned>(walks_.size()));
        walks_.emplace_back();
    }
    at->second = free_walks_.back();
    free_walks_.pop_back();
    Walk& walk = walks_[at->second];
    walk.page = page;
    walk.write = walk.writes = write;
    walk.again = false;
    walk.state = State::queued;
    walk.sms.assign(1, sm);
    queue_.push_back(at->second);
    wake();
}

// --- walks

/// Words and look-ups are taken here and not when they are delivered: so it is the same whichever comes first, and
/// sockets place pages in the order of their ranks.
void SocketMmu::arbitrate() {
    while (!arrived_.empty()) word_came(arrived_.pop());
    for (LookUp* look_up : due_) looked_up(*look_up);
    due_.clear();
    if (!asked_.empty()) take_asked();
    const bool ideal = config_.mode == TranslationMode::ideal;
    while (!queue_.empty() && (ideal || active_ < config_.walkers)) {
        const unsigned walk = queue_.front();
        queue_.pop_front();
        begin(walk);
    }
    while (!to_send_.empty() && port_.ready()) {
        const unsigned walk = to_send_.front();
        to_send_.pop_front();
        send(walk);
    }
    if (room_) ask_held();
    invalidator_.step();
}

void SocketMmu::begin(unsigned number) {
    Walk& walk = walks_[number];
    walk.since_ps = domain_.clockwork().now_ps();
    walk.state = State::walking;
    walk.again = false;
    if (!table_.layout().contains(walk.page))
        return domain_.clockwork().fail(fmt::format("an access to the virtual address {:#x} is beyond the system's "
                                                    "{}-bit addresses",
                                                    walk.page << table_.layout().page_shift(),
                                                    table_.layout().address_bits()));
    if (config_.mode == TranslationMode::ideal) return take_at_once(number);
    ++active_;
    ++counts_.walks;
    counts_.most_walks = std::max<std::uint64_t>(counts_.most_walks, active_);
    from_root(number);
}

void SocketMmu::from_root(unsigned number) {
    Walk& walk = walks_[number];
    walk.state = State::walking;
    walk.again = walk.in_replicas = false;
    if (config_.mode == TranslationMode::ideal) return take_at_once(number);
    walk.level = table_.layout().levels() - 1;
    walk.table = table_.region().root();
    to_send_.push_back(number);
    wake();
}

PhysicalAddress SocketMmu::word_of(const Walk& walk) const {
    if (walk.in_replicas) return walk.table + 8 * PhysicalAddress{reader(walk).value};
    return RadixLayout::word_at(walk.table, walk.level, walk.page);
}

void SocketMmu::send(unsigned number) {
    const Walk& walk = walks_[number];
    const PhysicalAddress word = word_of(walk);
    const auto offset = static_cast<unsigned>(word % kLineBytes);
    const SectorSet read = config_.sectored ? SectorSet(1U << offset / kSectorBytes) : SectorSet::all();
    Txn& txn = pool_.make(Kind::walk, word - offset, read.bytes());
    txn.virtual_line = walk.page << table_.layout().page_shift();
    txn.requester = socket_;
    txn.source = source_;
    txn.tag = number;
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    ++counts_.walk_reads;
    port_.send(txn, injection_.take(domain_.now(), txn.request_bytes));
}

bool SocketMmu::response(unsigned, Txn& txn) {
    arrived_.push(txn);
    wake();
    return true;
}

void SocketMmu::word_came(Txn& txn) {
    const unsigned number = txn.tag;
    Walk& walk = walks_[number];
    if (check_ != nullptr && pool_.functional) compare(txn, walk);
    txn.release();
    if (walk.again) { // what it has read may not hold any more
        ++counts_.restarts;
        from_root(number);
    } else {
        take_word(number);
    }
}

void SocketMmu::compare(const Txn& txn, const Walk& walk) const {
    const PhysicalAddress at = word_of(walk);
    TableWord carried;
    std::memcpy(&carried, &txn.data[at % kLineBytes], sizeof carried);
    ++(carried.bits == table_.memory().read(at).bits ? check_->same : check_->older);
}

void SocketMmu::take_word(unsigned number) {
    Walk& walk = walks_[number];
    for (;;) {
        const TableWord word = table_.memory().read(word_of(walk));
        const bool replicated = word.valid() && walk.level == 0 && word.replicated() && !walk.in_replicas;
        const bool read_only = replicated || (word.valid() && walk.in_replicas);
        if (word.valid() && !(read_only && walk.writes)) {
            if (!sound(walk, word)) return;
            if (walk.level == 0 && !replicated)
                return finish(number, {{word.address() >> kLineShift}, walk.in_replicas});
            walk.in_replicas = replicated;
            walk.table = replicated ? word.replica_at(0) : word.address();
            if (!replicated) --walk.level;
            to_send_.push_back(number);
            return wake();
        }
        if (!ask(number, read_only)) return;
    }
}

void SocketMmu::take_at_once(unsigned number) {
    const Walk& walk = walks_[number];
    for (;;) {
        Translation entry;
        const bool mapped = at_once(walk.page, entry);
        if (mapped && !(entry.read_only && walk.writes)) return finish(number, entry);
        if (!ask(number, mapped)) return;
    }
}

/// A driver may write any word: a table or page that lies in no memory ends the simulation.
bool SocketMmu::sound(const Walk& walk, TableWord word) const {
    const bool place = word.address() >> map_.socket_shift < config_.memories;
    const bool whole = walk.level != 0 || (word.replicated() && !walk.in_replicas) ||
                       word.address() % table_.layout().page_bytes() == 0;
    if (place && whole && word.leaf() == (walk.level == 0)) return true;
    domain_.clockwork().fail(
        fmt::format("the page table's word {:#x} at level {} of the virtual address {:#x} is wrong: {}", word.bits,
                    walk.level, walk.page << table_.layout().page_shift(),
                    !place   ? "no memory has its address"
                    : !whole ? "a page does not begin at its address"
                             : "its leaf bit does not fit the level"));
    return false;
}

/// A page with replicas is somewhere else for each socket: the walk goes on for the others who have asked.
void SocketMmu::finish(unsigned number, Translation entry) {
    Walk& walk = walks_[number];
    const std::uint64_t page = walk.page;
    const SocketId socket = reader(walk);
    std::vector<unsigned> sms = std::exchange(walk.sms, {});
    if (entry.read_only)
        for (const unsigned sm : std::exchange(sms, {})) (clients_[sm].socket == socket ? sms : walk.sms).push_back(sm);
    if (config_.mode == TranslationMode::full)
        tlb_.insert(entry.read_only && unit_ != nullptr ? key_of(page, socket) : page, entry);
    if (walk.sms.empty()) {
        counts_.walk_ps.add(domain_.clockwork().now_ps() - walk.since_ps);
        if (config_.mode == TranslationMode::full) --active_;
        by_page_.erase(page);
        free_walks_.push_back(number);
    } else {
        to_send_.push_back(number);
        wake();
    }
    for (const unsigned sm : sms) clients_[sm].user->translated(page, entry);
    if (!queue_.empty()) wake();
}

// --- pages that move

void SocketMmu::invalidate(const PageInvalidation& invalidation) {
    const std::uint64_t page = invalidation.page;
    ++counts_.invalidations;
    (unit_ != nullptr ? *unit_ : *this).forget(page);
    if (way_) way_->forget(page);
    remote_accesses_.erase(page);
    for (TranslationUser* user : users_) user->forget(page);
    invalidator_.start(invalidation);
}

/// The L2 TLB drops the page, and a walk for it starts over.
void SocketMmu::forget(std::uint64_t page) {
    tlb_.drop(page);
    if (unit_ != nullptr && config_.replicates)
        for (unsigned socket = 1; socket <= clients_.back().socket.value; ++socket)
            tlb_.drop(key_of(page, SocketId(socket)));
    if (const auto at = by_page_.find(page); at != by_page_.end() && walks_[at->second].state == State::walking)
        walks_[at->second].again = true;
}

void SocketMmu::sent_remote(std::uint64_t page) {
    if (config_.note_threshold == 0) return;
    if (++remote_accesses_[page] < config_.note_threshold) return;
    remote_accesses_.erase(page);
    ++counts_.notes;
    sink_.access_note(socket_, page);
}

} // namespace numavp
