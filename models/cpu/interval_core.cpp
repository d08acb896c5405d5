#include "models/cpu/interval_core.h"

#include <algorithm>

namespace numavp {

IntervalCore::IntervalCore(const HostCoreConfig& config, const Resources& r)
    : config_(config), memory_(r.memory), caches_(r.caches), hooks_(r.hooks), core_(r.core),
      cycle_(config.issue_width) {}

void IntervalCore::begin(const HostPhase& phase, Slot now, std::uint64_t marker) {
    phase_ = &phase;
    marker_ = marker;
    cursor_.begin(phase);
    done_ = false;
    first_ += window_.size();
    window_.clear();
    dispatched_ = retired_ = 0;
    dispatched_at_ = retired_at_ = now;
    item_loads_.clear();
    last_load_ = node_ = kNone;
    ++counts_.phases;
    counts_.instructions += phase.all_instructions();
    counts_.flops += phase.items * phase.flops;
}

// --- the reorder buffer

/// All up to an instruction leave the buffer, if it is known when; the last of them at `at`.
bool IntervalCore::retire_to(std::uint64_t number, Slot& at) {
    while (!window_.empty() && window_.front().operation.number <= number) {
        const Entry& oldest = window_.front();
        if (!oldest.known) return false;
        retired_at_ = std::max(retired_at_ + (oldest.operation.number - retired_), oldest.done);
        retired_ = oldest.operation.number;
        window_.pop_front();
        ++first_;
    }
    at = retired_at_ + (number - retired_);
    return true;
}

Slot IntervalCore::advance(Slot until) {
    if (done_) return kNever;
    while (const HostOperation* operation = cursor_.peek()) {
        Slot at = dispatched_at_ + (operation->number - dispatched_);
        Slot room = 0;
        if (operation->number >= config_.window) {
            if (!retire_to(operation->number - config_.window, room)) return kNever;
            at = std::max(at, room);
        }
        if (at > until) return at;
        dispatched_ = operation->number;
        dispatched_at_ = at;
        issue(*operation, at);
        cursor_.next();
    }
    const std::uint64_t all = phase_->all_instructions();
    Slot last = 0;
    if (!retire_to(all, last) || !open_.empty() || !starved_.empty()) return kNever;
    end_ = std::max(dispatched_at_ + (all - dispatched_), last);
    done_ = true;
    return kNever;
}

/// An operation enters the buffer.
void IntervalCore::issue(const HostOperation& operation, Slot at) {
    const std::uint64_t id = first_ + window_.size();
    window_.emplace_back();
    Entry& made = window_.back();
    made.operation = operation;
    made.operation.line |= marker_;
    made.earliest = at;
    switch (operation.kind) {
    case HostOperation::Kind::load:
        if (operation.first && phase_->dependence == HostDependence::chase) depend(id, last_load_);
        item_loads_.push_back(id);
        ++counts_.loads;
        break;
    case HostOperation::Kind::compute:
        for (const std::uint64_t load : item_loads_) depend(id, load);
        if (!item_loads_.empty()) last_load_ = item_loads_.back();
        item_loads_.clear();
        if (phase_->dependence == HostDependence::sum) depend(id, node_);
        node_ = id;
        break;
    case HostOperation::Kind::store:
        depend(id, node_);
        ++counts_.stores;
        break;
    }
    if (made.waits == 0) starts_.push_back(id);
    settle();
}

/// An operation that has left the buffer is done before any that enters it now.
void IntervalCore::depend(std::uint64_t id, std::uint64_t on) {
    if (on == kNone || on < first_) return;
    Entry& source = entry(on);
    Entry& waiting = entry(id);
    if (source.known) {
        waiting.earliest = std::max(waiting.earliest, source.done);
        return;
    }
    source.dependants.push_back(id);
    ++waiting.waits;
}

void IntervalCore::resolve(std::uint64_t id, Slot at) {
    Entry& done = entry(id);
    done.known = true;
    done.done = at;
    for (const std::uint64_t dependant : done.dependants) {
        Entry& waiting = entry(dependant);
        waiting.earliest = std::max(waiting.earliest, at);
        if (--waiting.waits == 0) starts_.push_back(dependant);
    }
    done.dependants.clear();
}

void IntervalCore::settle() {
    while (!starts_.empty()) {
        const std::uint64_t id = starts_.front();
        starts_.pop_front();
        start(id);
    }
}

void IntervalCore::start(std::uint64_t id) {
    const Entry& e = entry(id);
    if (e.operation.kind != HostOperation::Kind::compute) return look_up(id, 0, false);
    resolve(id, e.earliest + phase_->chain * config_.flop_cycles * cycle_);
}

// --- the caches

/// `again`: a register is free at `now`, for which it has waited.
void IntervalCore::look_up(std::uint64_t id, Slot now, bool again) {
    const Entry& e = entry(id);
    const std::uint64_t line = e.operation.line;
    const bool store = e.operation.kind == HostOperation::Kind::store;
    const Slot asked = std::max(e.earliest + 1, now);
    if (const auto fetched = open_.find(line); fetched != open_.end()) {
        fetched->second.push_back({id, store, e.operation.mask});
        ++counts_.merged;
        if (store) resolve(id, asked);
        return;
    }
    if (caches_.holds(line)) {
        const HostCaches::Took took = use(line, store, e.operation.mask, e.earliest);
        ++(took.near ? counts_.l1_hits : counts_.l2_hits);
        return resolve(id, store ? std::max(asked, took.begin) : std::max(took.begin + took.latency, now));
    }
    if (!again && (!can_fetch() || !starved_.empty())) return starved_.push_back(id);
    open_[line].push_back({id, store, e.operation.mask});
    if (caches_.ask(core_, line)) {
        ++counts_.fetched;
        memory_.fetch(line, std::max(e.earliest + config_.l2_cycles * cycle_, now));
    } else {
        ++counts_.merged; // with another core's
    }
    if (store) resolve(id, asked);
}

/// An access to a line that is there.
HostCaches::Took IntervalCore::use(std::uint64_t line, bool store, ByteMask mask, Slot at) {
    const HostCaches::Took took = caches_.access({core_, line, store, mask}, at);
    if (hooks_ == nullptr) return took;
    if (store)
        hooks_->produce(kCookie - core_, line & ~marker_, mask, took.data);
    else
        hooks_->consume(kCookie - core_, line & ~marker_, mask, took.data);
    return took;
}

/// The victim's dirty bytes go to memory.
void IntervalCore::install(std::uint64_t line, Slot now, const unsigned char* data) {
    CoreWrite victim;
    if (caches_.make_room(line, victim)) {
        ++writes_out_;
        ++counts_.written;
        memory_.write_back(core_, victim, now);
    }
    caches_.install(core_, line, data);
}

/// Another core that has waited for the line may have got it first.
void IntervalCore::fill(std::uint64_t line, Slot now, const unsigned char* data) {
    const auto fetched = open_.find(line);
    const std::vector<Waiting> waiting = std::move(fetched->second);
    open_.erase(fetched);
    const bool there = caches_.holds(line);
    if (!there) install(line, now, data);
    Slot at = now;
    for (const Waiting& one : waiting) {
        const HostCaches::Took took = use(line, one.store, one.mask, now);
        if (there) at = std::max(at, took.begin + took.latency);
        if (!one.store) resolve(one.entry, at);
    }
    settle();
    feed_starved(now);
}

void IntervalCore::fetch_again(std::uint64_t line, Slot now) {
    ++counts_.fetched;
    memory_.fetch(line, now);
}

void IntervalCore::written(Slot now) {
    --writes_out_;
    feed_starved(now);
}

void IntervalCore::feed_starved(Slot now) {
    while (!starved_.empty() && can_fetch()) {
        const std::uint64_t id = starved_.front();
        starved_.pop_front();
        look_up(id, now, true);
        settle();
    }
}

bool IntervalCore::clean(CoreWrite& write) {
    if (!caches_.clean(core_, write)) return false;
    ++writes_out_;
    ++counts_.written;
    return true;
}

} // namespace numavp
