/// Ctrl-C: ends the program at once while nothing is on disk, and at the next good moment while results are written.
#pragma once

#include <stdexcept>

namespace numavp {

/// From now on SIGINT and SIGTERM end the program with status 128 + signal and a sentence.
void end_on_interrupt();

/// Thrown where the writing of results notices that it was asked to stop.
class Interrupted : public std::runtime_error {
  public:
    explicit Interrupted(int signal) : std::runtime_error("interrupted"), signal_(signal) {}
    int signal() const { return signal_; }

  private:
    int signal_;
};

/// While one lives, a first signal is noted instead.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// Throws Interrupted if a signal came.
    void check() const;
};

} // namespace numavp
