#include "tlm-links/topology/butterfly.h"

#include <array>
#include <numeric>

#include <fmt/format.h>

#include "base/values/error.h"
#include "tlm-links/topology/network_limits.h"
#include "tlm-links/topology/node_network.h"
#include "tlm-links/topology/topology_routing.h"

namespace numavp {
namespace {

/// Routers [0, first) are the first stage, the others the second.
class ButterflyRouting final : public TopologyRouting {
  public:
    ButterflyRouting(const NetworkGraph& graph, const TopologySpec& spec, unsigned first)
        : TopologyRouting(graph, spec), first_(first), of_stage_(graph.endpoints.size()) {
        for (unsigned t = 0; t < graph.terminals.size(); ++t)
            of_stage_[graph.terminals[t].endpoint][second(graph.terminals[t].router)].push_back(t);
    }
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override {
        std::vector<RouteStep> found;
        if (second(router) != second(target)) channels().add_steps(router, target, vcs(leg), found);
        return found;
    }
    unsigned hops(unsigned router, unsigned target) const override {
        if (router == target) return 0;
        return second(router) != second(target) ? 1 : kNoWay;
    }
    std::vector<unsigned> entries(unsigned endpoint, unsigned target) const override {
        return of_stage_[endpoint][second(target) ? 0 : 1];
    }

  private:
    unsigned second(unsigned router) const { return router < first_ ? 0 : 1; }

    unsigned first_;
    std::vector<std::array<std::vector<unsigned>, 2>> of_stage_; ///< each endpoint's terminals
};

/// Terminals of a stage at each of its routers.
unsigned at_each_router(const std::vector<unsigned>& terminals, unsigned routers, const char* stage,
                        const Place& place) {
    const unsigned all = std::accumulate(terminals.begin(), terminals.end(), 0U);
    if (all % routers != 0 || all == 0)
        throw ConfigError(place.at("dimensions"),
                          fmt::format("{} ports do not divide among {} routers of the {} stage; a divisor of {} is "
                                      "allowed",
                                      all, routers, stage, all));
    return all / routers;
}

} // namespace

Topology make_butterfly(const TopologySpec& spec, const Place& place) {
    check_dimensions(spec, 2, 2, "the routers of each stage", place);
    product_of_dimensions(spec, place);
    const unsigned first = spec.dimensions[0], second = spec.dimensions[1];
    std::vector<unsigned> asking = spec.asking, serving = spec.serving;
    if (asking.empty()) {
        asking.assign(std::size_t{first} * spec.concentration, 1);
        serving = asking;
    }
    const unsigned asking_each = at_each_router(asking, first, "first", place);
    const unsigned serving_each = at_each_router(serving, second, "second", place);
    const std::uint64_t terminals =
        std::uint64_t{asking_each} * first + std::uint64_t{serving_each} * second + 2 * std::uint64_t{spec.guests};
    check_size({std::uint64_t{first} + second, std::uint64_t{first} * second, terminals}, spec, place);
    Topology made;
    NetworkGraph& graph = made.graph;
    for (unsigned r = 0; r < first; ++r) graph.routers.push_back(fmt::format("first[{}]", r));
    for (unsigned r = 0; r < second; ++r) graph.routers.push_back(fmt::format("second[{}]", r));
    graph.by_slice = true; // a port of the crossbar for each slice (NUBA, section 2: "one-to-one mapping")
    graph.slices = spec.slices;
    unsigned asked = 0, served = 0;
    for (unsigned e = 0; e < asking.size(); ++e) {
        graph.endpoints.push_back({fmt::format("node[{}]", e), asking[e] != 0, e, {}});
        for (unsigned t = 0; t < asking[e]; ++t) graph.attach(e, asked++ / asking_each, spec.processor_cycles);
        for (unsigned t = 0; t < serving[e]; ++t) {
            const unsigned terminal = graph.attach(e, first + served++ / serving_each, spec.processor_cycles);
            graph.endpoints[e].serving.push_back(terminal);
        }
    }
    for (unsigned g = 0; g < spec.guests; ++g) {
        const auto e = static_cast<unsigned>(graph.endpoints.size());
        graph.endpoints.push_back({fmt::format("node[{}]", e), true, e, {}});
        graph.attach(e, 0, spec.processor_cycles);
        graph.endpoints[e].serving.push_back(graph.attach(e, first, spec.processor_cycles));
    }
    for (unsigned a = 0; a < first; ++a)
        for (unsigned b = 0; b < second; ++b)
            for (unsigned p = 0; p < spec.parallel_channels; ++p) graph.connect(a, first + b, spec.channel_cycles);
    made.routing = std::make_unique<ButterflyRouting>(graph, spec, first);
    return made;
}

} // namespace numavp
