/// A load-store unit whose pages come from the socket's MMU: its L1 TLB, and instructions that wait for translations.
#include "models/mmu/tlb.h"
#include "models/mmu/waiting_operations.h"
#include "models/sm/load_store.h"

namespace numavp {

struct LoadStore::Translating final : TranslationUser {
    Translating(LoadStore& owner, Translator& mmu, unsigned warps)
        : unit(owner), translator(mmu), config(mmu.config()), tlb(config.l1_entries, config.l1_entries),
          room(config.waiting, warps), operations(config.waiting) {}

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

    /// Where a page is, if the unit knows; `place` of an operation that waited, or kNowhere.
    const Translation* find(std::uint64_t page, unsigned place) {
        if (place != kNowhere)
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
    /// A look-up has not found an operation's page. `first`: no other waits for it.
    void wait(const Operation& op, bool first) {
        ++translator.counts.l1_misses;
        if (first) translator.request(unit.sm_, page_at(op), op.op != Op::load);
    }
    std::uint64_t now_ps() const { return unit.domain_.clockwork().now_ps(); }

    LoadStore& unit;
    Translator& translator;
    const MmuConfig& config;
    Tlb tlb;
    WaitingOperations room;
    std::vector<Operation> operations; ///< by their place in `room`
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

// --- the stage of the pipeline that finds a page

/// Physical line by what the unit knows of its page; kNever: nothing, or not that it may be written.
std::uint64_t LoadStore::find_translated(const Operation& op, std::uint64_t virtual_line, unsigned place) {
    const std::uint64_t number = virtual_line >> kLineShift;
    const Translation* entry = translating_->find(pages_.page_of(number), place);
    if (entry == nullptr || (entry->read_only && op.op != Op::load)) return kNever;
    return pages_.address(*entry, number);
}

/// An access has found its page.
void LoadStore::count_translated(std::uint64_t virtual_line, bool sent_remote) {
    Translator& translator = translating_->translator;
    ++translator.counts.l1_hits;
    if (sent_remote) translator.sent_remote(pages_.page_of(virtual_line >> kLineShift));
}

bool LoadStore::behind(const Operation& op) const { return translating_->room.has(op.issuer.warp); }

/// The first operation whose translation has come.
LoadStore::Outcome LoadStore::try_translated() {
    Translating& t = *translating_;
    const unsigned place = t.room.first_ready();
    Operation& op = t.operations[place];
    const Outcome outcome = attempt(op, place);
    if (outcome == Outcome::unmapped) t.wait(op, t.room.wait_again(t.page_at(op), t.now_ps()));
    if (outcome == Outcome::all) {
        const unsigned warp = op.issuer.warp;
        made(op);
        tell_made(op.issuer);
        t.room.leave();
        if (!t.room.has(warp)) untranslated_ &= ~(std::uint64_t{1} << warp);
    }
    replays_ = t.room.ready();
    return outcome == Outcome::unmapped ? Outcome::more : outcome;
}

/// The head of the queue waits beside it from now on: for its page, or behind another of its warp.
LoadStore::Outcome LoadStore::wait_for_page(Operation& op, bool behind_another) {
    Translating& t = *translating_;
    if (t.room.full()) {
        ++t.translator.counts.full;
        blocked_ = on_pages_ = true; // until one that waits has been made
        return Outcome::blocked;
    }
    const unsigned warp = op.issuer.warp, place = t.room.enter(warp);
    untranslated_ |= std::uint64_t{1} << warp;
    t.operations[place] = op;
    t.operations[place].unmapped_ps = t.now_ps();
    if (behind_another)
        ++t.translator.counts.behind;
    else
        t.wait(op, t.room.wait(place, t.page_at(op), t.now_ps()));
    leave_queue();
    return Outcome::more;
}

} // namespace numavp
