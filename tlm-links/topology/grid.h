/// Routers at the points of a grid, wired along each dimension, and dimension-order routing. Meshes, tori, flattened
/// butterflies, rings and their sliced forms are such grids.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/topology_routing.h"

namespace numavp {

/// Wiring of the routers that differ in only one coordinate.
enum class GridWiring : unsigned char {
    apart, ///< not at all: each is in a separate network
    line,  ///< each with the next
    ring,  ///< each with the next, the last with the first; two routers have one channel
    full   ///< each with each
};

struct GridDimension {
    unsigned size = 1;
    GridWiring wiring = GridWiring::line;
};

/// Router x0 + size0 * (x1 + size1 * (x2 + ...)) is at (x0, x1, x2, ...).
class Grid {
  public:
    explicit Grid(std::vector<GridDimension> dimensions);

    unsigned routers() const { return routers_; }
    const std::vector<GridDimension>& dimensions() const { return dimensions_; }
    unsigned coordinate(unsigned router, unsigned dimension) const {
        return router / stride_[dimension] % dimensions_[dimension].size;
    }
    /// The router with the same coordinates as `router`, except that the one of `dimension` is `x`.
    unsigned moved(unsigned router, unsigned dimension, unsigned x) const {
        return router + (x - coordinate(router, dimension)) * stride_[dimension]; // modulo 2^32
    }
    /// Adds the grid's channels to a graph that has the routers, `parallel` between each two.
    void connect(NetworkGraph& graph, unsigned parallel, unsigned latency_cycles) const;

  private:
    std::vector<GridDimension> dimensions_;
    std::vector<unsigned> stride_;
    unsigned routers_ = 1;
};

/// Number of channels of a grid, both directions as one, parallel ones as one. Needs no Grid object.
std::uint64_t grid_channels(const std::vector<GridDimension>& dimensions);

/// Dimension 0 first, then 1, and so on; on a ring the shorter way round, at equal distance either. On a ring (with a
/// dateline) a packet takes the lower half of the virtual channels while the wrap link is still ahead in this
/// dimension, and on that link, else the upper half; elsewhere it takes all.
class GridRouting final : public TopologyRouting {
  public:
    GridRouting(Grid grid, const NetworkGraph& graph, const TopologySpec& spec)
        : TopologyRouting(graph, spec), grid_(std::move(grid)),
          keeps_equal_(spec.topology == TopologyKind::flattened_butterfly) {}

    /// In a flattened butterfly of nodes: the routers that differ from source and target only in coordinates in which
    /// these differ (Kim, Dally, Abts, "Flattened butterfly", ISCA 2007: balances load within a dimension).
    std::vector<unsigned> intermediates(unsigned router, unsigned target) const override;
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override;
    unsigned hops(unsigned router, unsigned target) const override;

  private:
    struct Move {
        unsigned router, dimension, from, to; ///< coordinates `from` and `to`
        VcRange vcs;
    };
    void add_ring_steps(const Move& move, std::vector<RouteStep>& steps) const;

    Grid grid_;
    bool keeps_equal_; ///< by way of routers that share the coordinates that source and target share
};

} // namespace numavp
