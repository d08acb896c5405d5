/// A load-store unit whose pages come from the socket's MMU: its L1 TLB, and instructions that wait for translations.
#include "models/mmu/tlb.h"
#include "models/mmu/waiting_operations.h"
#include "models/sm/load_store.h"

namespace numavp {

struct LoadStore::Translating final : TranslationUser {
    Translating(LoadStore& owner, Translator& mmu, unsigned warps)
        : unit(owner), translator(mmu), config(mmu.config()), tlb(config.l1_entries, config.l1_entries),
          room(config.waiting, warps), operations(config.waiting) {}

    /// Result of an attempt at an operation's next line.
    enum class Outcome : std::uint8_t { more, all, blocked, unmapped };

    void translated(std::uint64_t page, Translation entry) override {
        if (config.mode == TranslationMode::full) tlb.insert(page, entry);
        const std::uint64_t next_ps = unit.domain_.edge_ps(unit.domain_.now() + 1); // when the unit can use it
        room.arrived(page, entry, [&](std::uint64_t since_ps) { translator.counts.wait_ps.add(next_ps - since_ps); });
        unit.replays_ = room.ready();
        unit.client_.step_unit();
    }
    void forget(std::uint64_t page) override {
        tlb.drop(page);
        room.forget(page);
        CachedPage& cached = unit.cached_pages_[page % unit.cached_pages_.size()];
        if (cached.page == page) cached.page = kNever;
    }
    bool new_epoch() override {
        unit.epoch_ = !unit.epoch_;
        return unit.in_flight_[!unit.epoch_] != 0;
    }
    void drop_lines(PhysicalAddress first, std::uint64_t bytes) override {
        std::vector<std::uint32_t> none;
        unit.tags_.sweep(first, bytes, none);
    }

    /// Where a page is, if the unit knows; `place` of an operation that waited, or kNone.
    const Translation* find(std::uint64_t page, unsigned place) {
        if (place != WaitingOperations::kNone)
            if (const Translation* answer = room.answer(place, page)) return answer;
        if (config.mode == TranslationMode::full) return tlb.look_up(page);
        CachedPage& cached = unit.cached_pages_[page % unit.cached_pages_.size()];
        if (cached.page == page) return &cached.entry;
        Translation entry;
        if (!translator.at_once(page, entry)) return nullptr;
        cached = {page, entry};
        return &cached.entry;
    }
    std::uint64_t page_at(const Operation& op) const {
        return unit.pages_.page_of(op.lines[op.next].line_address >> kLineShift);
    }
    Outcome attempt(Operation& op, unsigned place);
    bool replay();
    bool take_head(Operation& op);
    void wait(const Operation& op, bool first) {
        ++translator.counts.l1_misses;
        if (first) translator.request(unit.sm_, page_at(op), op.op != Op::load);
    }
    void done(const Operation& op) {
        ++ended;
        unit.made(op);
        unit.client_.operation_made(op.issuer.warp, op.issuer.generation);
    }
    std::uint64_t now_ps() const { return unit.domain_.clockwork().now_ps(); }

