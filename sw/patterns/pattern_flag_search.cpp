#include "sw/patterns/pattern_flag_search.h"

#include <algorithm>

namespace numavp {
namespace {

constexpr unsigned kFlagBytes = 1;
constexpr unsigned kNodeBytes = 8; ///< first edge and number of edges

/// The vertex itself, if it was discovered between two places of the search's order.
std::shared_ptr<const IndexMap> vertices_between(const std::shared_ptr<const BfsTree>& tree, std::uint32_t begin,
                                                 std::uint32_t end) {
    return make_map(
        [=](std::uint64_t item, std::uint32_t) {
            const std::uint32_t position = tree->position[item];
            return position >= begin && position < end ? item : IndexMap::kNone;
        },
        false);
}

} // namespace

FlagSearch::FlagSearch(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), data_seed_(context.data_seed),
      graph_(context.graphs->get(scaled_graph(parameters.graph, context), false, context.data_seed)),
      tree_(std::make_shared<BfsTree>(search_graph(*graph_, 0))) {
    for (std::uint32_t v = 0; v < graph_->vertices(); ++v)
        highest_degree_ = std::max(highest_degree_, graph_->degree(v));
}

std::vector<ArrayNeed> FlagSearch::arrays() const {
    const std::uint64_t vertices = whole_groups(graph_->vertices());
    return {{"nodes", vertices * kNodeBytes},
            {"edges", std::max<std::uint64_t>(1, graph_->edges()) * kWordBytes},
            {"mask", vertices * kFlagBytes},
            {"updating", vertices * kFlagBytes},
            {"visited", vertices * kFlagBytes},
            {"cost", vertices * kWordBytes},
            {"over", kWordBytes}};
}

/// A thread for each vertex, without accesses.
ItemLoop FlagSearch::loop_over_vertices() const {
    ItemLoop loop;
    loop.items = graph_->vertices();
    loop.per_block = p_.threads;
    loop.warps = p_.warps();
    loop.share = share_;
    loop.seed = data_seed_;
    loop.work = p_.work;
    return loop;
}

std::shared_ptr<Kernel> FlagSearch::visit(std::uint32_t begin, std::uint32_t end, const ArrayBases& at) const {
    const std::shared_ptr<const Graph> graph = graph_;
    const std::shared_ptr<const BfsTree> tree = tree_;
    const std::uint64_t vertices = whole_groups(graph->vertices());
    const auto edges_of = [=](std::uint64_t item) {
        const std::uint32_t position = tree->position[item];
        return position >= begin && position < end ? graph->degree(static_cast<std::uint32_t>(item)) : 0U;
    };
    const auto edge_of = [=](std::uint64_t item, std::uint32_t slot) {
        return slot < edges_of(item) ? std::uint64_t{graph->offsets[item]} + slot : IndexMap::kNone;
    };
    const auto neighbour_of = [=](std::uint64_t item, std::uint32_t slot) {
        const std::uint64_t edge = edge_of(item, slot);
        return edge == IndexMap::kNone ? edge : std::uint64_t{graph->columns[edge]};
    };
    // Several vertices of the frontier may find the same one: each stores, as in the application.
    const auto found_by = [=](std::uint64_t item, std::uint32_t slot) {
        const std::uint64_t other = neighbour_of(item, slot);
        return other != IndexMap::kNone && tree->position[other] >= end ? other : IndexMap::kNone;
    };
    const auto in_frontier = vertices_between(tree, begin, end);
    const auto found = make_map_of_some(found_by, edges_of);
    ItemLoop loop = loop_over_vertices();
    loop.body = {
        own_access(Op::load, at.at("mask"), vertices, kFlagBytes),
        mapped_access(Op::store, at.at("mask"), kFlagBytes, in_frontier),
        mapped_access(Op::load, at.at("nodes"), kNodeBytes, in_frontier),
        mapped_access(Op::load, at.at("edges"), kWordBytes, make_map_of_some(edge_of, edges_of), highest_degree_, true),
        mapped_access(Op::load, at.at("visited"), kFlagBytes, make_map_of_some(neighbour_of, edges_of), highest_degree_,
                      true),
        mapped_access(Op::load, at.at("cost"), kWordBytes, in_frontier),
        mapped_access(Op::store, at.at("cost"), kWordBytes, found, highest_degree_),
        mapped_access(Op::store, at.at("updating"), kFlagBytes, found, highest_degree_)};
    return make_item_loop(p_.shape("visit", 0, 0), std::move(loop));
}

std::shared_ptr<Kernel> FlagSearch::update(std::uint32_t begin, std::uint32_t end, const ArrayBases& at) const {
    const std::shared_ptr<const BfsTree> tree = tree_;
    const std::uint64_t vertices = whole_groups(graph_->vertices());
    const auto next = vertices_between(tree, begin, end);
    const auto one_place = make_map(
        [=](std::uint64_t item, std::uint32_t slot) {
            return next->element(item, slot) == IndexMap::kNone ? IndexMap::kNone : std::uint64_t{0};
        },
        false);
    ItemLoop loop = loop_over_vertices();
    loop.body = {own_access(Op::load, at.at("updating"), vertices, kFlagBytes),
                 mapped_access(Op::store, at.at("mask"), kFlagBytes, next),
                 mapped_access(Op::store, at.at("visited"), kFlagBytes, next),
                 mapped_access(Op::store, at.at("over"), kFlagBytes, one_place),
                 mapped_access(Op::store, at.at("updating"), kFlagBytes, next)};
    return make_item_loop(p_.shape("update", 0, 0), std::move(loop));
}

std::vector<std::shared_ptr<Kernel>> FlagSearch::kernels(const ArrayBases& at) const {
    std::vector<std::shared_ptr<Kernel>> launches;
    const auto levels = static_cast<std::uint32_t>(tree_->levels());
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t end = tree_->level_begin[level + 1];
        const std::uint32_t next_end = level + 1 < levels ? tree_->level_begin[level + 2] : end;
        launches.push_back(visit(tree_->level_begin[level], end, at));
        launches.push_back(update(end, next_end, at));
    }
    return launches;
}

} // namespace numavp
