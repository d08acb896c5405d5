#include "models/cache/copy_directory.h"

namespace numavp {

bool CopyDirectory::lend(std::uint64_t line) {
    const int held = tags_.find(line);
    if (held >= 0) {
        tags_.touch(static_cast<unsigned>(held));
        return true;
    }
    const int victim = tags_.victim(line, {true, true});
    if (victim < 0) return false; // recalls of the whole set wait
    const auto frame = static_cast<unsigned>(victim);
    if (tags_.valid(frame)) {
        if (spilled_ == spill_places_) return false;
        ++evicted_;
        ++spilled_;
        queue_.push_back({tags_.line_at(frame), true});
    }
    tags_.install(frame, line, true, SectorSet::all());
    return true;
}

void CopyDirectory::written(std::uint64_t line) {
    const int held = tags_.find(line);
    if (held < 0 || tags_.dirty(static_cast<unsigned>(held))) return;
    tags_.mark_dirty(static_cast<unsigned>(held), ByteMask::full());
    queue_.push_back({line, false});
}

std::uint64_t CopyDirectory::take() {
    const Recall first = queue_.front();
    queue_.pop_front();
    if (first.spilled)
        --spilled_;
    else
        tags_.invalidate(static_cast<unsigned>(tags_.find(first.line)));
    return first.line;
}

bool CopyDirectory::lent(std::uint64_t line) const {
    const int held = tags_.find(line);
    return held >= 0 && !tags_.dirty(static_cast<unsigned>(held));
}

} // namespace numavp
