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

    /// What the simulation has executed, and when.
    struct Reading {
        std::uint64_t events = 0;
        Time now{};
    };
    /// Whether the next edge is executed on one thread. `look` gives a Reading of before that edge; it is called for
    /// few edges.
    template <class Look> bool alone(const Look& look) {
        --left_;
        const bool woken = mode_ == Mode::shared && kShared - left_ == kWaking;
        if (left_ == 0 || woken || watched()) weigh(look(), woken);
        return mode_ == Mode::alone || (mode_ == Mode::chosen && !shares_);
    }

  private:
    enum class Mode : std::uint8_t { alone, shared, chosen };
    void weigh(const Reading& at, bool woken) {
        if (woken) since_ = at; // threads have been made, or woken
        if (left_ == 0 || (watched() && hopeless(at))) next(at);
    }
    /// Seconds an event since the mode was entered.
    double cost(const Reading& at) const {
        return std::chrono::duration<double>(at.now - since_.now).count() /
               static_cast<double>(std::max<std::uint64_t>(at.events - since_.events, 1));
    }
    /// Whether sharing is looked at now: in its trial, and from time to time where it was chosen.
    bool watched() const {
        if (mode_ == Mode::shared) return kShared - left_ > kWaking;
        return mode_ == Mode::chosen && shares_ && left_ % kLook == 0;
    }
    bool hopeless(const Reading& at) const { return cost(at) > 4 * alone_cost_; }
    void next(const Reading& at) {
        const double cost_here = cost(at);
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
        since_ = at;
    }
    void enter(Mode mode, unsigned edges) {
        mode_ = mode;
        left_ = edges;
    }
    Mode mode_ = Mode::chosen;
    unsigned left_ = 2, chosen_ = kLeast / 2; ///< of the first edge nothing is known: a trial begins behind it
    bool shares_ = false;
    Reading since_; ///< of the time from which costs are counted
    double alone_cost_ = 0.0;
};

} // namespace numavp
