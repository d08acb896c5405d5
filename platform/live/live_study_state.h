/// The state of a study that runs as JSON, as its live page reads it and `numavp attach --json` prints it
/// (docs/use/REPORTS.md).
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/config/config_file.h"
#include "platform/study/study_runner.h"

namespace numavp {

/// A new member leaves the number; a member that goes, or means something else, makes the next number.
inline constexpr unsigned kLiveStudyFormat = 1;

/// The shape of the JSON, in the notation of `schema_of_shape` (platform/cli/json_output.h).
extern const std::string_view kLiveStudyShape;

/// What does not change while a study goes on.
struct LiveStudyFacts {
    std::string name, file, results; ///< file: of the study, as it was typed; results: the results file
};

class LiveStudyState {
  public:
    static constexpr std::size_t kEnded = 200;  ///< the latest points that are shown, of those with results and without
    static constexpr std::size_t kWaiting = 50; ///< the next points that are shown

    /// `status` is "preparing" until the first call of take(), which makes it "running".
    explicit LiveStudyState(const LiveStudyFacts& facts);

    const ordered_json& now() const { return now_; }
    /// Notes a point that has ended in this run of the study.
    void ended(const PointJob& job, const PointOutcome& outcome);
    const ordered_json& take(const StudyRunner& runner, const StudyProgress& progress);
    /// The state from now on: `status` is "ended" or "failed", `message` a sentence.
    const ordered_json& become(const char* status, const std::string& message, const StudyProgress& last);

  private:
    void take_ended(const StudyProgress& progress);

    ordered_json now_;
    std::deque<ordered_json> done_, failed_; ///< the latest first
};

} // namespace numavp
