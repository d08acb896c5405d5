/// Turns lanes between two directions: samples their use, asks the balancer, quiesces and switches (section 4 of the
/// NUMA-aware paper). Plain C++: its owner defines the directions, such as those of a socket's link or of a channel.
///
/// A turn removes lanes from one direction at once, waits until that direction has ended its current transfer, then
/// waits the switch time, in which they serve neither direction, and gives them to the other one. A decision takes
/// effect `decision_cycles` after its sample. The owner calls `act()` in the cycles that `launch()` and `act()` return.
#pragma once

#include <memory>

#include "base/values/types.h"
#include "tlm-links/lanes/lane_balancer.h"

namespace numavp {

/// Direction, seen from the owner that counts the lanes.
enum class LaneWay : std::uint8_t { out, in };

/// Two directions, each with the bandwidth of the lanes that face it.
class LaneDirections {
  public:
    /// Sets the number of lanes of a direction; a transfer in progress ends at the old rate.
    virtual void set_lanes(LaneWay way, unsigned lanes) = 0;
    /// First cycle in which the direction is idle if no further transfer begins.
    virtual Cycle free_at(LaneWay way) const = 0;
    /// Amount that has left so far, in a unit that the owner chooses.
    virtual std::uint64_t carried(LaneWay way) const = 0;
    /// Cycles that one lane needs for `amount`, in the same unit.
    virtual std::uint64_t lane_cycles_of(std::uint64_t amount) const = 0;
    /// Called after lanes have changed, in cycle `now`.
    virtual void lanes_changed(Cycle now) = 0;

  protected:
    ~LaneDirections() = default;
};

struct LaneTurnerConfig {
    LaneSplit wired;
    LaneBalancerKind balancer = LaneBalancerKind::fixed;
    LaneBalancerParams params;
    Cycle sample_cycles = 5000, switch_cycles = 100, decision_cycles = 1;

    bool same_policy(const LaneTurnerConfig& o) const {
        return balancer == o.balancer && params.saturation_percent == o.params.saturation_percent;
    }
};

class LaneTurner {
  public:
    LaneTurner(const LaneTurnerConfig& config, LaneDirections& directions);

    /// Call when a kernel starts while no other runs: lanes return to the balancer's first split, and sampling starts.
    /// Returns the next cycle in which act() has something to do, or kNever.
    Cycle launch(Cycle now);
    /// Takes another balancer, parameters or times; the wired lanes stay. What differs begins anew: a balancer without
    /// state, a sample time at its start. Returns the next cycle of act(), or kNever.
    Cycle change(const LaneTurnerConfig& config, Cycle now);
    /// Call when no kernel runs: stops sampling until the next launch.
    void rest() { sampling_ = false; }
    /// Samples, decides or ends a turn if that is due in this cycle. Returns the next cycle to call it, or kNever.
    Cycle act(Cycle now);

    /// Takes a lane of a direction out of use for good; the direction keeps one at least, else false. The directions go
    /// on with what is left, now and after launches. Call act() afterwards.
    bool retire(LaneWay way, Cycle now);
    unsigned retired() const { return retired_; }

    LaneSplit lanes() const { return lanes_; } ///< that face each direction now
    unsigned turning() const { return turning_; }
    std::uint64_t turns() const { return turns_; }
    /// Lane-cycles of a direction up to `now`, which must not be in the past.
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
    void begin_sampling(Cycle now);
    Cycle next() const;

    LaneTurnerConfig config_; ///< `wired` without the retired lanes
    LaneDirections& directions_;
    std::unique_ptr<LaneBalancer> balancer_;
    LaneSplit lanes_;  ///< that face each direction now
    LaneSplit target_; ///< after the turn in progress
    unsigned turning_ = 0;
    Cycle turned_at_ = kNever;
    LaneSplit wanted_; ///< requested during a turn, or by a decision that has not taken effect yet
    Cycle decision_at_ = kNever;
    bool sampling_ = false;
    Cycle next_sample_ = kNever;
    Cycle settled_ = 0;
    std::uint64_t settled_out_ = 0, settled_in_ = 0;
    std::uint64_t turns_ = 0;
    unsigned retired_ = 0;
    Totals last_; ///< at the last sample
};

} // namespace numavp
