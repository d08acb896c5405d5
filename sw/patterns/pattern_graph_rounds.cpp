#include "sw/patterns/pattern_graph_rounds.h"

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint32_t kReadFields = 2; ///< of a vertex' own fields, in a round
constexpr std::uint64_t kVectorWords = 4;
constexpr std::uint64_t kCounter = kWarpLanes;
constexpr unsigned kMergeShift = 2; ///< components grow about fourfold in a round of Boruvka

std::uint32_t highest_degree(const Graph& graph) {
    std::uint32_t highest = 1;
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) highest = std::max(highest, graph.degree(v));
    return highest;
}

} // namespace

void GraphRoundsParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
    if (queue % kVectorWords != 0 || (kind == RoundKind::worklist && queue == 0))
        throw ConfigError(place.at("queue"), "entries are whole vectors of 4 words, at least one for a worklist");
}

GraphRounds::GraphRounds(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), data_seed_(context.data_seed),
      graph_(context.graphs->get(scaled_graph(parameters.graph, context), false, context.data_seed)) {
    if (p_.kind != RoundKind::merge) tree_ = std::make_shared<BfsTree>(search_graph(*graph_, graph_->vertices() / 2));
}

std::vector<ArrayNeed> GraphRounds::arrays() const {
    const std::uint64_t vertices = whole_groups(graph_->vertices());
    const std::uint64_t edges = std::max<std::uint64_t>(1, graph_->edges());
    std::vector<ArrayNeed> needs = {{"offsets", (vertices + 1) * kWordBytes},
                                    {"columns", edges * kWordBytes},
                                    {"values", vertices * kWordBytes},
                                    {"nodes", vertices * p_.node_fields * kWordBytes},
                                    {"counter", kCounter * kWordBytes}};
    if (p_.weights) needs.push_back({"weights", edges * kWordBytes});
    if (p_.queue != 0) {
        needs.push_back({"queue", vertices * p_.queue * kWordBytes});
    }
    return needs;
}

std::shared_ptr<Kernel> GraphRounds::sampled(const std::string& name, ItemLoop loop) const {
    loop.share = share_of(p_, share_, name);
    return make_item_loop(p_.shape(name, 0, 0), std::move(loop));
}

