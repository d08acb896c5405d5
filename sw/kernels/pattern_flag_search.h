/// Breadth-first search by flags: all vertices look whether it is their turn (Rodinia bfs; Harish and Narayanan 2007).
///
/// Two kernels a level, a thread for each vertex. `visit`: a vertex whose mask is set clears it, reads its edges and
/// the flag of each neighbour, and stores cost and a flag of those that were not visited. `update`: a vertex with that
/// flag sets its mask, is visited, and says that the search is not over. Flags are bytes. The search begins at vertex 0
/// and is done when the pattern is made, so that each level has its real frontier.
#pragma once

#include "sw/kernels/item_loop.h"
#include "sw/kernels/pattern.h"
#include "sw/kernels/pattern_bfs.h"

namespace numavp {

struct FlagSearchParameters : BlockParameters {
    GraphParameters graph;
    std::uint32_t work = 12;
};
template <class V> void describe(V& v, FlagSearchParameters& c) {
    v.object("graph", c.graph, "the graph (scaled)");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a thread that looks at its vertex");
    describe_block(v, c);
}

class FlagSearch final : public Pattern {
  public:
    using Parameters = FlagSearchParameters;
    FlagSearch(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    ItemLoop loop_over_vertices() const;
    std::shared_ptr<Kernel> visit(std::uint32_t begin, std::uint32_t end, const ArrayBases& at) const;
    std::shared_ptr<Kernel> update(std::uint32_t begin, std::uint32_t end, const ArrayBases& at) const;
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
    std::shared_ptr<const Graph> graph_;
    std::shared_ptr<const BfsTree> tree_;
    std::uint32_t highest_degree_ = 1;
};

} // namespace numavp
