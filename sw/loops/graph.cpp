#include "sw/loops/graph.h"

#include <algorithm>
#include <numeric>

#include "base/values/rng.h"

namespace numavp {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Labels 0 to n-1 in random order (Fisher and Yates).
std::vector<std::uint32_t> shuffled_labels(std::uint32_t n, Rng rng) {
    std::vector<std::uint32_t> labels(n);
    std::iota(labels.begin(), labels.end(), 0U);
    for (std::uint32_t i = n; i > 1; --i) std::swap(labels[i - 1], labels[static_cast<std::size_t>(rng.below(i))]);
    return labels;
}

/// Recursive matrix (Chakrabarti et al. 2004): each level picks a quadrant with probabilities 0.57, 0.19, 0.19
/// and 0.05 (Graph500), in 1/65536.
constexpr std::uint64_t kQuadrantA = 37356;
constexpr std::uint64_t kQuadrantB = kQuadrantA + 12452;
constexpr std::uint64_t kQuadrantC = kQuadrantB + 12452;

Edge rmat_edge(Rng& rng, unsigned levels) {
    std::uint32_t u = 0;
    std::uint32_t v = 0;
    std::uint64_t bits = 0;
    for (unsigned level = 0; level < levels; ++level) {
        if (level % 4 == 0) bits = rng.next();
        const std::uint64_t draw = bits & 0xffff;
        bits >>= 16;
        u = u << 1 | (draw >= kQuadrantB ? 1U : 0U);
        v = v << 1 | ((draw >= kQuadrantA && draw < kQuadrantB) || draw >= kQuadrantC ? 1U : 0U);
    }
    return {u, v};
}

std::vector<Edge> power_law_edges(const GraphParameters& p, std::uint64_t seed) {
    const auto n = static_cast<std::uint32_t>(p.vertices);
    unsigned levels = 0;
    while ((1ULL << levels) < p.vertices) ++levels;
    Rng rng(seed, 1);
    const std::vector<std::uint32_t> labels = shuffled_labels(n, Rng(seed, 2));
    const std::uint64_t wanted = p.vertices * p.degree / 2; // each is stored in both directions
    std::vector<Edge> edges;
    edges.reserve(wanted);
    for (std::uint64_t i = 0; i < wanted; ++i) {
        const auto [u, v] = rmat_edge(rng, levels);
        if (u < n && v < n && u != v) edges.emplace_back(labels[u], labels[v]);
    }
    return edges;
}

std::vector<Edge> random_edges(const GraphParameters& p, std::uint64_t seed) {
    Rng rng(seed, 3);
    const std::uint64_t wanted = p.vertices * p.degree / 2; // each is stored in both directions
    std::vector<Edge> edges;
    edges.reserve(wanted);
    for (std::uint64_t i = 0; i < wanted; ++i) {
        const auto u = static_cast<std::uint32_t>(rng.below(p.vertices));
        const auto v = static_cast<std::uint32_t>(rng.below(p.vertices));
        if (u != v) edges.emplace_back(u, v);
    }
    return edges;
}

/// As `graphgen.cpp` of Rodinia's bfs: 2 to 4 ends a vertex for a mean degree of 6.
std::vector<Edge> drawn_edges(const GraphParameters& p, std::uint64_t seed) {
    Rng rng(seed, 5);
    const std::uint64_t least = std::max<std::uint64_t>(2, p.degree / 2) - 1;
    std::vector<Edge> edges;
    edges.reserve(p.vertices * (least + 1));
    for (std::uint32_t v = 0; v < p.vertices; ++v) {
        for (std::uint64_t ends = least + rng.below(3); ends != 0; --ends) {
            const auto u = static_cast<std::uint32_t>(rng.below(p.vertices));
            if (u != v) edges.emplace_back(v, u);
        }
    }
    return edges;
}

std::vector<Edge> mesh_edges(const GraphParameters& p, std::uint64_t seed) {
    const auto n = static_cast<std::uint32_t>(p.nx * p.ny * p.nz);
    std::vector<std::uint32_t> labels;
    if (p.shuffle) labels = shuffled_labels(n, Rng(seed, 2));
    const auto label = [&](std::uint64_t cell) { return p.shuffle ? labels[cell] : static_cast<std::uint32_t>(cell); };
    std::vector<Edge> edges;
    edges.reserve(std::size_t{n} * 3);
    Rng rng(seed, 4);
    const auto link = [&](std::uint64_t cell, std::uint64_t other) {
        if (p.dropped_percent == 0 || !rng.chance(p.dropped_percent, 100))
            edges.emplace_back(label(cell), label(other));
    };
    for (std::uint64_t z = 0; z < p.nz; ++z) {
        for (std::uint64_t y = 0; y < p.ny; ++y) {
            for (std::uint64_t x = 0; x < p.nx; ++x) {
                const std::uint64_t cell = (z * p.ny + y) * p.nx + x;
                if (x + 1 < p.nx) link(cell, cell + 1);
                if (y + 1 < p.ny) link(cell, cell + p.nx);
                if (z + 1 < p.nz) link(cell, cell + p.nx * p.ny);
            }
        }
    }
    return edges;
}

/// Both directions of each edge, rows sorted, doubles dropped.
Graph compress(std::uint32_t vertices, const std::vector<Edge>& edges, bool diagonal) {
    std::vector<std::uint32_t> begin(std::size_t{vertices} + 1, 0);
    for (const auto& [u, v] : edges) {
        ++begin[u + 1];
        ++begin[v + 1];
    }
    if (diagonal)
        for (std::uint32_t v = 0; v < vertices; ++v) ++begin[v + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> fill(begin.begin(), begin.end() - 1);
    Graph graph;
    graph.columns.resize(begin.back());
    for (const auto& [u, v] : edges) {
        graph.columns[fill[u]++] = v;
        graph.columns[fill[v]++] = u;
    }
    if (diagonal)
        for (std::uint32_t v = 0; v < vertices; ++v) graph.columns[fill[v]++] = v;
    graph.offsets.assign(1, 0);
    graph.offsets.reserve(std::size_t{vertices} + 1);
    auto out = graph.columns.begin();
    for (std::uint32_t v = 0; v < vertices; ++v) {
        const auto first = graph.columns.begin() + begin[v];
        const auto last = graph.columns.begin() + begin[v + 1];
        std::sort(first, last);
        out = std::unique_copy(first, last, out); // `out` never passes `first`
        graph.offsets.push_back(static_cast<std::uint32_t>(out - graph.columns.begin()));
    }
    graph.columns.erase(out, graph.columns.end());
    graph.columns.shrink_to_fit();
    return graph;
}

} // namespace

void GraphParameters::validate(const Place& place) const {
    constexpr std::uint64_t kMaxVertices = std::uint64_t{1} << 28; // edges are counted in 32 bits
    if (kind == GraphKind::mesh && nx * ny * nz > kMaxVertices)
        throw ConfigError(place, "the mesh has " + std::to_string(nx * ny * nz) + " cells; at most " +
                                     std::to_string(kMaxVertices) + " are allowed");
    if (kind != GraphKind::mesh && vertices * degree > 4 * kMaxVertices)
        throw ConfigError(place, "the graph has more than 2^30 edges; fewer vertices or a smaller degree are allowed");
}

Graph generate_graph(const GraphParameters& parameters, bool diagonal, std::uint64_t seed) {
    if (parameters.kind == GraphKind::mesh) {
        const std::uint64_t cells = parameters.nx * parameters.ny * parameters.nz;
        return compress(static_cast<std::uint32_t>(cells), mesh_edges(parameters, seed), diagonal);
    }
    const auto edges = [&] {
        if (parameters.kind == GraphKind::random) return random_edges(parameters, seed);
        if (parameters.kind == GraphKind::drawn_ends) return drawn_edges(parameters, seed);
        return power_law_edges(parameters, seed);
    };
    return compress(static_cast<std::uint32_t>(parameters.vertices), edges(), diagonal);
}

std::shared_ptr<const Graph> GraphCache::get(const GraphParameters& parameters, bool diagonal, std::uint64_t seed) {
    const std::string key = dump_config(parameters).dump() + (diagonal ? "+" : "-") + std::to_string(seed);
    std::shared_ptr<const Graph>& graph = graphs_[key];
    if (!graph) graph = std::make_shared<Graph>(generate_graph(parameters, diagonal, seed));
    return graph;
}

} // namespace numavp
