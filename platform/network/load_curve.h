/// Latency over load: several rates at once, and the rate at which a network saturates.
#pragma once

#include <functional>
#include <vector>

#include "platform/machine/machine_network.h"
#include "platform/network/load_point.h"

namespace numavp {

/// A network and what is sent in it; measures points, each with a simulation of its own.
class LoadTest {
  public:
    /// `jobs` simulations at once; results do not depend on it.
    LoadTest(const NetworkSystem& system, const std::vector<Flow>& flows, const LoadSpec& load, std::uint64_t seed,
             unsigned jobs);

    /// Told of each point that is done, one at a time: how many are done, and of how many.
    using Tell = std::function<void(std::size_t done, std::size_t all)>;
    std::vector<LoadPoint> measure(const std::vector<double>& rates, const Tell& tell) const;
    /// The rate at which a packet takes three times as long as one that meets nobody, within 0.5 % of it.
    double saturation_rate(const Tell& tell) const;
    /// Rates of a curve up to saturation.
    static std::vector<double> rates_up_to(double saturation);

    /// Of a packet that meets nobody, over the traffic: cycles, and of requests and replies apart.
    double idle_cycles() const { return idle_; }
    double idle_request_cycles() const { return idle_request_; }
    double idle_reply_cycles() const { return idle_reply_; }
    double idle_routers() const { return idle_routers_; }
    /// The highest rate that may be asked for: a packet a cycle at the terminal that sends most.
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
