/// Overlay of a network: chains of routers through which packets from and to one endpoint pass without being buffered
/// ("Multi-GPU System Design with Memory Networks", section V.C).
///
/// A packet between the endpoint and a router on a chain, with others between the two, always goes along the chain, on
/// a virtual channel that no other packets use. So the routes of other packets do not change, and a chain, which has no
/// circle, can't deadlock. At each router between its ends the packet passes straight through if it can; NetworkCore
/// decides.
#pragma once

#include <memory>
#include <vector>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

struct Overlay {
    /// Routers, each joined to the next by a channel; the first of all is the endpoint's own, any other router is on
    /// one chain at most.
    std::vector<std::vector<unsigned>> chains;
    unsigned virtual_channel = 0; ///< of a message class; the other routing does without it
    unsigned cycles = 1;          ///< from router to router for a packet that passes one
};

class OverlayRouting final : public Routing {
  public:
    /// Does not keep `graph`. ModelError if two consecutive routers of a chain are not joined by a channel.
    OverlayRouting(const Overlay& overlay, const NetworkGraph& graph, std::unique_ptr<Routing> others);

    /// On the leg to the intermediate: the chain's channel, the first of parallel ones. Else the steps of `others`.
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override { return others_->hops(router, target); }
    std::vector<unsigned> intermediates(unsigned router, unsigned target) const override {
        return others_->intermediates(router, target);
    }
    std::vector<unsigned> entries(unsigned endpoint, unsigned target) const override {
        return others_->entries(endpoint, target);
    }
    bool overlaid(unsigned from, unsigned to) const override;
    const PassThrough* pass_through() const override { return &pass_through_; }

  private:
    static constexpr unsigned kOff = ~0U; ///< on no chain
    struct Place {
        unsigned chain = kOff, position = 0;
    };

    std::vector<std::vector<unsigned>> out_; ///< channels of each chain: [2 i] from position i, [2 i + 1] back to it
    std::vector<Place> places_;              ///< by router; of the first router of all chains none
    unsigned first_ = 0;                     ///< router of all chains
    PassThrough pass_through_;
    std::unique_ptr<Routing> others_;
};

} // namespace numavp
