/// Latency over load: several rates at once, and the rate at which a network saturates.
#pragma once

#include <functional>
#include <vector>

#include "common/system/network_alone.h"
#include "platform/network/load_point.h"

namespace numavp {

/// A network and its traffic; measures points, each by a separate simulation.
class LoadTest {
  public:
    /// Runs `jobs` simulations at once; results do not depend on it.
    LoadTest(const NetworkSystem& system, const std::vector<Flow>& flows, const LoadSpec& load, std::uint64_t seed,
             unsigned jobs);

    /// Called for each finished point, from one thread at a time: number of finished points, and number of all.
    using Tell = std::function<void(std::size_t done, std::size_t all)>;
    std::vector<LoadPoint> measure(const std::vector<double>& rates, const Tell& tell) const;
    /// The rate at which the mean latency is three times that of an uncontended packet, to within 0.5 % of the rate.
    double saturation_rate(const Tell& tell) const;
    /// Rates of a curve up to saturation, in ascending order.
    static std::vector<double> rates_up_to(double saturation);

    /// Mean latency of an uncontended packet over the traffic, in cycles; separately for requests and for replies.
    double idle_cycles() const { return idle_; }
    double idle_request_cycles() const { return idle_request_; }
    double idle_reply_cycles() const { return idle_reply_; }
    double idle_routers() const { return idle_routers_; }
    /// The highest rate that may be measured: a packet a cycle at the terminal that sends most.
    double highest_rate() const;
    const NetworkTraffic& traffic() const { return traffic_; }

  private:
    LoadPoint point(double rate, const LoadSpec& load) const;
    const NetworkSystem& system_;
    LoadSpec load_;
    std::uint64_t seed_;
    unsigned jobs_;
    NetworkTraffic traffic_;
    double idle_ = 0, idle_request_ = 0, idle_reply_ = 0, idle_routers_ = 0;
};

} // namespace numavp
