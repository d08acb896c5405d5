/// Turns lanes between two directions: samples their use, asks the balancer, quiesces and switches (section 4 of the
/// NUMA-aware paper). Plain C++: what a direction is, a socket's link or a channel of a network, its owner says.
///
/// A turn takes lanes from one direction at once, lets what that direction is carrying end, then waits for the switch
/// time, in which they count for neither, and gives them to the other. A decision takes effect `decision_cycles` after
/// its sample. The owner calls `act()` in the cycles that `launch()` and `act()` return.
#pragma once

#include <memory>

#include "models/base/types.h"
#include "tlm-links/lane_balancer.h"

namespace numavp {

/// Seen from where the lanes are counted.
enum class LaneWay : std::uint8_t { out, in };

/// Two directions whose bandwidth is that of the lanes that face their way.
class LaneDirections {
  public:
    /// From now on `lanes` carry this direction; what it carries already ends at the old rate.
    virtual void set_lanes(LaneWay way, unsigned lanes) = 0;
    /// First cycle in which the direction carries nothing, if nothing more begins.
    virtual Cycle free_at(LaneWay way) const = 0;
    /// What has left so far, in a unit of the owner's.
    virtual std::uint64_t carried(LaneWay way) const = 0;
    /// Cycles of one lane that `amount`, in that unit, takes.
    virtual std::uint64_t lane_cycles_of(std::uint64_t amount) const = 0;
    /// Lanes face other ways since cycle `now`.
    virtual void lanes_changed(Cycle now) = 0;

  protected:
    ~LaneDirections() = default;
};

struct LaneTurnerConfig {
    LaneSplit wired;
    LaneBalancerKind balancer = LaneBalancerKind::fixed;
    LaneBalancerParams params;
    Cycle sample_cycles = 5000, switch_cycles = 100, decision_cycles = 1;
};

class LaneTurner {
  public:
    LaneTurner(const LaneTurnerConfig& config, LaneDirections& directions);

    /// A kernel starts while no other runs: lanes go back to what the balancer says, and sampling begins. Returns the
    /// next cycle in which act() has something to do, or kNever.
    Cycle launch(Cycle now);
    /// No kernel runs: sampling stops until the next launch.
    void rest() { sampling_ = false; }
    /// Does what is due in this cycle. Returns the next one, or kNever.
    Cycle act(Cycle now);

    LaneSplit lanes() const { return lanes_; } ///< that face a way now
    unsigned turning() const { return turning_; }
    std::uint64_t turns() const { return turns_; }
    /// Cycles of all lanes that faced this way, up to `now`, which is not in the past.
    std::uint64_t lane_cycles(LaneWay way, Cycle now) const {
        const bool out = way == LaneWay::out;
        return (out ? settled_out_ : settled_in_) + (now - settled_) * (out ? lanes_.out : lanes_.in);
    }
    LaneBalancer& balancer() { return *balancer_; }

  private:
    struct Totals {
        std::uint64_t out = 0, in = 0, cycles_out = 0, cycles_in = 0;
    };
    Totals totals(Cycle now) const;
    void settle(Cycle now);
    void start_turn(Cycle now, LaneSplit target);
    void end_turn(Cycle now);
    void sample(Cycle now);
    Cycle next() const;

    const LaneTurnerConfig config_;
    LaneDirections& directions_;
    std::unique_ptr<LaneBalancer> balancer_;
    LaneSplit lanes_;  ///< that face a way now
    LaneSplit target_; ///< after the turn in progress
    unsigned turning_ = 0;
    Cycle turned_at_ = kNever;
    LaneSplit wanted_; ///< asked for while a turn was in progress, or by a decision that is not due yet
    Cycle decision_at_ = kNever;
    bool sampling_ = false;
    Cycle next_sample_ = kNever;
    Cycle settled_ = 0;
    std::uint64_t settled_out_ = 0, settled_in_ = 0;
    std::uint64_t turns_ = 0;
    Totals last_; ///< at the last sample
};

} // namespace numavp
