/// Bulk transfers that share links and other rates, without SystemC: flows of packets as fluids, max-min fair.
///
/// A resource (a direction of a link, a copying thread) carries a number of bytes per nanosecond. A flow uses several
/// at once, each with a weight: bytes there per byte of the flow (headers, requests of the other direction). When a
/// flow begins or ends all rates are computed anew: they grow equally until a resource is full, whose flows keep
/// theirs, and so on. Packet-wise round robin does so over many packets; single packets have no times.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace numavp {

class FluidNetwork {
  public:
    using Action = std::function<void()>;
    struct Use {
        unsigned resource = 0;
        double weight = 1; ///< above 0
    };
    struct Flow {
        std::uint64_t bytes = 0;
        std::vector<Use> uses;
        double latency_ns = 0; ///< after its last byte was sent
        Action done;           ///< may start others
    };

    /// Adds a resource, with a rate above 0, and returns its number.
    unsigned add_resource(double gbytes_per_s);
    /// Begins a flow now. A flow without uses, or without bytes, takes only its latency.
    void start(Flow flow);
    /// Calls `action` after `ns` nanoseconds; actions due at one time run in the order of these calls.
    void after(double ns, Action action);
    /// Runs until nothing is due, and returns the time.
    double run();

    double now_ns() const { return now_ns_; }
    /// Bytes, without headers, of the flows that have ended and used a resource, each counted in full at every resource
    /// that it used, also at one that only carried its requests. Exact.
    std::uint64_t carried_bytes(unsigned resource) const { return resources_[resource].carried; }
    /// Rates of the flows under way, in the order of their starts.
    std::vector<double> rates() const;

  private:
    struct Resource {
        double bytes_per_ns = 0;
        std::uint64_t carried = 0;
    };
    struct Running {
        Flow flow;
        double left = 0, rate = 0;
    };
    struct Due {
        double at_ns = 0;
        std::uint64_t order = 0;
        Action action;
    };
    struct Later {
        bool operator()(const Due& a, const Due& b) const {
            return a.at_ns != b.at_ns ? a.at_ns > b.at_ns : a.order > b.order;
        }
    };
    void share();
    void advance(double to_ns);
    double next_end() const;
    void end_flows();

    std::vector<Resource> resources_;
    std::vector<Running> running_;
    std::priority_queue<Due, std::vector<Due>, Later> due_;
    double now_ns_ = 0;
    std::uint64_t order_ = 0;
    bool shared_ = true; ///< rates are those of the flows under way
};

} // namespace numavp
