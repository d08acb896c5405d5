/// Bulk transfers that share links and other rates, without SystemC: flows of packets as fluids, max-min fair.
///
/// A resource carries so many bytes a nanosecond: a direction of a link, a copying thread. A flow uses several at once,
/// each with a weight: bytes there for one byte of the flow's (headers, other directions' requests). Whenever a flow
/// begins or ends all rates are found anew: they grow alike until a resource is full, whose flows keep theirs, and so
/// on. That is what packet-wise round robin gives over many packets; single packets have no times of their own.
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

    /// Returns its number. `gbytes_per_s` is above 0.
    unsigned add_resource(double gbytes_per_s);
    /// Begins now. A flow without uses, or without bytes, takes its latency alone.
    void start(Flow flow);
    /// Calls `action` in so many nanoseconds; those of one time in the order of the calls.
    void after(double ns, Action action);
    /// Runs until nothing is due, and returns the time.
    double run();

    double now_ns() const { return now_ns_; }
    /// Of flows that ended: the bytes that each moved, headers not counted, at every resource that it used, also for
    /// its requests alone. Exact.
    std::uint64_t carried_bytes(unsigned resource) const { return resources_[resource].carried; }
    /// Flows under way, and what their rates are, in the order of their starts.
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
