#include "platform/summary/progress.h"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>

#include "common/words/text.h"

namespace numavp {
namespace {

constexpr double kShareTooEarly = 0.01; ///< below this share nothing is said of the time left

} // namespace

double done_share(const Progress& progress) {
    if (progress.blocks_total == 0) return 0.0;
    return std::min(1.0, static_cast<double>(progress.blocks_done) / static_cast<double>(progress.blocks_total));
}

std::string progress_bar(double share) {
    constexpr unsigned kBar = 20;
    const auto full = static_cast<unsigned>(std::clamp(share, 0.0, 1.0) * kBar);
    return "[" + std::string(full, '#') + std::string(kBar - full, '-') + "] ";
}

std::string progress_text(const Progress& progress, double elapsed_seconds, bool bar) {
    const double share = done_share(progress);
    std::string text = bar ? progress_bar(share) : "";
    const std::uint64_t kernel = std::min(progress.kernels_done + 1, progress.kernels_total);
    text += fmt::format("{:3.0f} %  kernel {} of {}, cycle {}, {}", share * 100.0, kernel, progress.kernels_total,
                        grouped(progress.cycle), seconds_text(elapsed_seconds));
    return text + left_text(share, elapsed_seconds);
}

std::string steps_text(std::size_t done, std::size_t all, const char* what, double elapsed_seconds, bool bar) {
    const double share = all == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(all);
    return fmt::format("{}{:3.0f} %  {} of {} {}, {}{}", bar ? progress_bar(share) : "", share * 100.0, done, all, what,
                       seconds_text(elapsed_seconds), left_text(share, elapsed_seconds));
}

std::optional<double> left_seconds(double share, double elapsed_seconds) {
    if (share < kShareTooEarly || share >= 1.0) return std::nullopt;
    return elapsed_seconds * (1.0 - share) / share;
}

std::string left_text(double share, double elapsed_seconds) {
    const std::optional<double> left = left_seconds(share, elapsed_seconds);
    return left ? fmt::format(", about {} left", seconds_text(*left)) : "";
}

ProgressLine::ProgressLine(Mode mode, std::FILE* out)
    : mode_(mode), out_(out), start_(Clock::now()), next_(mode == Mode::log ? start_ + kProgressLogPeriod : start_) {}

ProgressLine::~ProgressLine() { clear(); }

ProgressLine::Mode ProgressLine::mode_for(std::FILE* out, bool quiet) {
    if (quiet) return Mode::silent;
    return ::isatty(::fileno(out)) == 1 ? Mode::terminal : Mode::log;
}

void ProgressLine::update(const Progress& progress, Clock::time_point now) {
    update([&](double elapsed, bool bar) { return progress_text(progress, elapsed, bar); }, now);
}

void ProgressLine::update(const std::function<std::string(double, bool)>& text, Clock::time_point now) {
    if (mode_ == Mode::silent || now < next_) return;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    if (mode_ == Mode::terminal) {
        next_ = now + kProgressTerminalPeriod;
        fmt::print(out_, "\r{}\033[K", text(elapsed, true));
        shown_ = true;
    } else {
        next_ = now + kProgressLogPeriod;
        fmt::print(out_, "numavp: {}\n", text(elapsed, false));
    }
    std::fflush(out_);
}

void ProgressLine::clear() {
    if (!shown_) return;
    fmt::print(out_, "\r\033[K");
    std::fflush(out_);
    shown_ = false;
}

} // namespace numavp
