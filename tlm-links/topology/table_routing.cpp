#include "tlm-links/topology/table_routing.h"

#include <algorithm>
#include <utility>

namespace numavp {

WayTables::WayTables(const NetworkGraph& graph) : ways_(graph.best_ways()) {
    for (unsigned target = 0; target < graph.routers.size(); ++target) {
        costs_.push_back(ways_.to(target));
        for (const WayCost one : costs_.back())
            if (one.exists()) longest_ = std::max(longest_, one.hops());
    }
}

TableRouting::TableRouting(TableForm form, const NetworkGraph& graph, const TopologySpec& spec,
                           std::shared_ptr<const WayTables> tables)
    : TopologyRouting(graph, spec), form_(form), virtual_channels_(spec.virtual_channels), tables_(std::move(tables)) {}

unsigned TableRouting::hops(unsigned router, unsigned target) const {
    const WayCost way = tables_->cost(router, target);
    return way.exists() ? way.hops() : kNoWay;
}

VcRange TableRouting::class_of(unsigned hops_to_go) const {
    if (form_ != TableForm::hop_classes) return vcs(RouteLeg::to_destination);
    const unsigned longest = tables_->longest(), number = longest - hops_to_go;
    return {number * virtual_channels_ / longest, (number + 1) * virtual_channels_ / longest};
}

std::vector<RouteStep> TableRouting::steps(unsigned router, unsigned target, RouteLeg /*leg*/) const {
    std::vector<RouteStep> found;
    const WayCost way = tables_->cost(router, target);
    if (router == target || !way.exists()) return found;
    for (const BestWays::Next& next : tables_->ways().next(router)) {
        if (!tables_->ways().begins(way, next, tables_->cost(next.part, target), target)) continue;
        channels().add_steps(router, next.part, class_of(way.hops()), found);
        if (form_ == TableForm::first_best) break;
    }
    return found;
}

} // namespace numavp
