/// Ctrl-C: ends the program at once, or at the next safe moment while there is something to keep or to remove.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace numavp {

/// From now on SIGINT and SIGTERM end the program with status 128 + signal and a sentence.
void end_on_interrupt();

/// Thrown at a safe moment, when it is found that a signal came.
class Interrupted : public std::runtime_error {
  public:
    explicit Interrupted(int signal, std::string kept = "")
        : std::runtime_error("interrupted"), signal_(signal), kept_(std::move(kept)) {}
    int signal() const { return signal_; }
    /// A sentence about what was kept; empty if nothing was.
    const std::string& kept() const { return kept_; }

  private:
    int signal_;
    std::string kept_;
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

    /// From now on without a sentence.
    void say_nothing();
    /// Throws Interrupted if a signal came.
    void check() const;
};

} // namespace numavp
