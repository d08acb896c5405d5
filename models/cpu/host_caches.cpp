#include "models/cpu/host_caches.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace numavp {

namespace {
unsigned sets_of(unsigned kib, unsigned ways) {
    return static_cast<unsigned>(std::uint64_t{kib} * 1024 / (std::uint64_t{ways} * kLineBytes));
}
void copy_line(unsigned char* to, const unsigned char* from) {
    if (to != nullptr && from != nullptr) std::memcpy(to, from, kLineBytes);
}
/// Frames are named by words of which not all are frames.
template <class T> void reach(std::vector<T>& table, unsigned frame) {
    if (frame >= table.size()) table.resize(frame + 1);
}
} // namespace

HostCaches::HostCaches(const HostCoreConfig& c, bool functional)
    : l1_slots_(Slot{c.l1_cycles} * c.issue_width), l2_slots_(Slot{c.l2_cycles} * c.issue_width),
      transfer_slots_(Slot{c.transfer_cycles} * c.issue_width),
      near_(c.cores, {TagArray(sets_of(c.l1_kib, c.l1_ways), c.l1_ways, functional), {}}),
      l2_(sets_of(c.l2_kib, c.l2_ways), c.l2_ways, functional), written_(c.cores) {}

LineState HostCaches::state(unsigned core, std::uint64_t line) const {
    const int frame = near_[core].tags.find(line);
    return frame < 0 ? LineState::invalid : near_[core].states[static_cast<unsigned>(frame)];
}

bool HostCaches::others_hold(unsigned core, std::uint64_t line) const {
    for (unsigned c = 0; c < near_.size(); ++c)
        if (c != core && near_[c].tags.find(line) >= 0) return true;
    return false;
}

// --- among the L1s

/// What the other L1s do when a core asks. True if it takes a transfer; `bytes` is where the line's are, if an L1 gives
/// them.
bool HostCaches::visit_others(const Access& access, const unsigned char*& bytes) {
    const LineEvent event = access.store ? LineEvent::other_store : LineEvent::other_load;
    bool far = false;
    for (unsigned c = 0; c < near_.size(); ++c) {
        if (c == access.core) continue;
        const int frame = near_[c].tags.find(access.line);
        if (frame < 0) continue;
        const LineStep step = moesi(near_[c].state(frame), event);
        near_[c].state(frame) = step.next;
        if (step.gives) bytes = near_[c].tags.data(static_cast<unsigned>(frame));
        counts_.transfers += step.gives ? 1 : 0;
        far |= step.gives || access.store;
        if (step.next != LineState::invalid) continue;
        ++counts_.invalidations;
        near_[c].tags.invalidate(static_cast<unsigned>(frame));
    }
    return far;
}

/// A line leaves an L1; what the L2 lacks goes there.
void HostCaches::leave(Near& near, int frame) {
    const auto at = static_cast<unsigned>(frame);
    if (moesi(near.state(frame), LineEvent::evict).gives)
        copy_line(l2_.data(static_cast<unsigned>(l2_.find(near.tags.line_at(at)))), near.tags.data(at));
    near.tags.invalidate(at);
}

int HostCaches::install_near(unsigned core, std::uint64_t line, const unsigned char* bytes) {
    Near& near = near_[core];
    const int frame = near.tags.victim(line, {});
    const auto at = static_cast<unsigned>(frame);
    if (near.tags.valid(at)) leave(near, frame);
    near.tags.install(at, line, false, SectorSet::all());
    reach(near.states, at);
    copy_line(near.tags.data(at), bytes);
    return frame;
}

/// One request for a line at a time: the next one begins when other L1s have done what the one before made them do.
void HostCaches::ask_directory(const Access& access, Took& took, const unsigned char*& bytes) {
    const auto frame = static_cast<unsigned>(l2_.find(access.line));
    reach(free_at_, frame);
    took.begin = std::max(took.begin, free_at_[frame]);
    took.latency = l2_slots_;
    counts_.upgrades += took.near ? 1 : 0;
    if (!visit_others(access, bytes)) return;
    took.latency += transfer_slots_;
    free_at_[frame] = took.begin + took.latency;
}

