/// Generated graphs in compressed sparse rows, shared by the kernels that walk them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "base/values/name_table.h"

namespace numavp {

/// Adjacency (or a sparse matrix' structure): row v is columns[offsets[v]] to columns[offsets[v + 1] - 1], ascending.
struct Graph {
    std::vector<std::uint32_t> offsets; ///< vertices + 1
    std::vector<std::uint32_t> columns;

    std::uint32_t vertices() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
    std::uint64_t edges() const { return columns.size(); }
    std::uint32_t degree(std::uint32_t v) const { return offsets[v + 1] - offsets[v]; }
};

enum class GraphKind : std::uint8_t { power_law, mesh, random, drawn_ends };
inline constexpr NameTable<GraphKind> kGraphKindNames{
    "graph kind",
    {{GraphKind::power_law, "power_law", "R-MAT with the quadrant probabilities of Graph500, labels shuffled"},
     {GraphKind::mesh, "mesh", "a grid in 1 to 3 dimensions, each cell linked to its 2 to 6 neighbours"},
     {GraphKind::random, "random", "edges between vertices that are drawn uniformly (Erdos and Renyi)"},
     {GraphKind::drawn_ends, "drawn_ends",
      "each vertex draws `degree` / 2 ends, or one more or less (Rodinia's bfs)"}}};

struct GraphParameters {
    GraphKind kind = GraphKind::power_law;
    std::uint64_t vertices = 262144; ///< all but mesh
    std::uint64_t degree = 16;       ///< all but mesh: mean, before double edges and self loops are dropped
    std::uint64_t nx = 64;           ///< mesh
    std::uint64_t ny = 64;
    std::uint64_t nz = 64;
    bool shuffle = false;              ///< mesh: labels in random order
    std::uint32_t dropped_percent = 0; ///< mesh: edges that are left out, as most crossings of roads are no full ones
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, GraphParameters& c) {
    v.choice("kind", c.kind, kGraphKindNames, "generator of the graph");
    v.integer("vertices", c.vertices, 1, 1ULL << 28, "", "all but mesh: number of vertices (scaled)");
    v.integer("degree", c.degree, 1, 1024, "", "all but mesh: mean number of neighbours asked for");
    v.integer("nx", c.nx, 1, 1ULL << 20, "", "mesh: cells in x, consecutive in memory");
    v.integer("ny", c.ny, 1, 1ULL << 20, "", "mesh: cells in y");
    v.integer("nz", c.nz, 1, 1ULL << 20, "", "mesh: cells in z; the last dimension that is over 1 is scaled");
    v.boolean("shuffle", c.shuffle, "mesh: vertex numbers in random order instead of by position");
    v.integer("dropped_percent", c.dropped_percent, 0, 90, "%", "mesh: edges that are left out, drawn at random");
}

/// Undirected, without self loops or double edges. `diagonal` adds an entry (v, v) to each row.
/// Deterministic in (parameters, seed), with integer arithmetic only.
Graph generate_graph(const GraphParameters& parameters, bool diagonal, std::uint64_t seed);

/// Cache of the graphs of one workload: each is generated once.
class GraphCache {
  public:
    std::shared_ptr<const Graph> get(const GraphParameters& parameters, bool diagonal, std::uint64_t seed);

  private:
    std::map<std::string, std::shared_ptr<const Graph>> graphs_;
};

} // namespace numavp
