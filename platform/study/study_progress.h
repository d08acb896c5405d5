/// Progress of a study on the terminal, in the way of platform/summary/progress.h.
#pragma once

#include <string>

#include "platform/study/study_runner.h"
#include "platform/summary/progress.h"

namespace numavp {

class StudyProgressLine {
  public:
    using Clock = ProgressLine::Clock;
    StudyProgressLine(ProgressLine::Mode mode, std::FILE* out);
    ~StudyProgressLine();
    StudyProgressLine(const StudyProgressLine&) = delete;
    StudyProgressLine& operator=(const StudyProgressLine&) = delete;

    void update(const StudyProgress& progress, Clock::time_point now = Clock::now());
    /// Writes a sentence that is not overwritten.
    void say(const std::string& sentence);

  private:
    void clear();

    ProgressLine::Mode mode_;
    std::FILE* out_;
    Clock::time_point next_;
    bool shown_ = false;
};

/// Text such as "[######--------------]  12 of 90 points, 1 failed, 2 running, 34 s, about 3 min left".
std::string study_progress_text(const StudyProgress& progress, bool bar);

} // namespace numavp
