#include "sw/patterns/transformer/pattern_transformer_layer.h"

#include <algorithm>

#include <fmt/format.h>

#include "sw/loops/joined_kernel.h"
#include "sw/patterns/transformer/layer_parts.h"

namespace numavp {
namespace {

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
    if (!p.is_latent()) check("kv_heads", p.kv_heads);
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
    check(p.is_latent(), "q_lora", p.q_lora, usual.q_lora, "latent attention, kv_lora above 0");
    check(p.is_latent(), "rope_dim", p.rope_dim, usual.rope_dim, "latent attention, kv_lora above 0");
    check(!p.is_latent(), "kv_heads", p.kv_heads, usual.kv_heads, "layers without kv_lora");
    check(p.experts != 0, "shared_experts", p.shared_experts, usual.shared_experts, "layers with experts");
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

/// Rows of latent attention are made of whole instructions: scores along k, results along n.
void check_latent(const TransformerLayerParameters& p, const Place& place) {
    const MatrixShape shape = shape_of(p.attention_matrix);
    const auto check = [&](const char* name, std::uint64_t value, std::uint64_t of) {
        if (value % of != 0)
            throw ConfigError(place.at(name), fmt::format("{} is no multiple of {}, which {} needs in latent attention",
                                                          value, of, kMatrixOps.name(p.attention_matrix)));
    };
    check("rope_dim", p.rope_dim, shape.k);
    check("head_dim", p.head_dim, p.decodes() ? shape.k : std::max(shape.k, shape.n));
    check("kv_lora", p.kv_lora, p.decodes() ? std::max(shape.k, shape.n) : shape.k);
}

/// Vectors are loaded by whole pieces of 16 bytes.
void check_vectors(const TransformerLayerParameters& p, const Place& place) {
    constexpr unsigned kEach = Tile::kPiece / 2;
    for (const LayerProduct& product : products_of(p)) {
        if (product.k % kEach != 0)
            throw ConfigError(place.at("products"),
                              fmt::format("{} has {} rows of weights on a rank; vectors have multiples of {}",
                                          product.name, product.k, kEach));
        gemv_of(p, product).validate(place);
    }
}

void check_tiles(const TransformerLayerParameters& p, const Place& place, const std::vector<LayerProduct>& products) {
    for (const LayerProduct& product : products) {
        if (product.n % p.tile_n != 0)
            throw ConfigError(place.at("tile_n"), fmt::format("{} has {} columns on a rank, no multiple of {}",
                                                              product.name, product.n, p.tile_n));
        if (product.k % p.tile_k != 0)
            throw ConfigError(place.at("tile_k"), fmt::format("{} has {} rows of weights on a rank, no multiple of {}",
                                                              product.name, product.k, p.tile_k));
        gemm_of(p, product).validate(place);
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
    if (by_vector && (!decodes() || experts != 0 || batch > 16 || is_latent()))
        throw ConfigError(place.at("products"),
                          "vectors are for decode of a dense layer without kv_lora, with a batch of "
                          "at most 16; tensor_cores is allowed");
    if (experts != 0 && (top > experts || experts % kRouterTile != 0))
        throw ConfigError(
            place.at("experts"),
            fmt::format("{} experts; multiples of {} that are at least top are allowed", experts, kRouterTile));
    if (is_latent()) check_latent(*this, place);
    attention_of(*this).validate(place);
    if (by_vector) return check_vectors(*this, place);
    check_tiles(*this, place, products_of(*this));
    check_tiles(*this, place, expert_products_of(*this));
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
void TransformerLayer::add_each(const std::string& name, const typename P::Parameters& parameters,
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

void TransformerLayer::add_product(const LayerProduct& product, const char* in, const char* out) {
    const std::string weights = "w_" + product.name;
    const std::map<std::string, std::string> names = {{"a", in}, {"b", weights}, {"c", out}};
    if (p_.products == LayerProducts::vectors)
        add_each<Gemv>(product.name, gemv_of(p_, product), {{"x", in}, {"w", weights}, {"y", out}});
    else if (product.heads != 0)
        add_each<BatchedGemm>(product.name, batched_of(p_, product), names);
    else
        add_each<Gemm>(product.name, gemm_of(p_, product), names);
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
    std::map<std::string, LayerProduct> products;
    for (LayerProduct& product : products_of(p_)) products[product.name] = std::move(product);
    const auto add = [&](const char* name, const char* in, const char* out) {
        if (const auto found = products.find(name); found != products.end()) add_product(found->second, in, out);
    };
    add("qkv", "x", "qkv");
    add("q_a", "x", "q_a");
    add("q_b", p_.q_lora != 0 ? "q_a" : "x", "q");
    add("kv_a", "x", "latent");
    add("kv_b", "latent", "kv");
    add("absorb", "q", "q_latent");
    add_attention();
    add("expand", "attended_latent", "attended");
    add("o", "attended", sums ? "o_part" : "h");
    add_sum(sums ? "o_part" : "h", "h");
    add("gate_up", "h", "gate_up");
    add("down", "gate_up", sums ? "down_part" : "y");
    if (p_.experts != 0) {
        add_each<Gemm>("router", router_of(p_), {{"a", "h"}, {"b", "w_router"}});
        add("shared_gate_up", "h", "shared_gate_up");
        add("shared_down", "shared_gate_up", "shared_y");
        const std::vector<LayerProduct> routed = expert_products_of(p_);
        add_each<GroupedGemm>("gate_up", grouped_of(p_, routed[0]), {{"a", "h"}, {"b", "w_gate_up"}, {"c", "gate_up"}});
        add_each<GroupedGemm>("down", grouped_of(p_, routed[1]),
                              {{"a", "gate_up"}, {"b", "w_down"}, {"c", sums ? "down_part" : "y"}});
    }
    add_sum(sums ? "down_part" : "y", "y");
}

/// Keys of latent attention in prefill lie in an array that no kernel writes: rotary embedding completes them.
void TransformerLayer::add_attention() {
    std::map<std::string, std::string> names = {{"qkv", "qkv"}, {"k", "k"}, {"v", "v"}, {"o", "attended"}};
    if (p_.is_latent() && p_.decodes())
        names = {{"q", "q_latent"}, {"k", "latent_cache"}, {"o", "attended_latent"}};
    else if (p_.is_latent())
        names = {{"q", "q"}, {"k", "k"}, {"v", "kv"}, {"o", "attended"}};
    add_each<Attention>("attention", attention_of(p_), names);
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
