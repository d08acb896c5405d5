#include "sw/patterns/transformer/pattern_transformer_layer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sw/loops/joined_kernel.h"

namespace numavp {
namespace {

constexpr std::uint32_t kRouterTile = 8; ///< columns of the router's tiles, which divide every number of experts

struct LayerProduct {
    const char* name;
    std::uint64_t n, k;
};

/// Products of a rank, but for the router.
std::array<LayerProduct, 4> products_of(const TransformerLayerParameters& p) {
    const std::uint64_t t = p.tensor_parallel, heads = p.heads / t, kv_heads = p.kv_heads / t;
    return {{{"qkv", (heads + 2 * kv_heads) * p.head_dim, p.hidden},
             {"o", p.hidden, heads * p.head_dim},
             {"gate_up", 2 * p.ffn / t, p.hidden},
             {"down", p.hidden, p.ffn / t}}};
}

GemmParameters gemm_of(const TransformerLayerParameters& p, std::uint64_t n, std::uint64_t k) {
    GemmParameters gemm;
    gemm.m = p.rows();
    gemm.n = n;
    gemm.k = k;
    gemm.tile_m = p.tile_m;
    gemm.tile_n = p.tile_n;
    gemm.tile_k = p.tile_k;
    gemm.stages = p.stages;
    gemm.warps_m = p.warps_m;
    gemm.warps_n = p.warps_n;
    gemm.registers = p.registers;
    gemm.element = Element::bf16;
    gemm.matrix = p.matrix;
    gemm.bypass_l1 = p.bypass_l1;
    return gemm;
}

/// The router's tile is as high as a product's, and narrow: too narrow for asynchronous instructions.
GemmParameters router_of(const TransformerLayerParameters& p) {
    GemmParameters gemm = gemm_of(p, p.experts, p.hidden);
    gemm.tile_n = kRouterTile;
    if (shape_of(p.matrix).is_asynchronous()) gemm.matrix = MatrixOp::hmma_16816;
    gemm.warps_m = std::max(1U, p.tile_m / shape_of(gemm.matrix).m);
    gemm.warps_n = 1;
    return gemm;
}

GemvParameters gemv_of(const TransformerLayerParameters& p, std::uint64_t n, std::uint64_t k) {
    GemvParameters gemv;
    gemv.n = n;
    gemv.k = k;
    gemv.vectors = static_cast<std::uint32_t>(p.batch);
    gemv.bypass_l1 = p.bypass_l1;
    return gemv;
}

GroupedGemmParameters grouped_of(const TransformerLayerParameters& p, std::uint64_t n, std::uint64_t k) {
    GroupedGemmParameters grouped;
    static_cast<GemmParameters&>(grouped) = gemm_of(p, n, k);
    grouped.tokens = p.rows();
    grouped.experts = p.experts;
    grouped.top = p.top;
    grouped.gini_percent = p.gini_percent;
    return grouped;
}

AttentionParameters attention_of(const TransformerLayerParameters& p) {
    AttentionParameters attention;
    attention.batch = p.batch;
    attention.queries = p.decodes() ? 1 : p.tokens;
    attention.context = p.decodes() ? p.context : p.tokens;
    attention.heads = p.heads / p.tensor_parallel;
    attention.kv_heads = p.kv_heads / p.tensor_parallel;
    attention.head_dim = p.head_dim;
    attention.causal = true;
    attention.tile_q = p.tile_q;
    attention.tile_kv = p.tile_kv;
    attention.warps = p.warps;
    attention.row_groups = p.row_groups;
    attention.splits = p.splits;
    attention.element = Element::bf16;
    attention.matrix = p.attention_matrix;
    attention.layout = TokenLayout::packed;
    attention.bypass_l1 = p.bypass_l1;
    return attention;
}

CollectiveParameters sum_of(const TransformerLayerParameters& p) {
    CollectiveParameters sum;
    sum.ranks = p.tensor_parallel;
    sum.bytes = p.rows() * p.hidden * 2;
    sum.algorithm = p.algorithm;
    sum.blocks = p.blocks;
    return sum;
}

bool in_place(CollectiveAlgorithm algorithm) {
    return algorithm == CollectiveAlgorithm::ring || algorithm == CollectiveAlgorithm::tree;
}

void check_shares(const TransformerLayerParameters& p, const Place& place) {
    const auto check = [&](const char* name, std::uint64_t value) {
        if (value % p.tensor_parallel != 0)
            throw ConfigError(
                place.at("tensor_parallel"),
                fmt::format("{} ranks have no equal shares of {}, which is {}", p.tensor_parallel, name, value));
    };
    check("heads", p.heads);
    check("kv_heads", p.kv_heads);
    check("ffn", p.ffn);
    constexpr unsigned kEach = Tile::kPiece / 2; // elements of a rank's smallest part of a sum
    if (p.tensor_parallel > 1 && p.hidden % (kEach * p.tensor_parallel) != 0)
        throw ConfigError(place.at("tensor_parallel"),
                          fmt::format("{} ranks have no equal shares of hidden, which is {}: its multiples of {} have",
                                      p.tensor_parallel, p.hidden, kEach * p.tensor_parallel));
}

/// Refuses settings that the layer would not use, unless they have their defaults.
void check_unused(const TransformerLayerParameters& p, const Place& place) {
    const TransformerLayerParameters usual;
    const auto check = [&](bool used, const char* name, std::uint64_t value, std::uint64_t allowed, const char* whose) {
        if (!used && value != allowed)
            throw ConfigError(place.at(name), fmt::format("is of {}; {} is allowed without", whose, allowed));
    };
    check(p.decodes(), "context", p.context, usual.context, "decode");
    check(!p.decodes(), "tokens", p.tokens, usual.tokens, "prefill");
    check(p.experts != 0, "top", p.top, usual.top, "layers with experts");
    check(p.experts != 0, "gini_percent", p.gini_percent, usual.gini_percent, "layers with experts");
    if (p.algorithm == CollectiveAlgorithm::in_switch)
        throw ConfigError(place.at("algorithm"),
                          "in_switch is not of a layer; ring, one_shot, two_shot and tree are allowed");
    const bool sums = p.tensor_parallel > 1;
    if (!sums && p.algorithm != usual.algorithm)
        throw ConfigError(place.at("algorithm"), fmt::format("is of tensor_parallel above 1; {} is allowed without",
                                                             kCollectiveAlgorithms.name(usual.algorithm)));
    check(sums, "blocks", p.blocks, usual.blocks, "tensor_parallel above 1");
    const bool tiles = p.products == LayerProducts::tensor_cores;
    const char* const whose = "products tensor_cores";
    check(tiles, "tile_m", p.tile_m, usual.tile_m, whose);
    check(tiles, "tile_n", p.tile_n, usual.tile_n, whose);
    check(tiles, "tile_k", p.tile_k, usual.tile_k, whose);
    check(tiles, "stages", p.stages, usual.stages, whose);
    check(tiles, "warps_m", p.warps_m, usual.warps_m, whose);
    check(tiles, "warps_n", p.warps_n, usual.warps_n, whose);
    check(tiles, "registers", p.registers, usual.registers, whose);
    if (!tiles && p.matrix != usual.matrix)
        throw ConfigError(place.at("matrix"),
                          fmt::format("is of {}; {} is allowed without", whose, kMatrixOps.name(usual.matrix)));
}

/// Vectors are loaded by whole pieces of 16 bytes.
void check_vectors(const TransformerLayerParameters& p, const Place& place) {
    constexpr unsigned kEach = Tile::kPiece / 2;
    for (const LayerProduct& product : products_of(p)) {
        if (product.k % kEach != 0)
            throw ConfigError(place.at("products"),
                              fmt::format("{} has {} rows of weights on a rank; vectors have multiples of {}",
                                          product.name, product.k, kEach));
        gemv_of(p, product.n, product.k).validate(place);
    }
}

} // namespace

void TransformerLayerParameters::validate(const Place& place) const {
    check_shares(*this, place);
    check_unused(*this, place);
    if (decodes() != (splits != 0))
        throw ConfigError(place.at("splits"),
                          decodes() ? "decode has at least 1" : "only decode has splits; 0 is allowed");
    const bool by_vector = products == LayerProducts::vectors;
    if (by_vector && (!decodes() || experts != 0 || batch > 16))
        throw ConfigError(
            place.at("products"),
            "vectors are for decode of a dense layer with a batch of at most 16; tensor_cores is allowed");
    if (experts != 0 && (top > experts || experts % kRouterTile != 0))
        throw ConfigError(
            place.at("experts"),
            fmt::format("{} experts; multiples of {} that are at least top are allowed", experts, kRouterTile));
    attention_of(*this).validate(place);
    if (by_vector) return check_vectors(*this, place);
    for (const LayerProduct& product : products_of(*this)) {
        if (product.n % tile_n != 0)
            throw ConfigError(place.at("tile_n"), fmt::format("{} has {} columns on a rank, no multiple of {}",
                                                              product.name, product.n, tile_n));
        if (product.k % tile_k != 0)
            throw ConfigError(place.at("tile_k"), fmt::format("{} has {} rows of weights on a rank, no multiple of {}",
                                                              product.name, product.k, tile_k));
        gemm_of(*this, product.n, product.k).validate(place);
    }
    if (experts != 0) router_of(*this).validate(place);
}

/// A part of the layer: a pattern for each rank, or one for each group of ranks; those of a group follow each other.
struct TransformerLayer::Stage {
    std::vector<std::unique_ptr<Pattern>> patterns;
    std::vector<std::map<std::string, std::string>> names; ///< of each: array of the layer by role

