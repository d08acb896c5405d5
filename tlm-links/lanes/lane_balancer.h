/// The link load balancer: decides the direction of the lanes of a socket's link.
///
/// Section 4 of the NUMA-aware paper. Integers in, integers out and no SystemC, so that an RTL block can take its
/// place. The link samples its two directions, asks the balancer, and turns the lane: it models quiescing and switch
/// time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tlm-links/lanes/lane_balancer_kind.h"

namespace numavp {

class Waves;
struct WaveClock;

/// Counts of a link since the last sample. A slot is what a lane carries in a cycle (8 B at 8 GB/s and 1 GHz); counts
/// are below 2^57.
struct LaneSample {
    std::uint64_t busy_out = 0;      ///< slots that carried bytes
    std::uint64_t available_out = 0; ///< slots of the lanes that faced out; a lane that turns has none
    std::uint64_t busy_in = 0;
    std::uint64_t available_in = 0;
    unsigned lanes_out = 0; ///< lanes that face out now
    unsigned lanes_in = 0;
    unsigned turning = 0; ///< lanes that face neither way now
};

enum class LaneDecision : std::uint8_t { none, turn_one_out, turn_one_in };

/// Contract: the decision depends on nothing but the samples and launches so far; at most one lane is turned a
/// sample; a lane is only taken from a direction that keeps at least one; no decision while a lane turns.
class LaneBalancer {
  public:
    virtual ~LaneBalancer() = default;
    /// Lanes each way when a kernel is launched on an idle machine. `wired` is the configured split.
    virtual LaneSplit launch(LaneSplit wired) = 0;
    /// Called once per sample time, before the counts of the next one start.
    virtual LaneDecision sample(const LaneSample& sample) = 0;
    /// Adds internal signals to the waveforms, if the implementation has any (an RTL block).
    virtual void watch(Waves&, const std::string& /*scope*/, const WaveClock&) {}
};

/// Lanes keep the configured split.
class StaticLaneBalancer final : public LaneBalancer {
  public:
    LaneSplit launch(LaneSplit wired) override { return wired; }
    LaneDecision sample(const LaneSample&) override { return LaneDecision::none; }
};

/// Section 4: symmetric at a launch (an odd lane faces out). If only one direction is saturated, one lane of the other
/// turns to it, unless it is the last. If both are saturated and lanes differ by two or more (with an odd number of
/// lanes a difference of one is symmetric), one lane turns back toward symmetry. Otherwise no lane turns.
class DynamicLaneBalancer final : public LaneBalancer {
  public:
    explicit DynamicLaneBalancer(const LaneBalancerParams& params) : params_(params) {}
    LaneSplit launch(LaneSplit wired) override;
    LaneDecision sample(const LaneSample& sample) override;

  private:
    LaneBalancerParams params_;
};

/// ConfigError if the kind is the RTL block and this build has no Verilator.
std::unique_ptr<LaneBalancer> make_lane_balancer(LaneBalancerKind kind, const LaneBalancerParams& params);

} // namespace numavp
