#include "tlm-links/lanes/lane_turner.h"

#include <algorithm>
#include <utility>

namespace numavp {

LaneTurner::LaneTurner(const LaneTurnerConfig& config, LaneDirections& directions)
    : config_(config), directions_(directions), balancer_(make_lane_balancer(config.balancer, config.params)),
      lanes_(config.wired), target_(lanes_), wanted_(lanes_) {}

LaneTurner::Totals LaneTurner::totals(Cycle now) const {
    return {directions_.carried(LaneWay::out), directions_.carried(LaneWay::in), lane_cycles(LaneWay::out, now),
            lane_cycles(LaneWay::in, now)};
}

void LaneTurner::settle(Cycle now) {
    settled_out_ = lane_cycles(LaneWay::out, now);
    settled_in_ = lane_cycles(LaneWay::in, now);
    settled_ = now;
}

Cycle LaneTurner::next() const { return std::min({turned_at_, decision_at_, sampling_ ? next_sample_ : kNever}); }

Cycle LaneTurner::launch(Cycle now) {
    wanted_ = balancer_->launch(config_.wired);
    begin_sampling(now);
    decision_at_ = now + 1;
    return next();
}

void LaneTurner::begin_sampling(Cycle now) {
    sampling_ = config_.balancer != LaneBalancerKind::fixed;
    if (!sampling_) return;
    next_sample_ = now + config_.sample_cycles;
    last_ = totals(now);
}

Cycle LaneTurner::change(const LaneTurnerConfig& config, Cycle now) {
    const LaneTurnerConfig before = std::exchange(config_, config);
    config_.wired = before.wired; // without those that have been retired
    if (!config_.same_policy(before)) balancer_ = make_lane_balancer(config_.balancer, config_.params);
    if (!config_.same_policy(before) || config_.sample_cycles != before.sample_cycles) begin_sampling(now);
    return next();
}

void LaneTurner::start_turn(Cycle now, LaneSplit target) {
    settle(now);
    target_ = target;
    const bool to_out = target.out > lanes_.out;
    const LaneWay giving = to_out ? LaneWay::in : LaneWay::out;
    turning_ = to_out ? target.out - lanes_.out : target.in - lanes_.in;
    unsigned& left = to_out ? lanes_.in : lanes_.out;
    left = to_out ? target.in : target.out;
    directions_.set_lanes(giving, left);
    turned_at_ = std::max(std::max(now, directions_.free_at(giving)) + config_.switch_cycles, now + 1);
    turns_ += turning_;
    directions_.lanes_changed(now);
}

void LaneTurner::end_turn(Cycle now) {
    settle(now);
    const LaneWay getting = target_.out > lanes_.out ? LaneWay::out : LaneWay::in;
    lanes_ = target_;
    turning_ = 0;
    turned_at_ = kNever;
    directions_.set_lanes(getting, getting == LaneWay::out ? lanes_.out : lanes_.in);
    directions_.lanes_changed(now);
}

void LaneTurner::sample(Cycle now) {
    const Totals here = totals(now);
    LaneSample s;
    s.busy_out = directions_.lane_cycles_of(here.out - last_.out);
    s.busy_in = directions_.lane_cycles_of(here.in - last_.in);
    s.available_out = here.cycles_out - last_.cycles_out;
    s.available_in = here.cycles_in - last_.cycles_in;
    s.lanes_out = lanes_.out;
    s.lanes_in = lanes_.in;
    s.turning = turning_;
    last_ = here;
    const LaneDecision decision = balancer_->sample(s);
    if (decision == LaneDecision::none) return;
    wanted_ = lanes_;
    if (decision == LaneDecision::turn_one_out) {
        ++wanted_.out;
        --wanted_.in;
    } else {
        --wanted_.out;
        ++wanted_.in;
    }
    decision_at_ = now + std::max<Cycle>(1, config_.decision_cycles);
}

bool LaneTurner::retire(LaneWay way, Cycle now) {
    const auto of = [way](LaneSplit& split) -> unsigned& { return way == LaneWay::out ? split.out : split.in; };
    if (of(lanes_) <= 1 || of(target_) <= 1) return false;
    settle(now);
    --of(lanes_);
    --of(target_);
    if (decision_at_ != kNever) { // a decision on the lanes of before
        if (of(wanted_) > 1)
            --of(wanted_);
        else
            wanted_ = target_;
    }
    LaneSplit& wired = config_.wired;
    unsigned& fewer = of(wired) > 1 ? of(wired) : way == LaneWay::out ? wired.in : wired.out;
    --fewer;
    ++retired_;
    directions_.set_lanes(way, of(lanes_));
    directions_.lanes_changed(now);
    return true;
}

Cycle LaneTurner::act(Cycle now) {
    if (turning_ != 0 && now >= turned_at_) end_turn(now);
    if (turning_ == 0 && now >= decision_at_) {
        decision_at_ = kNever;
        if (!(wanted_ == lanes_)) start_turn(now, wanted_);
    }
    if (sampling_ && now >= next_sample_) {
        sample(now);
        next_sample_ += config_.sample_cycles;
    }
    // A decision that is due waits for the end of the turn in progress.
    return turning_ != 0 && decision_at_ <= now ? std::min(turned_at_, sampling_ ? next_sample_ : kNever) : next();
}

} // namespace numavp
