#include "platform/network/load_curve.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace numavp {

LoadTest::LoadTest(const NetworkSystem& system, const std::vector<Flow>& flows, const LoadSpec& load,
                   std::uint64_t seed, unsigned jobs)
    : system_(system), load_(load), seed_(seed), jobs_(std::max(1U, jobs)),
      traffic_(system.topology.graph, *system.topology.routing, flows) {
    const NetworkGraph& graph = system.topology.graph;
    const Routing& routing = *system.topology.routing;
    const NetworkTraffic::ZeroLoad there =
        traffic_.zero_load(graph, routing, load.requests ? 1 : load.packet_flits, false);
    idle_ = idle_request_ = there.latency_cycles;
    idle_routers_ = there.routers;
    if (!load.requests) return;
    // An answer is sent in the cycle after its request came.
    idle_reply_ = 1 + traffic_.zero_load(graph, routing, load.packet_flits, true).latency_cycles;
    idle_ = (idle_request_ + idle_reply_) / 2;
}

double LoadTest::highest_rate() const {
    double most = 0;
    for (const unsigned t : traffic_.sources()) most = std::max(most, traffic_.share(t));
    return (load_.requests ? 1.0 : load_.packet_flits) / most;
}

LoadPoint LoadTest::point(double rate, const LoadSpec& load) const {
    return measure_load(system_.topology.graph, *system_.topology.routing, system_.core(load.requests ? 2 : 1, seed_),
                        traffic_, load, rate, idle_);
}

std::vector<LoadPoint> LoadTest::measure(const std::vector<double>& rates, const Tell& tell) const {
    std::vector<LoadPoint> points(rates.size());
    std::atomic<std::size_t> next{0};
    std::mutex telling;
    std::size_t done = 0;
    std::exception_ptr fault;
    const auto work = [&] {
        for (std::size_t i = next++; i < rates.size(); i = next++) {
            try {
                points[i] = point(rates[i], load_);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(telling);
                fault = std::current_exception();
                return;
            }
            const std::lock_guard<std::mutex> lock(telling);
            if (tell) tell(++done, rates.size());
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < std::min<std::size_t>(jobs_, rates.size()); ++i) helpers.emplace_back(work);
    work();
    for (std::thread& t : helpers) t.join();
    if (fault) std::rethrow_exception(fault);
    return points;
}

double LoadTest::saturation_rate(const Tell& tell) const {
    LoadSpec rough = load_;
    rough.precision = std::max(load_.precision, 0.01);
    rough.most_packets = std::min<std::uint64_t>(load_.most_packets, 1'000'000);
    double low = 0, high = std::min(highest_rate(), load_.requests ? 1.0 : 1.5);
    for (unsigned i = 0; high - low > 0.005 * high; ++i) {
        const double middle = (low + high) / 2;
        const LoadPoint p = point(middle, rough);
        (p.saturated || p.latency_cycles > 3 * idle_ ? high : low) = middle;
        if (tell) tell(i, 0);
    }
    return (low + high) / 2;
}

std::vector<double> LoadTest::rates_up_to(double saturation) {
    std::vector<double> rates;
    for (const double share : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0})
        rates.push_back(share * saturation);
    return rates;
}

} // namespace numavp
