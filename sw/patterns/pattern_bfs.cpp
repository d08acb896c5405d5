#include "sw/patterns/pattern_bfs.h"

#include <algorithm>

#include "sw/loops/program.h"
#include "sw/work/count.h"

namespace numavp {
namespace {

/// Distances are set to "not visited", and the queue's counter to zero.
struct ClearDistances {
    std::uint64_t distances, vertices;
    std::uint32_t threads;

    class Warp final : public StepStream<Warp, 3> {
      public:
        Warp(const ClearDistances& c, std::uint64_t block, unsigned warp)
            : c_(c), vertex_(block * c.threads + std::uint64_t{warp} * kWarpLanes) {}
        void step(Emitter& e) {
            if (const std::uint32_t mask = lanes_below(vertex_, c_.vertices)) {
                e.compute(0, {});
                e.store(contiguous(c_.distances + vertex_ * kWordBytes, kWordBytes, mask), {0});
            }
            e.exit();
        }

      private:
        const ClearDistances& c_;
        std::uint64_t vertex_;
    };
};

/// One level: from the queue of its frontier to the queue of the next.
struct BfsLevel {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const BfsTree> tree;
    std::uint64_t offsets, columns, distances, queue_in, queue_out, counter; ///< array bases
    std::uint32_t first, last;                                               ///< the frontier in `order`
    std::uint32_t threads;
    std::uint32_t edges_per_thread;
};

/// Binary search among at most as many vertices as a block has threads, each step after the one before: log2(256).
constexpr unsigned kSearchSteps = 8;

enum : std::uint8_t { bfs_index, bfs_vertex, bfs_begin, bfs_end, bfs_neighbour, bfs_distance, bfs_old, bfs_slot };

/// Follows one edge for each lane that `edge_of` gives one, and queues what is discovered: up to 6 instructions
/// and 4 lists. `edge_of(lane, vertex, edge)` returns false for a lane without an edge.
template <class EdgeOf> void follow_edges(Emitter& e, const BfsLevel& l, EdgeOf edge_of) {
    LaneList column = e.list();
    LaneList distance = e.list();
    LaneList found = e.list();
    LaneList push = e.list();
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        std::uint32_t vertex = 0;
        std::uint64_t edge = 0;
        if (!edge_of(lane, vertex, edge)) continue;
        const std::uint32_t neighbour = l.graph->columns[edge];
        column.set(lane, l.columns + edge * kWordBytes);
        distance.set(lane, l.distances + neighbour * kWordBytes);
        if (l.tree->parent[neighbour] != vertex) continue;
        found.set(lane, l.distances + neighbour * kWordBytes);
        push.set(lane, l.queue_out + (l.tree->position[neighbour] - l.last) * kWordBytes);
    }
    if (column.mask == 0) return;
    e.load(bfs_neighbour, column, kWordBytes, {bfs_begin}).read_only = true;
    e.load(bfs_distance, distance, kWordBytes, {bfs_neighbour});
    e.compute(bfs_old, {bfs_distance});
    if (found.mask == 0) return;
    e.atomic(bfs_old, found, kWordBytes, {bfs_neighbour, bfs_old}); // compare and swap: who comes first?
    // One lane reserves places in the queue for the warp.
    Lanes counter = broadcast(l.counter, kWordBytes);
    counter.mask = found.mask & (0U - found.mask);
    e.atomic(bfs_slot, counter, {bfs_old});
    e.store(push, kWordBytes, {bfs_slot, bfs_neighbour});
}

struct LevelByVertices : BfsLevel {
    class Warp final : public StepStream<Warp, 6, 4> {
      public:
        Warp(const LevelByVertices& l, std::uint64_t block, unsigned warp)
            : l_(l), slot_(block * l.threads + std::uint64_t{warp} * kWarpLanes),
              mask_(lanes_below(slot_, l.last - l.first)) {
            for (unsigned lane = 0; lane < kWarpLanes && (mask_ >> lane & 1) != 0; ++lane)
                longest_ = std::max(longest_, l.graph->degree(vertex(lane)));
        }

        void step(Emitter& e) {
            if (mask_ != 0 && !started_) {
                started_ = true;
                load_frontier(e);
                return;
            }
            if (mask_ == 0 || done_ == longest_) {
                e.exit();
                return;
            }
            follow_edges(e, l_, [&](unsigned lane, std::uint32_t& vertex_of_lane, std::uint64_t& edge) {
                if ((mask_ >> lane & 1) == 0) return false;
                vertex_of_lane = vertex(lane);
                edge = std::uint64_t{l_.graph->offsets[vertex_of_lane]} + done_;
                return done_ < l_.graph->degree(vertex_of_lane);
            });
            ++done_;
        }

