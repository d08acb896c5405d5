/// Rounds over a graph in compressed sparse rows: shortest paths, spanning trees, breadth-first search.
///
/// `relax`: in every round all vertices read their edges and their neighbours' values, and lower by atomics those that
/// the round improves (topology-driven: LonestarGPU sssp). `worklist`: only the vertices of a frontier, found by a real
/// search, do so; they are read from a queue, and improved ones are queued (sssp-wlc, sssp-wln). `level`: the same
/// without a queue; all vertices test whether they are in the frontier (Rodinia bfs). `merge`: a round of Boruvka's
/// spanning tree; all vertices search their lightest edge to another component, lower that of their component, and take
/// the new name. Frontiers are levels of a breadth-first search, of which `rounds` evenly spread ones run.
#pragma once

#include "base/values/name_table.h"
#include "sw/loops/item_loop.h"
#include "sw/patterns/pattern.h"
#include "sw/patterns/pattern_bfs.h"

namespace numavp {

enum class RoundKind : std::uint8_t { relax, worklist, level, merge };
inline constexpr NameTable<RoundKind> kRoundKindNames{
    "kind of round",
    {{RoundKind::relax, "relax", "all vertices go through their edges"},
     {RoundKind::worklist, "worklist", "the vertices of a queue go through their edges"},
     {RoundKind::level, "level", "all vertices look whether it is their turn, then go through their edges"},
     {RoundKind::merge, "merge", "components of a spanning tree find their lightest edge and merge"}}};

struct GraphRoundsParameters : SampleParameters {
    GraphParameters graph;
    RoundKind kind = RoundKind::relax;
    std::uint32_t node_fields = 3;
    bool weights = true;
    std::uint64_t queue = 0;
    std::uint32_t rounds = 3;
    std::uint64_t blocks = 0;
    std::uint64_t per_block = 1024;
    std::uint32_t work = 8;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, GraphRoundsParameters& c) {
    v.object("graph", c.graph, "the graph (scaled)");
    v.choice("kind", c.kind, kRoundKindNames, "work of a round");
    v.integer("node_fields", c.node_fields, 1, 64, "words",
              "fields of a vertex besides its offset and value; set up once, two are read a round");
    v.boolean("weights", c.weights, "edges have weights");
    v.integer("queue", c.queue, 0, 64, "words",
              "bytes of an entry of the worklist, a multiple of 4; one for each vertex");
    v.integer("rounds", c.rounds, 1, 1U << 20, "rounds", "rounds that are done");
    v.integer("blocks", c.blocks, 0, 1ULL << 32, "blocks",
              "grid of fixed size, at least (not scaled); 0: as many as the items need");
    v.integer("per_block", c.per_block, 32, 1U << 24, "vertices", "vertices of a block, a multiple of 32");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a vertex");
    describe_sample(v, c);
}

class GraphRounds final : public Pattern {
  public:
    using Parameters = GraphRoundsParameters;
    GraphRounds(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::vector<std::shared_ptr<Kernel>> round(std::uint32_t number, const ArrayBases& at) const;
    std::shared_ptr<Kernel> sampled(const std::string& name, ItemLoop loop) const;
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
    std::shared_ptr<const Graph> graph_;
    std::shared_ptr<const BfsTree> tree_; ///< null if no frontier is needed
};

} // namespace numavp
