/// Breadth-first search by flags: in each level all vertices test a flag (Rodinia bfs; Harish and Narayanan 2007).
///
/// Two kernels a level, a thread for each vertex. `visit`: a vertex whose mask is set clears it and reads its edges and
/// the visited flag of each neighbour; for those not visited it stores their cost and an update flag. `update`: a
/// vertex with an update flag sets its mask and visited flag, and stores that the search goes on. Flags are bytes. The
/// search is done from vertex 0 when the pattern is made, so each level has its real frontier.
#pragma once

#include "sw/loops/item_loop.h"
#include "sw/patterns/pattern.h"
#include "sw/patterns/pattern_bfs.h"

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
