/// The state of a run as JSON, as its live page reads it and `numavp attach --json` prints it (docs/use/REPORTS.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/system_config.h"
#include "platform/live/live_snapshot.h"
#include "platform/live/live_waits.h"

namespace numavp {

/// A new member leaves the number; a member that goes, or means something else, makes the next number.
inline constexpr unsigned kLiveStateFormat = 1;

/// The shape of the JSON, in the notation of `schema_of_shape` (platform/cli/json_output.h).
extern const std::string_view kLiveStateShape;

/// What does not change while a run goes on.
struct LiveFacts {
    SystemConfig config;
    std::string workload;
    std::string results;            ///< folder that the run is going to write
    std::uint64_t follow_every = 0; ///< one access in so many is followed; 0: none
    long owner = 0;                 ///< process of the study or run that lists it too; 0: none
    std::string branch{};           ///< name, if it is a branch of a run
};

/// A branch of a run, as the page of the run before its branches lists it.
struct LiveBranch {
    std::string name, results;
    std::string status = "waiting"; ///< then "running", and "ended" or "failed"
    std::string address{};          ///< of its own page; empty: none yet
};

class LiveState {
  public:
    explicit LiveState(LiveFacts facts);

    /// State before the first snapshot: `status` is "preparing".
    const ordered_json& now() const { return now_; }
    /// The state of a snapshot: `status` is "running". One call for each snapshot, in their order.
    const ordered_json& take(const LiveSnapshot& snapshot);
    /// The state from now on: `status` is "ended" or "failed", `message` a sentence. The figures stay.
    const ordered_json& become(const char* status, const std::string& message);
    /// The state from now on is that of a run that goes on in branches: `status` is "branched".
    const ordered_json& branch_out(const std::vector<LiveBranch>& branches, const std::string& message);
    /// In the process of a branch, which goes on with the figures so far.
    const ordered_json& become_branch(const LiveBranch& branch);
    const LiveFacts& facts() const { return facts_; }

  private:
    LiveFacts facts_;
    LiveWaits waits_;
    ordered_json now_;
};

} // namespace numavp
