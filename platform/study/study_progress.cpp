#include "platform/study/study_progress.h"

#include <fmt/format.h>

#include "common/words/text.h"

namespace numavp {

std::string study_progress_text(const StudyProgress& progress, bool bar) {
    std::string text = bar ? progress_bar(progress.share) : "";
    text += fmt::format("{} of {} points", progress.done, progress.points);
    if (progress.failed > 0) text += fmt::format(", {} failed", progress.failed);
    text += fmt::format(", {} running, {}", progress.running, seconds_text(progress.elapsed_s));
    if (progress.left_s && *progress.left_s > 0.0)
        text += fmt::format(", about {} left", seconds_text(*progress.left_s));
    return text;
}

StudyProgressLine::StudyProgressLine(ProgressLine::Mode mode, std::FILE* out)
    : mode_(mode), out_(out), next_(Clock::now()) {
    if (mode == ProgressLine::Mode::log) next_ += kProgressLogPeriod;
}

StudyProgressLine::~StudyProgressLine() { clear(); }

void StudyProgressLine::update(const StudyProgress& progress, Clock::time_point now) {
    if (mode_ == ProgressLine::Mode::silent || now < next_) return;
    const bool terminal = mode_ == ProgressLine::Mode::terminal;
    next_ = now + (terminal ? Clock::duration(kProgressTerminalPeriod) : Clock::duration(kProgressLogPeriod));
    if (terminal)
        fmt::print(out_, "\r{}\033[K", study_progress_text(progress, true));
    else
        fmt::print(out_, "numavp: {}\n", study_progress_text(progress, false));
    shown_ = terminal;
    std::fflush(out_);
}

void StudyProgressLine::say(const std::string& sentence) {
    clear();
    if (mode_ != ProgressLine::Mode::silent) fmt::print(out_, "numavp: {}\n", sentence);
    std::fflush(out_);
}

void StudyProgressLine::clear() {
    if (!shown_) return;
    fmt::print(out_, "\r\033[K");
    std::fflush(out_);
    shown_ = false;
}

} // namespace numavp
