/// Base class of the routings of all built-in topologies: entry terminals, UGAL's intermediate routers, and the virtual
/// channels of each leg.
#pragma once

#include <vector>

#include "tlm-links/topology/graph/channel_index.h"
#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

/// The lower and the upper half of a range; of an odd number the upper half has one more.
VcRange lower_half(VcRange range);
VcRange upper_half(VcRange range);

/// Derived classes implement `steps` and `hops`.
class TopologyRouting : public Routing {
  public:
    /// Does not keep `graph`, to which all channels and terminals must have been added.
    TopologyRouting(const NetworkGraph& graph, const TopologySpec& spec);

    /// UGAL: all routers that can be reached from `router` and reach `target`, except these two. Takes time in
    /// proportion to the number of routers, so callers that draw one for each packet should keep the list.
    std::vector<unsigned> intermediates(unsigned router, unsigned target) const override;
    /// A processor's terminals as TopologySpec::entry says; all terminals of any other endpoint.
    std::vector<unsigned> entries(unsigned endpoint, unsigned target) const override;

  protected:
    /// All virtual channels; with UGAL the lower half on the way to the intermediate, the upper half from it.
    VcRange vcs(RouteLeg leg) const;
    const ChannelIndex& channels() const { return channels_; }
    bool ugal() const { return ugal_; }

  private:
    struct Entry {
        unsigned terminal;
        unsigned router;
    };
    struct Endpoint {
        std::vector<Entry> all;
        bool chooses; ///< has terminals at different routers
    };
    std::vector<unsigned> nearest(const Endpoint& endpoint, unsigned target) const;

    ChannelIndex channels_;
    std::vector<Endpoint> endpoints_;
    EntryKind entry_;
    unsigned routers_per_processor_;
    unsigned virtual_channels_;
    bool ugal_;
};

} // namespace numavp
