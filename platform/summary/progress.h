/// Progress of a run on the terminal: one line that overwrites itself, or in a log a new line now and then.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "platform/machine/system.h"

namespace numavp {

/// Period of updates, on a terminal and in a log.
inline constexpr std::chrono::milliseconds kProgressTerminalPeriod{100};
inline constexpr std::chrono::seconds kProgressLogPeriod{10};

class ProgressLine {
  public:
    using Clock = std::chrono::steady_clock;
    enum class Mode {
        silent,
        terminal, ///< one line that overwrites itself, ten times a second
        log       ///< a line each ten seconds
    };
    ProgressLine(Mode mode, std::FILE* out);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// The mode for `out`: terminal, log, or silent if `quiet`.
    static Mode mode_for(std::FILE* out, bool quiet);

    void update(const Progress& progress, Clock::time_point now = Clock::now());
    /// Shows any text. `text(elapsed_seconds, bar)` is called only if an update is due; `bar`: with a progress bar.
    void update(const std::function<std::string(double, bool)>& text, Clock::time_point now = Clock::now());
    /// Clears the line on a terminal.
    void clear();

  private:
    Mode mode_;
    std::FILE* out_;
    Clock::time_point start_;
    Clock::time_point next_;
    bool shown_ = false;
};

/// A progress bar such as "[######--------------] ", for a share of 0 to 1.
std::string progress_bar(double share);

/// Text such as "[######--------------]  31 %  kernel 2 of 12, cycle 1,234,567, 12 s, about 27 s left".
std::string progress_text(const Progress& progress, double elapsed_seconds, bool bar);

/// Text of steps that take about as long each: "[##------------------]  10 %  3 of 30 rates, 12 s, about 2 min left".
std::string steps_text(std::size_t done, std::size_t all, const char* what, double elapsed_seconds, bool bar);

/// Seconds left if the rest takes as long for its share; none while it is too early for an estimate, or at the end.
std::optional<double> left_seconds(double share, double elapsed_seconds);
/// Text such as ", about 27 s left"; empty while it is too early for an estimate.
std::string left_text(double share, double elapsed_seconds);

/// Share of the thread blocks that are done, 0 to 1.
double done_share(const Progress& progress);

} // namespace numavp
