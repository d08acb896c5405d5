/// Network channels whose lanes turn: the two directions between two routers share their lanes, as the directions of a
/// socket's link do (section 4 of the NUMA-aware paper). Plain C++.
///
/// The latency of a channel does not change when lanes turn, so that flits keep their order. Times are cycles of the
/// network.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "tlm-links/lanes/lane_turner.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

/// Lanes of a kind of channel: `turner.wired` is the number each way, 0 for a channel without lanes.
struct ChannelLanes {
    LaneTurnerConfig turner;

    bool any() const { return turner.wired.out != 0; }
};

class TurningChannels {
  public:
    /// Called when a lane of the pair whose first channel is `first` has turned, in cycle `now`.
    using Hook = std::function<void(unsigned first, Cycle now, LaneSplit lanes)>;

    /// `kinds` is indexed by `NetworkChannel::link`; channels of kinds beyond the list have no lanes.
    TurningChannels(NetworkCore& core, const NetworkGraph& graph, const std::vector<ChannelLanes>& kinds);

    bool empty() const { return pairs_.empty(); }
    /// As in LaneTurner, for all channels. Returns the next cycle in which act() has something to do, or kNever.
    Cycle launch(Cycle now);
    void rest();
    Cycle act(Cycle now);
    /// Retires a lane of a channel in cycle `at`, in act(); it rests for `retrain_cycles` then.
    void retire(unsigned channel, Cycle at, Cycle retrain_cycles);
    unsigned retired() const; ///< lanes of all channels
    void on_lanes(Hook hook) { hook_ = std::move(hook); }

    /// True if the channel has lanes. The three functions below may be called only for such channels.
    bool turns(unsigned channel) const { return of_channel_[channel].pair != kNone; }
    unsigned lanes(unsigned channel) const;
    /// Lane-cycles of the channel's direction, up to `now`.
    std::uint64_t lane_cycles(unsigned channel, Cycle now) const;
    /// Number of lanes that turned to the channel's direction or away from it.
    std::uint64_t turned(unsigned channel) const;

  private:
    static constexpr unsigned kNone = ~0U;
    struct Pair final : LaneDirections {
        Pair(TurningChannels& all, unsigned first, unsigned back, std::uint64_t lane_interval,
             const LaneTurnerConfig& config)
            : owner(all), channel{first, back}, interval(lane_interval),
              turner(config, static_cast<LaneDirections&>(*this)) {}
        unsigned of(LaneWay way) const { return channel[way == LaneWay::out ? 0 : 1]; }
        void set_lanes(LaneWay way, unsigned lanes) override;
        Cycle free_at(LaneWay way) const override { return owner.core_.channel_free_at(of(way)); }
        std::uint64_t carried(LaneWay way) const override { return owner.core_.channel_load(of(way)) >> 16; }
        std::uint64_t lane_cycles_of(std::uint64_t flits) const override {
            return flits * interval / NetworkChannel::kCycle;
        }
        void lanes_changed(Cycle now) override;

        TurningChannels& owner;
        unsigned channel[2];
        std::uint64_t interval; ///< of one lane, in 1/65536 of a cycle
        LaneTurner turner;
        Cycle due = kNever;
    };
    struct Place {
        unsigned pair = kNone;
        LaneWay way = LaneWay::out;
    };
    const Pair& pair_of(unsigned channel) const { return pairs_[of_channel_[channel].pair]; }

    NetworkCore& core_;
    std::deque<Pair> pairs_; ///< a deque, since a turner keeps the address of its pair
    std::vector<Place> of_channel_;
    struct Retirement {
        unsigned channel;
        Cycle at, retrain_cycles;
    };
    Cycle retire_due(Cycle now);
    std::vector<Retirement> retirements_; ///< to come
    Hook hook_;
};

} // namespace numavp