      private:
        std::uint32_t vertex(unsigned lane) const { return l_.tree->order[l_.first + slot_ + lane]; }
        void load_frontier(Emitter& e) {
            e.compute(bfs_index, {});
            e.load(bfs_vertex, contiguous(l_.queue_in + slot_ * kWordBytes, kWordBytes, mask_), {bfs_index});
            LaneList begin = e.list();
            LaneList end = e.list();
            for (unsigned lane = 0; lane < kWarpLanes && (mask_ >> lane & 1) != 0; ++lane) {
                begin.set(lane, l_.offsets + vertex(lane) * kWordBytes);
                end.set(lane, l_.offsets + (vertex(lane) + std::uint64_t{1}) * kWordBytes);
            }
            e.load(bfs_begin, begin, kWordBytes, {bfs_vertex}).read_only = true;
            e.load(bfs_end, end, kWordBytes, {bfs_vertex}).read_only = true;
            e.compute(bfs_begin, {bfs_begin, bfs_end});
        }

        const LevelByVertices& l_;
        std::uint64_t slot_;
        std::uint32_t mask_;
        std::uint32_t longest_ = 0;
        std::uint32_t done_ = 0;
        bool started_ = false;
    };
};

struct LevelByEdges : BfsLevel {
    std::uint64_t edges_begin() const { return tree->edges_before[first]; }
    std::uint64_t edges_end() const { return tree->edges_before[last]; }

    class Warp final : public StepStream<Warp, 10 + kSearchSteps, 6> {
      public:
        Warp(const LevelByEdges& l, std::uint64_t block, unsigned warp)
            : l_(l),
              edge_(l.edges_begin() + (block * (l.threads / kWarpLanes) + warp) * kWarpLanes * l.edges_per_thread),
              end_(std::min(l.edges_end(), edge_ + std::uint64_t{kWarpLanes} * l.edges_per_thread)) {
            const auto& before = l.tree->edges_before;
            if (edge_ < end_)
                slot_ = static_cast<std::uint32_t>(
                    std::upper_bound(before.begin() + l.first, before.begin() + l.last + 1, edge_) - before.begin() -
                    1);
        }

        /// 32 edges: each lane finds its vertex in the prefix sums that the block holds in shared memory.
        void step(Emitter& e) {
            if (edge_ >= end_) {
                e.exit();
                return;
            }
            std::uint32_t vertex[kWarpLanes];
            std::uint64_t edge[kWarpLanes];
            LaneList queue = e.list();
            LaneList offset = e.list();
            const auto& before = l_.tree->edges_before;
            for (unsigned lane = 0; lane < kWarpLanes && edge_ + lane < end_; ++lane) {
                while (before[slot_ + 1] <= edge_ + lane) ++slot_;
                vertex[lane] = l_.tree->order[slot_];
                edge[lane] = l_.graph->offsets[vertex[lane]] + (edge_ + lane - before[slot_]);
                queue.set(lane, l_.queue_in + (slot_ - l_.first) * kWordBytes);
                offset.set(lane, l_.offsets + vertex[lane] * kWordBytes);
            }
            e.compute(bfs_index, {bfs_index});
            for (unsigned i = 0; i < kSearchSteps; ++i) e.shared(bfs_slot, {bfs_index, bfs_slot});
            e.load(bfs_vertex, queue, kWordBytes, {bfs_slot});
            e.load(bfs_begin, offset, kWordBytes, {bfs_vertex}).read_only = true;
            e.compute(bfs_begin, {bfs_begin, bfs_slot});
            follow_edges(e, l_, [&](unsigned lane, std::uint32_t& vertex_of_lane, std::uint64_t& edge_of_lane) {
                if ((queue.mask >> lane & 1) == 0) return false;
                vertex_of_lane = vertex[lane];
                edge_of_lane = edge[lane];
                return true;
            });
            edge_ += kWarpLanes;
        }