HostCaches::Took HostCaches::access(const Access& a, Slot at) {
    Near& own = near_[a.core];
    int near = own.tags.find(a.line);
    const auto frame = static_cast<unsigned>(l2_.find(a.line));
    const LineState before = near < 0 ? LineState::invalid : own.state(near);
    const LineStep step =
        moesi(before, a.store ? LineEvent::store : LineEvent::load, near < 0 && others_hold(a.core, a.line));
    Took took{at, near >= 0 ? l1_slots_ : l2_slots_, near >= 0, nullptr};
    const unsigned char* bytes = l2_.data(frame);
    if (step.asks && near_.size() > 1) ask_directory(a, took, bytes);
    if (near >= 0)
        own.tags.touch(static_cast<unsigned>(near));
    else
        near = install_near(a.core, a.line, bytes);
    own.state(near) = step.next;
    l2_.touch(frame);
    took.data = own.tags.data(static_cast<unsigned>(near));
    if (!a.store) return took;
    if (!l2_.dirty(frame) || before != LineState::modified) written_[a.core].lines.push_back(a.line);
    l2_.mark_dirty(frame, a.mask);
    return took;
}

// --- below

/// The L2 gets the bytes that an L1 alone has; what becomes of the line in the L1s is what the event says.
void HostCaches::gather(std::uint64_t line, LineEvent event) {
    for (Near& near : near_) {
        const int frame = near.tags.find(line);
        if (frame < 0) continue;
        if (event == LineEvent::evict) {
            leave(near, frame);
            continue;
        }
        const LineStep step = moesi(near.state(frame), event);
        if (step.gives)
            copy_line(l2_.data(static_cast<unsigned>(l2_.find(line))), near.tags.data(static_cast<unsigned>(frame)));
        near.state(frame) = step.next;
    }
}

bool HostCaches::make_room(std::uint64_t line, CoreWrite& victim) {
    const auto frame = static_cast<unsigned>(l2_.victim(line, {}));
    if (!l2_.valid(frame)) return false;
    const std::uint64_t old = l2_.line_at(frame);
    gather(old, LineEvent::evict);
    outdated_.erase(old);
    if (!l2_.dirty(frame)) return false;
    victim = {old, l2_.dirty_mask(frame), l2_.data(frame)};
    return true;
}

void HostCaches::install(unsigned core, std::uint64_t line, const unsigned char* data) {
    const auto frame = static_cast<unsigned>(l2_.victim(line, {}));
    l2_.install(frame, line, false, SectorSet::all());
    copy_line(l2_.data(frame), data);
    holds_ = true;
    if (frame < free_at_.size()) free_at_[frame] = 0; // of the line before
    const int near = install_near(core, line, l2_.data(frame));
    near_[core].state(near) = moesi(LineState::invalid, LineEvent::load).next;
}

bool HostCaches::ask(unsigned core, std::uint64_t line) {
    std::vector<unsigned>& cores = asked_[line].cores;
    cores.push_back(core);
    return cores.size() == 1;
}

HostCaches::Arrived HostCaches::arrived(std::uint64_t line) {
    const auto found = asked_.find(line);
    if (std::exchange(found->second.stale, false)) return {found->second.cores, true};
    Arrived came{std::move(found->second.cores), false};
    asked_.erase(found);
    return came;
}

bool HostCaches::clean(unsigned core, CoreWrite& write) {
    Written& written = written_[core];
    while (written.cleaned < written.lines.size()) {
        const std::uint64_t line = written.lines[written.cleaned++];
        const int found = l2_.find(line);
        if (found < 0 || !l2_.dirty(static_cast<unsigned>(found))) continue; // it has gone to memory since
        const auto frame = static_cast<unsigned>(found);
        const bool outdated = outdated_.erase(line) != 0;
        gather(line, outdated ? LineEvent::evict : LineEvent::clean);
        write = {line, l2_.dirty_mask(frame), l2_.data(frame)};
        l2_.install(frame, line, false, SectorSet::all());
        if (outdated) l2_.invalidate(frame);
        return true;
    }
    written.lines.clear();
    written.cleaned = 0;
    return false;
}

void HostCaches::outdate(const std::vector<std::uint32_t>& dirty) {
    for (const std::uint32_t frame : dirty) {
        gather(l2_.line_at(frame), LineEvent::evict);
        outdated_.insert(l2_.line_at(frame));
    }
}

void HostCaches::forget() {
    for (auto& [line, asked] : asked_) asked.stale = true;
    if (!holds_) return;
    std::vector<std::uint32_t> dirty, none;
    l2_.sweep(false, dirty);
    outdate(dirty);
    for (Near& near : near_) near.tags.sweep(false, none);
    holds_ = !dirty.empty();
}

void HostCaches::forget(std::uint64_t first, std::uint64_t bytes) {
    const std::uint64_t begin = first & ~std::uint64_t{kLineBytes - 1}, length = first + bytes - begin;
    for (auto& [line, asked] : asked_) asked.stale |= line - begin < length;
    if (!holds_) return;
    std::vector<std::uint32_t> dirty, none;
    l2_.sweep(begin, length, dirty);
    outdate(dirty);
    for (Near& near : near_) near.tags.sweep(begin, length, none);
}

} // namespace numavp
