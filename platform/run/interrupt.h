/// Ctrl-C: ends the program at once while it writes no results, or at the next safe moment while it does.
#pragma once

#include <stdexcept>

namespace numavp {

/// From now on SIGINT and SIGTERM end the program with status 128 + signal and a sentence.
void end_on_interrupt();

/// Thrown by code that writes results, when it finds that a signal came.
class Interrupted : public std::runtime_error {
  public:
    explicit Interrupted(int signal) : std::runtime_error("interrupted"), signal_(signal) {}
    int signal() const { return signal_; }

  private:
    int signal_;
};

/// While such an object lives, a first signal is only recorded; a second one ends the program at once.
class InterruptGuard {
  public:
    /// `sentence`: written to standard error when a signal is recorded, with its end of line; null for none. It must
    /// live as long.
    explicit InterruptGuard(const char* sentence = nullptr);
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// Throws Interrupted if a signal came.
    void check() const;
};

} // namespace numavp