/// The kernels of one round. Items are vertices, or entries of the queue.
std::vector<std::shared_ptr<Kernel>> GraphRounds::round(std::uint32_t number, const ArrayBases& at) const {
    const std::shared_ptr<const Graph> graph = graph_;
    const std::shared_ptr<const BfsTree> tree = tree_;
    const std::uint64_t vertices = whole_groups(graph->vertices());
    std::uint64_t level = 0;
    if (tree) {
        const std::uint64_t levels = tree->levels();
        level = p_.rounds >= levels ? std::min<std::uint64_t>(number, levels - 1)
                                    : (2 * number + 1) * levels / (2 * std::uint64_t{p_.rounds});
    }
    const std::uint32_t begin = tree ? tree->level_begin[level] : 0;
    const std::uint32_t end = tree ? tree->level_begin[level + 1] : 0;
    const bool queued = p_.kind == RoundKind::worklist;
    const bool by_level = p_.kind == RoundKind::level;
    const bool merging = p_.kind == RoundKind::merge;
    const auto vertex = [=](std::uint64_t item) {
        return queued ? tree->order[begin + item] : static_cast<std::uint32_t>(item);
    };
    const auto takes_part = [=](std::uint32_t v) {
        return !by_level || (tree->position[v] >= begin && tree->position[v] < end);
    };
    const auto of_vertex = make_map(
        [=](std::uint64_t item, std::uint32_t slot) {
            const std::uint32_t v = vertex(item);
            return takes_part(v) ? slot * vertices + v : IndexMap::kNone;
        },
        !by_level);
    const auto edge_of = [=](std::uint64_t item, std::uint32_t slot) {
        const std::uint32_t v = vertex(item);
        return takes_part(v) && slot < graph->degree(v) ? graph->offsets[v] + slot : IndexMap::kNone;
    };
    const auto edges = [=](std::uint64_t item) { return takes_part(vertex(item)) ? graph->degree(vertex(item)) : 0U; };
    const auto edge = make_map_of_some(edge_of, edges);
    const auto neighbour = make_map_of_some(
        [=](std::uint64_t item, std::uint32_t slot) {
            const std::uint64_t e = edge_of(item, slot);
            return e == IndexMap::kNone ? e : graph->columns[e];
        },
        edges);
    // The neighbours that a search discovers from this vertex are those whose value the round lowers.
    const auto lowered_of = [=](std::uint64_t item, std::uint32_t slot) {
        const std::uint64_t e = edge_of(item, slot);
        if (e == IndexMap::kNone) return e;
        const std::uint32_t other = graph->columns[e];
        const bool now = tree->position[other] >= end && tree->parent[other] == vertex(item);
        // All vertices relax in every round, but only the wave front lowers anything.
        const bool in_front = tree->position[vertex(item)] >= begin && tree->position[vertex(item)] < end;
        return now && in_front ? static_cast<std::uint64_t>(other) : IndexMap::kNone;
    };
    // Only the wave front has any.
    const auto lowering = [=](std::uint64_t item) {
        const std::uint32_t v = vertex(item);
        return tree->position[v] >= begin && tree->position[v] < end ? graph->degree(v) : 0U;
    };
    const auto lowered = make_map_of_some(lowered_of, lowering);
    const auto degree = highest_degree(*graph);

    ItemLoop loop;
    loop.items = queued ? end - begin : graph->vertices();
    loop.per_block = p_.per_block;
    loop.least_blocks = std::max<std::uint64_t>(1, p_.blocks);
    if (p_.blocks != 0)
        loop.per_block = std::max<std::uint64_t>(kWarpLanes, whole_groups((loop.items + p_.blocks - 1) / p_.blocks));
    loop.warps = p_.warps();
    loop.seed = data_seed_;
    loop.work = p_.work;
    // An entry of the queue is some vectors; a ring keeps the entries of a search in their order.
    const std::uint64_t vectors = p_.queue / kVectorWords;
    if (queued)
        loop.body.push_back(mapped_access(
            Op::load, at.at("queue"), kVectorWords * kWordBytes,
            make_map([=](std::uint64_t item, std::uint32_t slot) { return (begin + item) * vectors + slot; }),
            static_cast<std::uint32_t>(vectors)));
    if (by_level) loop.body.push_back(own_access(Op::load, at.at("nodes"), vertices, kWordBytes)); // the mask
    loop.body.push_back(mapped_access(Op::load, at.at("offsets"), kWordBytes, of_vertex, 1, queued));
    loop.body.push_back(mapped_access(Op::load, at.at("values"), kWordBytes, of_vertex));
    if (!by_level)
        loop.body.push_back(
            mapped_access(Op::load, at.at("nodes"), kWordBytes, of_vertex, std::min(kReadFields, p_.node_fields)));
    loop.body.push_back(mapped_access(Op::load, at.at("columns"), kWordBytes, edge, degree, true));
    if (p_.weights) loop.body.push_back(mapped_access(Op::load, at.at("weights"), kWordBytes, edge, degree));
    loop.body.push_back(mapped_access(Op::load, at.at("values"), kWordBytes, neighbour, degree, true));
    if (!merging) {
        loop.body.push_back(
            mapped_access(by_level ? Op::store : Op::reduce, at.at("values"), kWordBytes, lowered, degree));
        if (queued) {
            const auto push = [=](std::uint64_t item, std::uint32_t slot) {
                const std::uint64_t other = lowered_of(item, slot);
                return other == IndexMap::kNone ? other : tree->position[other] * vectors;
            };
            const auto counter = [=](std::uint64_t item, std::uint32_t slot) {
                return lowered_of(item, slot) == IndexMap::kNone ? IndexMap::kNone : 0;
            };
            loop.body.push_back(
                mapped_access(Op::atomic, at.at("counter"), kWordBytes, make_map_of_some(counter, lowering), degree));
            loop.body.push_back(mapped_access(Op::store, at.at("queue"), kVectorWords * kWordBytes,
                                              make_map_of_some(push, lowering), degree));
        }
        if (by_level) // the mask of the next round
            loop.body.push_back(mapped_access(Op::store, at.at("nodes"), kWordBytes, lowered, degree));
        return {sampled("round_" + std::to_string(level), std::move(loop))};
    }
    const unsigned shift = kMergeShift * (number + 1);
    const auto leader = make_map([=](std::uint64_t item, std::uint32_t) {
        return shift >= 64 ? 0 : vertex(item) >> shift << shift; // the component's first vertex
    });
    ItemLoop rename = loop;
    rename.body = {own_access(Op::load, at.at("nodes"), vertices, kWordBytes),
                   mapped_access(Op::load, at.at("values"), kWordBytes, leader, 1, true),
                   own_access(Op::store, at.at("values"), vertices, kWordBytes)};
    loop.body.push_back(mapped_access(Op::reduce, at.at("nodes"), kWordBytes, leader));
    return {sampled("lightest_" + std::to_string(number), std::move(loop)),
            sampled("rename_" + std::to_string(number), std::move(rename))};
}

std::vector<std::shared_ptr<Kernel>> GraphRounds::kernels(const ArrayBases& at) const {
    const std::uint64_t vertices = whole_groups(graph_->vertices());
    ItemLoop set_up;
    set_up.items = graph_->vertices();
    set_up.per_block = p_.per_block;
    set_up.least_blocks = std::max<std::uint64_t>(1, p_.blocks);
    if (p_.blocks != 0) set_up.per_block = whole_groups((set_up.items + p_.blocks - 1) / p_.blocks);
    set_up.warps = p_.warps();
    set_up.body = {own_access(Op::store, at.at("values"), vertices, kWordBytes),
                   own_access(Op::store, at.at("nodes"), vertices, kWordBytes, p_.node_fields)};
    std::vector<std::shared_ptr<Kernel>> launches = {make_item_loop(p_.shape("set_up", 0, 0), std::move(set_up))};
    std::uint32_t rounds = p_.rounds;
    if (p_.kind == RoundKind::level || p_.kind == RoundKind::worklist)
        rounds = static_cast<std::uint32_t>(std::min<std::size_t>(rounds, tree_->levels()));
    for (std::uint32_t i = 0; i < rounds; ++i)
        for (std::shared_ptr<Kernel>& kernel : round(i, at)) launches.push_back(std::move(kernel));
    return launches;
}

} // namespace numavp
