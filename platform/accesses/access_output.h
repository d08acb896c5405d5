/// The log of followed accesses as a file, by its name: CSV with a row for each hop, or SQLite with the tables
/// `accesses` and `hops`. Written as accesses end, so that memory is bounded; it appears completely or not at all.
///
/// docs/use/RESULTS.md has the columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tlm-links/protocol/access_log.h"

namespace numavp {

inline constexpr const char* kAccessLogName = "accesses.csv"; ///< in the folder of the results, unless named

/// ConfigError if the name ends in neither .csv nor .sqlite.
void refuse_odd_access_log(const std::string& path);

/// An access with a copy of its hops, for the timeline.
struct KeptAccess {
    FollowedAccess access; ///< its `hops` are not valid
    std::vector<AccessHop> hops;
};

class AccessOutput {
  public:
    /// Number of hops, the first that end, that are kept for the timeline: 10,000 are 5 MB of it.
    static constexpr std::size_t kTimelineHops = 10'000;

    /// ConfigError, at --access-log, if it can't be written.
    explicit AccessOutput(const std::string& path);
    ~AccessOutput();
    void write(const FollowedAccess& access);
    /// Flushes the log to disk and moves it to its destination.
    void keep();
    const std::vector<KeptAccess>& kept() const { return kept_; }
    /// Number of followed accesses that are in the file but not in the timeline.
    std::uint64_t left_out() const { return left_out_; }

  private:
    class Format;
    class Csv;
    class Sqlite;
    std::unique_ptr<Format> format_;
    std::vector<KeptAccess> kept_;
    std::size_t kept_hops_ = 0;
    std::uint64_t left_out_ = 0;
};

/// Checks a file for `numavp check` and returns a sentence about it; empty if it is no log of accesses. ConfigError if
/// the hops of an access do not sum to its latency, or a row is not as documented.
std::string check_access_log(const std::string& path);

} // namespace numavp
