/// Level-synchronous breadth-first search with a frontier queue: one kernel launch for each level.
///
/// The search is done on the generated graph when the pattern is made, so that each level's kernel has the real
/// frontier: its size, its vertices in queue order, the edges that discover a vertex (the first in queue
/// order wins) and those that find it visited. `vertices` gives a thread each vertex of the frontier; `edges`
/// spreads the frontier's edges evenly over the threads, which find their vertex in shared memory (Merrill,
/// Garland and Grimshaw 2012, "Scalable GPU graph traversal").
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class BfsMapping : std::uint8_t { vertices, edges };
inline constexpr NameTable<BfsMapping> kBfsMappingNames{
    "work distribution",
    {{BfsMapping::vertices, "vertices", "a thread for each vertex of the frontier"},
     {BfsMapping::edges, "edges", "the edges of the frontier spread evenly over the threads"}}};

struct BfsParameters : BlockParameters {
    GraphParameters graph;
    BfsMapping mapping = BfsMapping::edges;
    std::uint32_t edges_per_thread = 2;
};
template <class V> void describe(V& v, BfsParameters& c) {
    v.object("graph", c.graph, "the graph (scaled); the search begins at a vertex of highest degree, or the middle");
    v.choice("mapping", c.mapping, kBfsMappingNames, "distribution of the work over threads");
    v.integer("edges_per_thread", c.edges_per_thread, 1, 64, "edges", "edges of a thread, with the mapping `edges`");
    describe_block(v, c);
}

/// A search done on the host: the vertices in the order in which they are discovered.
struct BfsTree {
    static constexpr std::uint32_t kNone = 0xffffffff;
    std::vector<std::uint32_t> order;        ///< all reached vertices, level after level
    std::vector<std::uint32_t> level_begin;  ///< first of each level in `order`, and the end
    std::vector<std::uint32_t> parent;       ///< the vertex that discovered it; kNone if it was not reached
    std::vector<std::uint32_t> position;     ///< of a vertex in `order`
    std::vector<std::uint64_t> edges_before; ///< edges of all vertices before this one in `order`
    std::size_t levels() const { return level_begin.size() - 1; }
};
BfsTree search_graph(const Graph& graph, std::uint32_t source);

class Bfs final : public Pattern {
  public:
    using Parameters = BfsParameters;
    Bfs(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;
    const BfsTree& tree() const { return *tree_; }

  private:
    Parameters p_;
    std::shared_ptr<const Graph> graph_;
    std::shared_ptr<const BfsTree> tree_;
};

} // namespace numavp
