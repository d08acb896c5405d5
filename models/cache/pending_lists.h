/// Lines of a cache that are on their way, in a list for each set: finds the entry of a line.
///
/// The head of a set's list is a word beside the set's tags (TagArray::aside()), so that who looks up a line in both
/// touches no cache line more of the machine that simulates. Entries are linked by their numbers: a type Entry has the
/// members `line` and `behind`.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"

namespace numavp {

class PendingLists {
  public:
    static constexpr unsigned kNone = ~0U;
    static constexpr std::uint16_t kLast = 0xffff; ///< in `behind`: the last of its list

    /// The first entry of `line` in the list of its set, whose word is `set`; kNone if it is not on its way.
    template <class Entry>
    static unsigned find(std::uint64_t set, const std::vector<Entry>& entries, std::uint64_t line) {
        if ((set >> mark_of(line) & 1) == 0) return kNone;
        return next(head_of(set), entries, line);
    }
    /// The entry of the same line behind one; kNone if there is none.
    template <class Entry> static unsigned find_behind(unsigned index, const std::vector<Entry>& entries) {
        return next(entries[index].behind, entries, entries[index].line);
    }
    /// Adds an entry to the list of its line's set.
    template <class Entry> static void insert(std::uint64_t& set, std::vector<Entry>& entries, unsigned index) {
        entries[index].behind = set == 0 ? kLast : head_of(set);
        set = (set & ~kHead) | 1ULL << mark_of(entries[index].line) | index;
    }
    /// Takes an entry out of it.
    template <class Entry> static void remove(std::uint64_t& set, std::vector<Entry>& entries, unsigned index) {
        const std::uint16_t behind = entries[index].behind;
        unsigned before = head_of(set);
        if (before != index) {
            while (entries[before].behind != index) before = entries[before].behind;
            entries[before].behind = behind;
        } else {
            set = behind == kLast ? 0 : (set & ~kHead) | behind; // marks stay until the list is empty
        }
    }

  private:
    static constexpr std::uint64_t kHead = 0xffff;
    /// Bits from there on: a mark for each line, so that most others need no look.
    static constexpr unsigned kFirstMark = 32;
    static std::uint16_t head_of(std::uint64_t set) { return static_cast<std::uint16_t>(set & kHead); }
    static unsigned mark_of(std::uint64_t line) {
        return kFirstMark + static_cast<unsigned>(((line >> kLineShift) * 0x9e3779b97f4a7c15ULL) >> 59);
    }
    template <class Entry>
    static unsigned next(std::uint16_t from, const std::vector<Entry>& entries, std::uint64_t line) {
        for (std::uint16_t i = from; i != kLast; i = entries[i].behind)
            if (entries[i].line == line) return i;
        return kNone;
    }
};

} // namespace numavp
