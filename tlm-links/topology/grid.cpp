#include "tlm-links/topology/grid.h"

#include <algorithm>

namespace numavp {
namespace {

/// Channels among `size` routers of one row.
std::uint64_t row_channels(const GridDimension& d) {
    const std::uint64_t n = d.size;
    switch (d.wiring) {
    case GridWiring::apart: return 0;
    case GridWiring::line: return n - 1;
    case GridWiring::ring: return n > 2 ? n : n - 1;
    case GridWiring::full: return n * (n - 1) / 2;
    }
    return 0;
}

/// Calls `pair(a, b)` for the coordinates of each channel of one row.
template <class F> void for_row_channels(const GridDimension& d, F pair) {
    if (d.wiring == GridWiring::apart) return;
    for (unsigned a = 0; a + 1 < d.size; ++a) {
        const unsigned end = d.wiring == GridWiring::full ? d.size : a + 2;
        for (unsigned b = a + 1; b < end; ++b) pair(a, b);
    }
    if (d.wiring == GridWiring::ring && d.size > 2) pair(d.size - 1, 0);
}

} // namespace

std::uint64_t grid_channels(const std::vector<GridDimension>& dimensions) {
    std::uint64_t routers = 1, channels = 0;
    for (const GridDimension& d : dimensions) routers *= d.size;
    for (const GridDimension& d : dimensions) channels += routers / d.size * row_channels(d);
    return channels;
}

Grid::Grid(std::vector<GridDimension> dimensions) : dimensions_(std::move(dimensions)) {
    for (const GridDimension& d : dimensions_) {
        stride_.push_back(routers_);
        routers_ *= d.size;
    }
}

void Grid::connect(NetworkGraph& graph, unsigned parallel, unsigned latency_cycles) const {
    for (unsigned d = 0; d < dimensions_.size(); ++d)
        for (unsigned r = 0; r < routers_; ++r) {
            if (coordinate(r, d) != 0) continue; // r stands for its row
            for_row_channels(dimensions_[d], [&](unsigned a, unsigned b) {
                for (unsigned p = 0; p < parallel; ++p) graph.connect(moved(r, d, a), moved(r, d, b), latency_cycles);
            });
        }
}

void GridRouting::add_ring_steps(const Move& m, std::vector<RouteStep>& steps) const {
    const unsigned size = grid_.dimensions()[m.dimension].size;
    const unsigned up = (m.to + size - m.from) % size;
    const unsigned down = size - up;
    const auto step = [&](unsigned x, bool wrap_ahead) {
        const VcRange vcs = wrap_ahead ? lower_half(m.vcs) : upper_half(m.vcs);
        channels().add_steps(m.router, grid_.moved(m.router, m.dimension, x), vcs, steps);
    };
    if (up <= down) step((m.from + 1) % size, m.to < m.from);
    if (down <= up) step((m.from + size - 1) % size, m.to > m.from);
}

std::vector<unsigned> GridRouting::intermediates(unsigned router, unsigned target) const {
    std::vector<unsigned> found = TopologyRouting::intermediates(router, target);
    if (!keeps_equal_) return found;
    for (unsigned d = 0; d < grid_.dimensions().size(); ++d) {
        const unsigned x = grid_.coordinate(router, d);
        if (x != grid_.coordinate(target, d)) continue;
        found.erase(std::remove_if(found.begin(), found.end(), [&](unsigned r) { return grid_.coordinate(r, d) != x; }),
                    found.end());
    }
    return found;
}

std::vector<RouteStep> GridRouting::steps(unsigned router, unsigned target, RouteLeg leg) const {
    std::vector<RouteStep> found;
    if (hops(router, target) == kNoWay) return found;
    for (unsigned d = 0; d < grid_.dimensions().size(); ++d) {
        const Move m{router, d, grid_.coordinate(router, d), grid_.coordinate(target, d), vcs(leg)};
        if (m.from == m.to) continue;
        const GridDimension& dimension = grid_.dimensions()[d];
        if (dimension.wiring == GridWiring::ring && dimension.size > 2) {
            add_ring_steps(m, found);
        } else {
            const unsigned beside = m.to > m.from ? m.from + 1 : m.from - 1;
            const unsigned x = dimension.wiring == GridWiring::full ? m.to : beside;
            channels().add_steps(router, grid_.moved(router, d, x), m.vcs, found);
        }
        break;
    }
    return found;
}

unsigned GridRouting::hops(unsigned router, unsigned target) const {
    unsigned sum = 0;
    for (unsigned d = 0; d < grid_.dimensions().size(); ++d) {
        const GridDimension& dimension = grid_.dimensions()[d];
        const unsigned a = grid_.coordinate(router, d), b = grid_.coordinate(target, d);
        const unsigned apart = a < b ? b - a : a - b;
        if (apart == 0) continue;
        switch (dimension.wiring) {
        case GridWiring::apart: return kNoWay;
        case GridWiring::line: sum += apart; break;
        case GridWiring::ring: sum += std::min(apart, dimension.size - apart); break;
        case GridWiring::full: ++sum; break;
        }
    }
    return sum;
}

} // namespace numavp