      private:
        const LevelByEdges& l_;
        std::uint64_t edge_, end_;
        std::uint32_t slot_ = 0;
    };
};

std::uint32_t source_of(const Graph& graph, const GraphParameters& parameters) {
    if (parameters.kind == GraphKind::mesh && !parameters.shuffle) {
        const std::uint64_t middle =
            (parameters.nz / 2 * parameters.ny + parameters.ny / 2) * parameters.nx + parameters.nx / 2;
        return static_cast<std::uint32_t>(middle);
    }
    std::uint32_t best = 0;
    for (std::uint32_t v = 1; v < graph.vertices(); ++v)
        if (graph.degree(v) > graph.degree(best)) best = v;
    return best;
}

} // namespace

BfsTree search_graph(const Graph& graph, std::uint32_t source) {
    BfsTree tree;
    tree.parent.assign(graph.vertices(), BfsTree::kNone);
    tree.position.assign(graph.vertices(), BfsTree::kNone);
    tree.order.push_back(source);
    tree.position[source] = 0;
    tree.level_begin.push_back(0);
    std::uint32_t begin = 0;
    while (begin < tree.order.size()) {
        const auto end = static_cast<std::uint32_t>(tree.order.size());
        tree.level_begin.push_back(end);
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t u = tree.order[i];
            for (std::uint32_t edge = graph.offsets[u]; edge < graph.offsets[u + 1]; ++edge) {
                const std::uint32_t v = graph.columns[edge];
                if (tree.position[v] != BfsTree::kNone) continue;
                tree.position[v] = static_cast<std::uint32_t>(tree.order.size());
                tree.parent[v] = u;
                tree.order.push_back(v);
            }
        }
        begin = end;
    }
    tree.edges_before.reserve(tree.order.size() + 1);
    std::uint64_t edges = 0;
    for (const std::uint32_t v : tree.order) {
        tree.edges_before.push_back(edges);
        edges += graph.degree(v);
    }
    tree.edges_before.push_back(edges);
    return tree;
}

Bfs::Bfs(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.graph = scaled_graph(parameters.graph, context);
    graph_ = context.graphs->get(p_.graph, false, context.data_seed);
    tree_ = std::make_shared<BfsTree>(search_graph(*graph_, source_of(*graph_, p_.graph)));
}

std::vector<ArrayNeed> Bfs::arrays() const {
    const std::uint64_t vertices = graph_->vertices();
    return {
        {"offsets", (vertices + 1) * kWordBytes}, {"columns", std::max<std::uint64_t>(1, graph_->edges()) * kWordBytes},
        {"distances", vertices * kWordBytes},     {"queue_a", vertices * kWordBytes},
        {"queue_b", vertices * kWordBytes},       {"counter", kLineBytes}};
}

std::vector<std::shared_ptr<Kernel>> Bfs::kernels(const ArrayBases& at) const {
    const auto blocks_for = [&](std::uint64_t threads) {
        return std::max<std::uint64_t>(1, (threads + p_.threads - 1) / p_.threads);
    };
    const auto with_accesses = [](auto kernel) -> std::shared_ptr<Kernel> {
        kernel->set_accesses(count_accesses(*kernel));
        return kernel;
    };
    const std::uint64_t vertices = graph_->vertices();
    std::vector<std::shared_ptr<Kernel>> launches;
    launches.push_back(with_accesses(make_kernel(p_.shape("clear", blocks_for(vertices), 0),
                                                 ClearDistances{at.at("distances"), vertices, p_.threads})));
    for (std::size_t i = 0; i < tree_->levels(); ++i) {
        BfsLevel level{graph_,
                       tree_,
                       at.at("offsets"),
                       at.at("columns"),
                       at.at("distances"),
                       at.at(i % 2 == 0 ? "queue_a" : "queue_b"),
                       at.at(i % 2 == 0 ? "queue_b" : "queue_a"),
                       at.at("counter"),
                       tree_->level_begin[i],
                       tree_->level_begin[i + 1],
                       p_.threads,
                       p_.edges_per_thread};
        const std::string name = "level_" + std::to_string(i);
        if (p_.mapping == BfsMapping::vertices) {
            const KernelShape shape = p_.shape(name, blocks_for(level.last - level.first), 0);
            launches.push_back(with_accesses(make_kernel(shape, LevelByVertices{std::move(level)})));
        } else {
            const std::uint64_t edges = tree_->edges_before[level.last] - tree_->edges_before[level.first];
            const std::uint64_t threads = (edges + p_.edges_per_thread - 1) / p_.edges_per_thread;
            const KernelShape shape = p_.shape(name, blocks_for(threads), 0);
            launches.push_back(with_accesses(make_kernel(shape, LevelByEdges{std::move(level)})));
        }
    }
    return launches;
}

} // namespace numavp
