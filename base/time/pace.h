/// Whether it pays to have an edge executed by several workers.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace numavp {

/// Chooses between sharing edges and executing them on one thread by what they have cost: on a machine whose cores are
/// busy, or of edges with few events, workers cost more than they save. Results do not depend on it.
class Pace {
  public:
    using Time = std::chrono::steady_clock::time_point;
    // Edges. Choices: trials are one edge in ten at most, and end where they take several times as long: on busy cores
    // an edge may take milliseconds.
    static constexpr unsigned kAlone = 64, kWaking = 3, kShared = 32, kLook = 64, kLeast = 1024, kMost = 1U << 14;

    /// Whether the next edge is executed on one thread. `events` is what the simulation has executed up to `now`.
    bool alone(std::uint64_t events, Time now) {
        --left_;
        if (mode_ == Mode::shared && kShared - left_ == kWaking) begin(events, now); // threads have been made, or woken
        if (left_ == 0 || (watched() && hopeless(events, now))) next(events, now);
        return mode_ == Mode::alone || (mode_ == Mode::chosen && !shares_);
    }

  private:
    enum class Mode : std::uint8_t { alone, shared, chosen };
    /// Seconds an event since the mode was entered.
    double cost(std::uint64_t events, Time now) const {
        return std::chrono::duration<double>(now - since_).count() /
               static_cast<double>(std::max<std::uint64_t>(events - events_, 1));
    }
    /// Whether sharing is looked at now: in its trial, and from time to time where it was chosen.
    bool watched() const {
        if (mode_ == Mode::shared) return kShared - left_ > kWaking;
        return mode_ == Mode::chosen && shares_ && left_ % kLook == 0;
    }
    bool hopeless(std::uint64_t events, Time now) const { return cost(events, now) > 4 * alone_cost_; }
    void next(std::uint64_t events, Time now) {
        const double cost_here = cost(events, now);
        if (mode_ == Mode::alone) {
            alone_cost_ = cost_here;
            enter(Mode::shared, kShared);
        } else if (mode_ == Mode::shared) {
            const bool pays = cost_here < alone_cost_;
            chosen_ = pays == shares_ ? std::min(2 * chosen_, kMost) : kLeast;
            shares_ = pays;
            enter(Mode::chosen, chosen_);
        } else {
            enter(Mode::alone, kAlone);
        }
        begin(events, now);
    }
    void begin(std::uint64_t events, Time now) {
        since_ = now;
        events_ = events;
    }
    void enter(Mode mode, unsigned edges) {
        mode_ = mode;
        left_ = edges;
    }
    Mode mode_ = Mode::chosen;
    unsigned left_ = 2, chosen_ = kLeast / 2; ///< of the first edge nothing is known: a trial begins behind it
    bool shares_ = false;
    Time since_{};
    double alone_cost_ = 0.0;
    std::uint64_t events_ = 0;
};

} // namespace numavp
