/// Lines of a slice's own memory with sectors that stores wrote in part, in the order in which they came.
///
/// Plain C++, no time. Memory with ECC takes whole sectors, so that the rest of such a sector is read before it is
/// written. On an H200 (docs/trust/H200.md) L2s do so long before a line must go: a slice has room for so many of these
/// lines, and the oldest makes room for the next. A line stays listed until its turn comes, whole or not by then.
/// Stores that waited for a line on its way may list it beyond the room.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_set>

namespace numavp {

class PartialLines {
  public:
    explicit PartialLines(unsigned room) : room_(room) {}

    bool full() const { return order_.size() >= room_; }
    std::size_t size() const { return order_.size(); }
    bool lists(std::uint64_t line) const { return listed_.count(line) != 0; }
    /// Lists a line behind all others; no change if it is listed.
    void add(std::uint64_t line) {
        if (listed_.insert(line).second) order_.push_back(line);
    }
    std::uint64_t oldest() const { return order_.front(); }
    void remove_oldest() {
        listed_.erase(order_.front());
        order_.pop_front();
    }
    /// The oldest is on its way: its turn comes again behind all others.
    void put_off() {
        order_.push_back(order_.front());
        order_.pop_front();
    }

  private:
    const unsigned room_;
    std::deque<std::uint64_t> order_;
    std::unordered_set<std::uint64_t> listed_; ///< the same lines
};

} // namespace numavp
