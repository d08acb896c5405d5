/// How far a run is, on the terminal: one line that overwrites itself, or a line now and then in a log.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "platform/machine/system.h"

namespace numavp {

/// How often something new is said, on a terminal and in a log.
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

    /// What suits `out`.
    static Mode mode_for(std::FILE* out, bool quiet);

    void update(const Progress& progress, Clock::time_point now = Clock::now());
    /// The same with any text, which is asked for only when something is due: of elapsed seconds, with a bar or not.
    void update(const std::function<std::string(double, bool)>& text, Clock::time_point now = Clock::now());
    /// Wipes the line of a terminal.
    void clear();

  private:
    Mode mode_;
    std::FILE* out_;
    Clock::time_point start_;
    Clock::time_point next_;
    bool shown_ = false;
};

/// "[######--------------] " for a share of 0 to 1.
std::string progress_bar(double share);

/// "[######--------------]  31 %  kernel 2 of 12, cycle 1,234,567, 12 s, about 27 s left"
std::string progress_text(const Progress& progress, double elapsed_seconds, bool bar);

/// ", about 27 s left" behind `elapsed_seconds`; empty while it is too early to say.
std::string left_text(double share, double elapsed_seconds);

/// Share of the thread blocks that are done, 0 to 1.
double done_share(const Progress& progress);

} // namespace numavp
