#include "tlm-links/topology/detour.h"

#include "base/values/error.h"
#include "tlm-links/topology/graph/dependencies.h"
#include "tlm-links/topology/up_down_routing.h"

namespace numavp {

namespace {

/// A routing of the graph that is left, in the numbers of the whole one.
class DetourRouting final : public Routing {
  public:
    DetourRouting(std::unique_ptr<Routing> left, std::vector<unsigned> whole, unsigned vc)
        : left_(std::move(left)), whole_(std::move(whole)), vc_(vc) {}
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override {
        std::vector<RouteStep> found = left_->steps(router, target, leg);
        for (RouteStep& step : found) step = {whole_[step.channel], {vc_, vc_ + 1}};
        return found;
    }
    unsigned hops(unsigned router, unsigned target) const override { return left_->hops(router, target); }
    std::vector<unsigned> intermediates(unsigned, unsigned) const override { return {}; }
    std::vector<unsigned> entries(unsigned endpoint, unsigned target) const override {
        return left_->entries(endpoint, target);
    }

  private:
    std::unique_ptr<Routing> left_;
    std::vector<unsigned> whole_; ///< numbers of the channels
    unsigned vc_;
};

bool reaches_all(const NetworkGraph& graph, const Routing& routing, std::string& missing) {
    for (const NetworkTerminal& from : graph.terminals) {
        if (!graph.endpoints[from.endpoint].requester) continue;
        for (const NetworkTerminal& to : graph.terminals) {
            if (routing.hops(from.router, to.router) != kNoWay) continue;
            missing = "from " + graph.endpoints[from.endpoint].name + " to " + graph.endpoints[to.endpoint].name;
            return false;
        }
    }
    return true;
}

} // namespace

std::shared_ptr<const Routing> make_detour(const NetworkGraph& graph, const std::vector<bool>& failed, unsigned vc,
                                           std::string& missing) {
    NetworkGraph left = graph;
    left.channels.clear();
    std::vector<unsigned> whole, number(graph.channels.size(), 0);
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        if (failed[c] != failed[graph.channels[c].reverse]) throw ModelError("one direction of a channel fails alone");
        if (failed[c]) continue;
        number[c] = static_cast<unsigned>(whole.size());
        whole.push_back(c);
    }
    for (const unsigned c : whole) {
        left.channels.push_back(graph.channels[c]);
        left.channels.back().reverse = number[graph.channels[c].reverse];
    }
    TopologySpec spec;
    spec.entry = EntryKind::nearest;
    spec.virtual_channels = 1;
    auto routing = std::make_unique<UpDownRouting>(left, spec);
    if (!reaches_all(left, *routing, missing)) return nullptr;
    if (!find_circle(left, *routing).empty()) throw ModelError("up*/down* routing has a circle");
    return std::make_shared<DetourRouting>(std::move(routing), std::move(whole), vc);
}

} // namespace numavp
