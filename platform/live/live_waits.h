/// Who waits for whom: the reports of all parts, grouped by what is alike.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace numavp {

/// A part of the machine, in the words of the report of a stuck simulation.
struct LivePart {
    std::string title; ///< "socket0.l2.slice7"
    std::string waits; ///< what it waits for; empty: nothing
    std::string holds; ///< what it holds of others; empty: nothing
};

/// Parts of one kind that wait for, or hold, the same but for its numbers.
struct LiveWait {
    std::string parts;        ///< "socket0.sm", or "socket*.sm" of a machine with many sockets
    std::string verb;         ///< "waits for" or "holds"
    std::size_t count = 0;    ///< parts that do
    std::size_t all = 0;      ///< parts of the kind
    std::uint64_t amount = 0; ///< sum of the numbers with which their reports begin: packets, entries, responses
    std::int64_t change = 0;  ///< of the amount since the snapshot before; a queue that grows has a positive one
    std::string most;         ///< part with the largest number
    std::string what;         ///< its report
};

class LiveWaits {
  public:
    static constexpr std::size_t kMostGroups = 48;  ///< of a snapshot; the others have the smallest amounts
    static constexpr std::size_t kNamedSockets = 8; ///< groups of a machine with more go over all sockets

    /// Groups by amount, the largest first. `sockets`: of the machine. One call for each snapshot, in their order.
    std::vector<LiveWait> of(const std::vector<LivePart>& parts, unsigned sockets);

  private:
    /// Amounts of the snapshot before, by parts, verb and shape; none at the first.
    std::optional<std::map<std::string, std::uint64_t>> before_;
};

} // namespace numavp
