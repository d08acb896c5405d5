#include "models/riscv/breakpoints.h"

#include <algorithm>

namespace numavp {

void Breakpoints::add(std::uint64_t pc) {
    const auto place = std::lower_bound(points_.begin(), points_.end(), pc);
    if (place == points_.end() || *place != pc) points_.insert(place, pc);
}

bool Breakpoints::remove(std::uint64_t pc) {
    const auto place = std::lower_bound(points_.begin(), points_.end(), pc);
    if (place == points_.end() || *place != pc) return false;
    points_.erase(place);
    return true;
}

bool Breakpoints::at(std::uint64_t pc) const { return std::binary_search(points_.begin(), points_.end(), pc); }

void Breakpoints::add(const Watchpoint& watch) {
    if (std::find(watches_.begin(), watches_.end(), watch) == watches_.end()) watches_.push_back(watch);
}

bool Breakpoints::remove(const Watchpoint& watch) {
    const auto place = std::find(watches_.begin(), watches_.end(), watch);
    if (place == watches_.end()) return false;
    watches_.erase(place);
    return true;
}

bool Breakpoints::touches(WatchHit& access) const {
    for (const Watchpoint& w : watches_) {
        const bool kind = w.kind == WatchKind::access || (w.kind == WatchKind::write ? access.write : access.read);
        // Distances, since sums may wrap.
        const bool overlaps = access.address - w.address < w.bytes || w.address - access.address < access.bytes;
        if (!kind || !overlaps) continue;
        access.watch = w;
        return true;
    }
    return false;
}

void Breakpoints::clear() {
    points_.clear();
    watches_.clear();
}

} // namespace numavp
