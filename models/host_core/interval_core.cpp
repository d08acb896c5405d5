#include "models/host_core/interval_core.h"

#include <algorithm>
#include <cstring>

namespace numavp {

namespace {
unsigned sets_of(unsigned kib, unsigned ways) {
    return static_cast<unsigned>(std::uint64_t{kib} * 1024 / (std::uint64_t{ways} * kLineBytes));
}
} // namespace

IntervalCore::IntervalCore(const HostCoreConfig& config, Memory& memory, bool functional, DataHooks* hooks)
    : config_(config), memory_(memory), hooks_(functional ? hooks : nullptr), cycle_(config.issue_width),
      l1_(sets_of(config.l1_kib, config.l1_ways), config.l1_ways, false),
      l2_(sets_of(config.l2_kib, config.l2_ways), config.l2_ways, functional) {}

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

/// What has left the buffer is done before anything that enters it now.
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
    if (const int frame = l2_.find(line); frame >= 0) {
        const Slot latency = use(static_cast<unsigned>(frame), line, store, e.operation.mask);
        return resolve(id, store ? asked : std::max(e.earliest + latency, now));
    }
    if (!again && (!can_fetch() || !starved_.empty())) return starved_.push_back(id);
    open_[line].push_back({id, store, e.operation.mask});
    ++counts_.fetched;
    memory_.fetch(line, std::max(e.earliest + config_.l2_cycles * cycle_, now));
    if (store) resolve(id, asked);
}

/// A hit; its latency.
Slot IntervalCore::use(unsigned frame, std::uint64_t line, bool store, ByteMask mask) {
    const int near = l1_.find(line);
    if (near >= 0)
        l1_.touch(static_cast<unsigned>(near));
    else
        l1_.install(static_cast<unsigned>(l1_.victim(line, {})), line, false, SectorSet::all());
    ++(near >= 0 ? counts_.l1_hits : counts_.l2_hits);
    touch(frame, line, store, mask);
    return (near >= 0 ? config_.l1_cycles : config_.l2_cycles) * cycle_;
}

void IntervalCore::touch(unsigned frame, std::uint64_t line, bool store, ByteMask mask) {
    l2_.touch(frame);
    unsigned char* const data = l2_.data(frame);
    if (!store) {
        if (hooks_ != nullptr) hooks_->consume(kCookie, line & ~marker_, mask, data);
        return;
    }
    if (!l2_.dirty(frame)) dirty_.push_back(line);
    l2_.mark_dirty(frame, mask);
    if (hooks_ != nullptr) hooks_->produce(kCookie, line & ~marker_, mask, data);
}

/// The victim's dirty bytes go to memory.
unsigned IntervalCore::install(std::uint64_t line, Slot now, const unsigned char* data) {
    const auto frame = static_cast<unsigned>(l2_.victim(line, {}));
    if (l2_.valid(frame)) {
        const std::uint64_t old = l2_.line_at(frame);
        if (const int near = l1_.find(old); near >= 0) l1_.invalidate(static_cast<unsigned>(near));
        if (l2_.dirty(frame)) {
            ++writes_out_;
            ++counts_.written;
            memory_.write_back({old, l2_.dirty_mask(frame), l2_.data(frame)}, now);
        }
    }
    l2_.install(frame, line, false, SectorSet::all());
    holds_ = true;
    if (l2_.data(frame) != nullptr && data != nullptr) std::memcpy(l2_.data(frame), data, kLineBytes);
    l1_.install(static_cast<unsigned>(l1_.victim(line, {})), line, false, SectorSet::all());
    return frame;
}

void IntervalCore::fill(std::uint64_t line, Slot now, const unsigned char* data) {
    const auto fetched = open_.find(line);
    const std::vector<Waiting> waiting = std::move(fetched->second);
    open_.erase(fetched);
    const unsigned frame = install(line, now, data);
    for (const Waiting& one : waiting) {
        touch(frame, line, one.store, one.mask);
        if (!one.store) resolve(one.entry, now);
    }
    settle();
    feed_starved(now);
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
    while (cleaned_ < dirty_.size()) {
        const std::uint64_t line = dirty_[cleaned_++];
        const int found = l2_.find(line);
        if (found < 0 || !l2_.dirty(static_cast<unsigned>(found))) continue; // evicted since
        const auto frame = static_cast<unsigned>(found);
        write = {line, l2_.dirty_mask(frame), l2_.data(frame)};
        l2_.install(frame, line, false, SectorSet::all());
        ++writes_out_;
        ++counts_.written;
        return true;
    }
    dirty_.clear();
    cleaned_ = 0;
    return false;
}

void IntervalCore::forget() {
    if (!holds_) return;
    std::vector<std::uint32_t> dirty;
    l1_.sweep(false, dirty);
    l2_.sweep(false, dirty);
    holds_ = !dirty.empty();
}

void IntervalCore::forget(std::uint64_t first, std::uint64_t bytes) {
    if (!holds_) return;
    const std::uint64_t begin = first & ~std::uint64_t{kLineBytes - 1};
    std::vector<std::uint32_t> dirty;
    l1_.sweep(begin, first + bytes - begin, dirty);
    l2_.sweep(begin, first + bytes - begin, dirty);
}

} // namespace numavp
