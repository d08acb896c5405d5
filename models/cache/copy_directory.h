/// Directory of an L2 slice: lines of its memory that the other socket's slice may hold, and the pending recalls.
///
/// Plain C++, no time. It may list too many lines, never too few: caches drop clean copies without telling it. A copy
/// must be recalled when its line was written or when another line takes its place in the directory. Recalls wait in
/// order until `take()`. Until then a written line keeps its place, so any number of these may wait; lines that lost
/// their place wait in `spills` additional places. Recalling a line twice drops a copy in vain and changes no value.
#pragma once

#include <cstdint>
#include <deque>

#include "models/cache/tag_array.h"

namespace numavp {

class CopyDirectory {
  public:
    CopyDirectory(unsigned lines, unsigned ways, unsigned spills)
        : tags_(lines / ways, ways, false), spill_places_(spills) {}

    /// Lists a line that the other slice gets. False if there is no place: the other slice must not keep the line.
    bool lend(std::uint64_t line);
    /// Call when a line was written by anyone but the other slice: queues the recall of a listed line.
    void written(std::uint64_t line);
    /// Number of lines that wait for their recall.
    unsigned waiting() const { return static_cast<unsigned>(queue_.size()); }
    /// Removes the first waiting line and returns it, so that the caller recalls it. Needs `waiting()` > 0.
    std::uint64_t take();
    /// True if the other slice may hold the line and no recall of it is pending.
    bool lent(std::uint64_t line) const;
    const std::uint64_t& evicted() const { return evicted_; }
    unsigned lines() const { return tags_.count_valid(true); }

  private:
    struct Recall {
        std::uint64_t line;
        bool spilled; ///< the line has lost its place
    };
    TagArray tags_; ///< a dirty line waits for its recall
    std::deque<Recall> queue_;
    const unsigned spill_places_;
    unsigned spilled_ = 0;
    std::uint64_t evicted_ = 0; ///< lines that lost their place
};

} // namespace numavp