    ArrayBases bases(std::size_t i, const ArrayBases& of_layer) const {
        ArrayBases own;
        for (const auto& [role, name] : names[i]) own[role] = of_layer.at(name);
        return own;
    }
};

/// A pattern for each rank of all groups, whose arrays have the names that `names` gives, or the stage's, and the
/// rank's number.
template <class P>
void TransformerLayer::add_each(const char* name, const typename P::Parameters& parameters,
                                const std::map<std::string, std::string>& names) {
    Stage stage;
    for (unsigned rank = 0; rank < p_.ranks(); ++rank) {
        auto pattern = std::make_unique<P>(parameters, whole_);
        std::map<std::string, std::string> of_rank;
        for (const ArrayNeed& need : pattern->arrays()) {
            const auto given = names.find(need.role);
            of_rank[need.role] = fmt::format(
                "{}_{}", given != names.end() ? given->second : fmt::format("{}_{}", name, need.role), rank);
        }
        stage.names.push_back(std::move(of_rank));
        stage.patterns.push_back(std::move(pattern));
    }
    stages_.push_back(std::move(stage));
}

void TransformerLayer::add_product(const char* name, std::uint64_t n, std::uint64_t k, const char* in,
                                   const char* out) {
    const std::string weights = fmt::format("w_{}", name);
    if (p_.products == LayerProducts::vectors)
        add_each<Gemv>(name, gemv_of(p_, n, k), {{"x", in}, {"w", weights}, {"y", out}});
    else
        add_each<Gemm>(name, gemm_of(p_, n, k), {{"a", in}, {"b", weights}, {"c", out}});
}

void TransformerLayer::add_experts(const char* name, std::uint64_t n, std::uint64_t k, const char* in,
                                   const char* out) {
    add_each<GroupedGemm>(name, grouped_of(p_, n, k), {{"a", in}, {"b", fmt::format("w_{}", name)}, {"c", out}});
}

/// Sums of the arrays `in` of each group's ranks, as arrays `out`, which are the same for sums in place.
void TransformerLayer::add_sum(const char* in, const char* out) {
    if (p_.tensor_parallel == 1) return;
    AllReduce::Parameters parameters;
    static_cast<CollectiveParameters&>(parameters) = sum_of(p_);
    Stage stage;
    for (unsigned first = 0; first < p_.ranks(); first += p_.tensor_parallel) {
        std::map<std::string, std::string> names;
        for (unsigned i = 0; i < p_.tensor_parallel; ++i) {
            const unsigned rank = first + i;
            names[fmt::format("in_{}", i)] = names[fmt::format("buffer_{}", i)] = fmt::format("{}_{}", in, rank);
            names[fmt::format("out_{}", i)] = fmt::format("{}_{}", out, rank);
            names[fmt::format("scratch_{}", i)] = fmt::format("scratch_{}", rank);
        }
        auto pattern = std::make_unique<AllReduce>(parameters, whole_);
        std::map<std::string, std::string> used;
        for (const ArrayNeed& need : pattern->arrays()) used[need.role] = names.at(need.role);
        stage.names.push_back(std::move(used));
        stage.patterns.push_back(std::move(pattern));
    }
    stages_.push_back(std::move(stage));
}

TransformerLayer::TransformerLayer(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), whole_(context) {
    if (p_.decodes())
        p_.context = context.scaled(p_.context);
    else
        p_.tokens = context.scaled(p_.tokens);
    whole_.scale = 1.0;
    const bool sums = p_.tensor_parallel > 1 && !in_place(p_.algorithm);
    const auto [qkv, o, gate_up, down] = products_of(p_);
    add_product(qkv.name, qkv.n, qkv.k, "x", "qkv");
    add_each<Attention>("attention", attention_of(p_), {{"qkv", "qkv"}, {"k", "k"}, {"v", "v"}, {"o", "attended"}});
    add_product(o.name, o.n, o.k, "attended", sums ? "o_part" : "h");
    add_sum(sums ? "o_part" : "h", "h");
    if (p_.experts == 0) {
        add_product(gate_up.name, gate_up.n, gate_up.k, "h", "gate_up");
        add_product(down.name, down.n, down.k, "gate_up", sums ? "down_part" : "y");
    } else {
        add_each<Gemm>("router", router_of(p_), {{"a", "h"}, {"b", "w_router"}});
        add_experts(gate_up.name, gate_up.n, gate_up.k, "h", "gate_up");
        add_experts(down.name, down.n, down.k, "gate_up", sums ? "down_part" : "y");
    }
    add_sum(sums ? "down_part" : "y", "y");
}

TransformerLayer::~TransformerLayer() = default;

std::vector<ArrayNeed> TransformerLayer::arrays() const {
    std::vector<ArrayNeed> needs;
    std::map<std::string, std::size_t> index;
    for (const Stage& stage : stages_)
        for (std::size_t i = 0; i < stage.patterns.size(); ++i)
            for (const ArrayNeed& need : stage.patterns[i]->arrays()) {
                const std::string& name = stage.names[i].at(need.role);
                const auto [entry, is_new] = index.try_emplace(name, needs.size());
                if (is_new) needs.push_back({name, 0});
                needs[entry->second].bytes = std::max(needs[entry->second].bytes, need.bytes);
            }
    return needs;
}

std::vector<std::shared_ptr<Kernel>> TransformerLayer::kernels(const ArrayBases& at) const {
    std::vector<std::shared_ptr<Kernel>> launches;
    for (const Stage& stage : stages_) {
        std::vector<std::vector<std::shared_ptr<Kernel>>> of_pattern;
        for (std::size_t i = 0; i < stage.patterns.size(); ++i)
            of_pattern.push_back(stage.patterns[i]->kernels(stage.bases(i, at)));
        const std::size_t of_group = of_pattern.size() / p_.data_parallel;
        for (std::size_t launch = 0; launch < of_pattern.front().size(); ++launch) {
            std::vector<std::shared_ptr<Kernel>> groups;
            for (std::size_t first = 0; first < of_pattern.size(); first += of_group) {
                std::vector<std::shared_ptr<Kernel>> ranks;
                for (std::size_t i = 0; i < of_group; ++i) ranks.push_back(of_pattern[first + i][launch]);
                groups.push_back(join_kernels(std::move(ranks), kRankDigit));
            }
            launches.push_back(join_kernels(std::move(groups), kGroupDigit));
        }
    }
    return launches;
}

} // namespace numavp
