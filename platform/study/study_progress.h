/// How far a study is, on the terminal: as platform/cli/progress.h does it for a run.
#pragma once

#include <string>

#include "platform/cli/progress.h"
#include "platform/study/study_runner.h"

namespace numavp {

class StudyProgressLine {
  public:
    using Clock = ProgressLine::Clock;
    StudyProgressLine(ProgressLine::Mode mode, std::FILE* out);
    ~StudyProgressLine();
    StudyProgressLine(const StudyProgressLine&) = delete;
    StudyProgressLine& operator=(const StudyProgressLine&) = delete;

    void update(const StudyProgress& progress, Clock::time_point now = Clock::now());
    /// A sentence that stays.
    void say(const std::string& sentence);

  private:
    void clear();

    ProgressLine::Mode mode_;
    std::FILE* out_;
    Clock::time_point next_;
    bool shown_ = false;
};

/// "[######--------------]  12 of 90 points, 1 failed, 2 running, 34 s, about 3 min left"
std::string study_progress_text(const StudyProgress& progress, bool bar);

} // namespace numavp
