/// Lines of a slice's memory of which the other socket's slice may have a copy, and the copies that have to go.
///
/// Plain C++, no time. It lists too many lines, never too few: caches drop clean copies without a word. A copy has to
/// go when its line was written, or when another line needs its place here; it waits in order until somebody sends the
/// recall. A written line keeps its place until then, so that any number may wait; lines that lost their place wait in
/// `spills` places of their own. What is recalled twice is dropped once too often, which changes no value.
#pragma once

#include <cstdint>
#include <deque>

#include "models/cache/tag_array.h"

namespace numavp {

class CopyDirectory {
  public:
    CopyDirectory(unsigned lines, unsigned ways, unsigned spills)
        : tags_(lines / ways, ways, false), spill_places_(spills) {}

    /// The other slice gets a copy. False if there is no place for the line: it must not keep it.
    bool lend(std::uint64_t line);
    /// The line was written here, or by somebody else than the other slice.
    void written(std::uint64_t line);
    /// Lines that wait for their recall.
    unsigned waiting() const { return static_cast<unsigned>(queue_.size()); }
    /// Takes the first of them, of which there is one.
    std::uint64_t take();
    /// Whether a copy of the line may be out there that nobody has recalled.
    bool lent(std::uint64_t line) const;
    const std::uint64_t& evicted() const { return evicted_; }
    unsigned lines() const { return tags_.count_valid(true); }

  private:
    struct Recall {
        std::uint64_t line;
        bool spilled; ///< it has no place any more
    };
    TagArray tags_; ///< dirty: its recall waits
    std::deque<Recall> queue_;
    const unsigned spill_places_;
    unsigned spilled_ = 0;
    std::uint64_t evicted_ = 0; ///< lines that lost their place
};

} // namespace numavp
