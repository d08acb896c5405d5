#include "communication/transfer/fluid_network.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace numavp {

namespace {
constexpr double kNoEnd = std::numeric_limits<double>::infinity();
/// Bytes that are less than what doubles lose: a flow of 2^40 bytes is exact to 2^-12.
constexpr double kNoBytes = 1e-3;
} // namespace

unsigned FluidNetwork::add_resource(double gbytes_per_s) {
    resources_.push_back({gbytes_per_s, 0}); // 1e9 bytes a second are a byte a nanosecond
    return static_cast<unsigned>(resources_.size() - 1);
}

void FluidNetwork::after(double ns, Action action) { due_.push({now_ns_ + ns, order_++, std::move(action)}); }

void FluidNetwork::start(Flow flow) {
    if (flow.bytes == 0 || flow.uses.empty()) {
        after(flow.latency_ns, std::move(flow.done));
        return;
    }
    const auto bytes = static_cast<double>(flow.bytes);
    running_.push_back({std::move(flow), bytes, 0});
    shared_ = false;
}

/// Max-min fairness by progressive filling.
void FluidNetwork::share() {
    std::vector<double> free(resources_.size()), weight(resources_.size());
    for (std::size_t r = 0; r < resources_.size(); ++r) free[r] = resources_[r].bytes_per_ns;
    std::vector<bool> fixed(running_.size(), false);
    for (std::size_t left = running_.size(); left > 0;) {
        std::fill(weight.begin(), weight.end(), 0.0);
        for (std::size_t f = 0; f < running_.size(); ++f)
            if (!fixed[f])
                for (const Use& use : running_[f].flow.uses) weight[use.resource] += use.weight;
        double rate = kNoEnd;
        std::size_t full = 0;
        for (std::size_t r = 0; r < resources_.size(); ++r)
            if (weight[r] > 0 && std::max(free[r], 0.0) / weight[r] < rate) {
                rate = std::max(free[r], 0.0) / weight[r];
                full = r;
            }
        for (std::size_t f = 0; f < running_.size(); ++f) {
            const std::vector<Use>& uses = running_[f].flow.uses;
            const bool here =
                std::any_of(uses.begin(), uses.end(), [full](const Use& u) { return u.resource == full; });
            if (fixed[f] || !here) continue;
            running_[f].rate = rate;
            for (const Use& use : uses) free[use.resource] -= rate * use.weight;
            fixed[f] = true;
            --left;
        }
    }
    shared_ = true;
}

std::vector<double> FluidNetwork::rates() const {
    std::vector<double> all;
    for (const Running& flow : running_) all.push_back(flow.rate);
    return all;
}

double FluidNetwork::next_end() const {
    double soonest = kNoEnd;
    for (const Running& flow : running_) soonest = std::min(soonest, now_ns_ + flow.left / flow.rate);
    return soonest;
}

void FluidNetwork::advance(double to_ns) {
    for (Running& flow : running_) flow.left -= flow.rate * (to_ns - now_ns_);
    now_ns_ = to_ns;
}

void FluidNetwork::end_flows() {
    std::vector<Running> ended;
    for (std::size_t f = 0; f < running_.size();) {
        // The remaining bytes may be too few to advance the clock.
        if (running_[f].left > kNoBytes && now_ns_ + running_[f].left / running_[f].rate > now_ns_) {
            ++f;
            continue;
        }
        ended.push_back(std::move(running_[f]));
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(f));
        shared_ = false;
    }
    for (Running& flow : ended) {
        for (const Use& use : flow.flow.uses) resources_[use.resource].carried += flow.flow.bytes;
        after(flow.flow.latency_ns, std::move(flow.flow.done));
    }
}

double FluidNetwork::run() {
    while (true) {
        while (!due_.empty() && due_.top().at_ns <= now_ns_) {
            const Action action = std::move(const_cast<Due&>(due_.top()).action); // popped at once
            due_.pop();
            if (action) action();
        }
        if (!shared_) share();
        const double next = std::min(next_end(), due_.empty() ? kNoEnd : due_.top().at_ns);
        if (next == kNoEnd) return now_ns_;
        advance(next);
        end_flows();
    }
}

} // namespace numavp