    LoadStore& unit;
    Translator& translator;
    const MmuConfig& config;
    Tlb tlb;
    WaitingOperations room;
    std::vector<Operation> operations; ///< by their place in `room`
    unsigned ended = 0;                ///< in this cycle
};

void LoadStore::Discard::operator()(Translating* translating) const { delete translating; }

TranslationUser& LoadStore::translate_with(Translator& translator, unsigned warps) {
    translating_.reset(new Translating(*this, translator, warps));
    if (translator.config().mode == TranslationMode::full) { // the look-up is a stage of its own before the L1's
        config_.hit_cycles += translator.config().l1_cycles;
        config_.miss_cycles += translator.config().l1_cycles;
        config_.bypass_cycles += translator.config().l1_cycles;
    }
    return *translating_;
}

unsigned LoadStore::waiting() const { return translating_ ? translating_->room.held() : 0; }

void LoadStore::epoch_ended() {
    if (in_flight_[!epoch_] == 0) translating_->translator.epoch_ended();
}

/// One cycle's look-ups: those whose translations have come go before the queue.
bool LoadStore::step_translating() {
    Translating& t = *translating_;
    blocked_ = on_port_ = on_pages_ = false;
    t.ended = 0;
    for (unsigned budget = config_.lines_per_cycle; budget != 0; --budget) {
        if (config_.instructions_per_cycle != 0 && t.ended == config_.instructions_per_cycle) break;
        if (replays_ != 0 ? !t.replay() : queued_ == 0 || !t.take_head(queue_[head_])) break;
    }
    return !blocked_ && (queued_ | replays_) != 0;
}

LoadStore::Translating::Outcome LoadStore::Translating::attempt(Operation& op, unsigned place) {
    if (op.next < op.count) {
        const LineAccess& line = op.lines[op.next];
        const std::uint64_t number = line.line_address >> kLineShift;
        const std::uint64_t page = unit.pages_.page_of(number);
        const Translation* entry = find(page, place);
        if (entry == nullptr || (entry->read_only && op.op != Op::load)) return Outcome::unmapped;
        const std::uint64_t physical = unit.pages_.address(*entry, number);
        const std::uint64_t sent = unit.in_flight_[unit.epoch_];
        if (!(op.op == Op::load ? unit.load(op, physical, line) : unit.write(op, physical, line))) {
            ++unit.counts_.stalls;
            unit.blocked_ = true; // whoever frees what it waits for steps it again
            return Outcome::blocked;
        }
        const unsigned sectors = line.mask.sectors();
        unit.counts_.sectors += sectors;
        if (op.op != Op::load) unit.counts_.store_sectors += sectors;
        ++translator.counts.l1_hits;
        if (unit.in_flight_[unit.epoch_] != sent && unit.map_.home_of(physical) != unit.socket_)
            translator.sent_remote(page);
        ++op.next;
    }
    return op.next < op.count ? Outcome::more : Outcome::all;
}

/// The first that is ready. False: the unit is blocked.
bool LoadStore::Translating::replay() {
    const unsigned place = room.first_ready();
    Operation& op = operations[place];
    const Outcome outcome = attempt(op, place);
    if (outcome == Outcome::unmapped) wait(op, room.wait_again(page_at(op), now_ps()));
    if (outcome == Outcome::all) {
        const unsigned warp = op.issuer.warp;
        done(op);
        room.leave();
        if (!room.has(warp)) unit.untranslated_ &= ~(std::uint64_t{1} << warp);
    }
    unit.replays_ = room.ready();
    return outcome != Outcome::blocked;
}

/// The head of the queue: made, or waiting from now on. False: the unit is blocked, or shared memory's banks work.
bool LoadStore::Translating::take_head(Operation& op) {
    if (op.op == Op::shared) { // needs no page, and the banks for the rest of this cycle
        const Issuer issuer = op.issuer;
        if (unit.step_banks(op)) unit.client_.operation_made(issuer.warp, issuer.generation);
        return false;
    }
    const unsigned warp = op.issuer.warp;
    const bool behind = room.has(warp);
    const Outcome outcome = behind ? Outcome::unmapped : attempt(op, WaitingOperations::kNone);
    if (outcome == Outcome::all) {
        done(op);
        unit.leave_queue();
    }
    if (outcome != Outcome::unmapped) return outcome != Outcome::blocked;
    if (room.full()) {
        ++translator.counts.full;
        unit.blocked_ = unit.on_pages_ = true; // until one that waits has been made
        return false;
    }
    const unsigned place = room.enter(warp);
    unit.untranslated_ |= std::uint64_t{1} << warp;
    operations[place] = op;
    operations[place].unmapped_ps = now_ps();
    if (behind)
        ++translator.counts.behind;
    else
        wait(op, room.wait(place, page_at(op), now_ps()));
    unit.leave_queue();
    return true;
}

} // namespace numavp
