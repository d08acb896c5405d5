/// A topology's routing on virtual channels of the test's choice.
#pragma once

#include <vector>

#include "tlm-links/topology/graph/routing.h"

namespace numavp::test {

/// All steps of a leg have the same virtual channels. `inner` must outlive it.
class OtherVcs : public Routing {
  public:
    OtherVcs(const Routing& inner, VcRange first_leg, VcRange second_leg)
        : inner_(inner), first_leg_(first_leg), second_leg_(second_leg) {}
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override {
        std::vector<RouteStep> found = inner_.steps(router, target, leg);
        for (RouteStep& step : found) step.vcs = leg == RouteLeg::to_intermediate ? first_leg_ : second_leg_;
        return found;
    }
    unsigned hops(unsigned router, unsigned target) const override { return inner_.hops(router, target); }
    std::vector<unsigned> intermediates(unsigned router, unsigned target) const override {
        return inner_.intermediates(router, target);
    }
    std::vector<unsigned> entries(unsigned endpoint, unsigned target) const override {
        return inner_.entries(endpoint, target);
    }

  private:
    const Routing& inner_;
    VcRange first_leg_, second_leg_;
};

} // namespace numavp::test
