#include "sw/patterns/transformer/pattern_attention.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {
namespace {

AttentionLoop loop_of_attention(const AttentionParameters& p) {
    AttentionLoop loop;
    loop.batch = p.batch;
    loop.kv_heads = p.kv_heads;
    loop.group = p.heads / p.kv_heads;
    loop.queries = p.queries;
    loop.context = p.context;
    loop.head_dim = p.head_dim;
    loop.value_dim = p.value_dim;
    loop.latent = p.latent;
    loop.v_head_pitch = p.value_pitch * std::uint64_t{bytes_of(p.element)};
    loop.tile_q = p.tile_q;
    loop.tile_kv = p.tile_kv;
    loop.warps = p.warps;
    loop.row_groups = p.row_groups != 0 ? p.row_groups : p.warps;
    loop.splits = static_cast<unsigned>(std::min<std::uint64_t>(p.splits, loop.kv_tiles()));
    loop.element = p.element;
    loop.op = p.matrix;
    loop.causal = p.causal;
    loop.heads_first = p.layout == TokenLayout::heads_first;
    if (p.layout == TokenLayout::packed) {
        loop.q_pitch = (p.heads + std::uint64_t{p.kv_heads}) * loop.row_bytes() + p.kv_heads * loop.value_bytes();
        if (!p.has_cache()) loop.kv_pitch = loop.q_pitch;
    }
    loop.q_in_registers = p.q_in_registers;
    loop.bypass_l1 = p.bypass_l1;
    return loop;
}

void check_part(const Place& place, const char* name, std::uint64_t value, std::uint64_t of, const char* why) {
    if (value % of != 0) throw ConfigError(place.at(name), fmt::format("{} is no multiple of {}: {}", value, of, why));
}

/// Asynchronous instructions, of which whole ones make the scores and the results of a block.
void check_asynchronous(const Place& place, const AttentionParameters& p, const MatrixShape& shape) {
    const bool of_group = shape.issue == MatrixIssue::warp_group;
    if (of_group) check_part(place, "warps", p.warps, 4, "the instruction is of groups of four warps");
    if (p.row_groups != 0 && p.row_groups != p.warps)
        throw ConfigError(place.at("row_groups"),
                          "with an asynchronous instruction each warp has rows of its own; 0 is "
                          "allowed");
    check_part(place, "tile_q", p.tile_q, shape.m * (of_group ? p.warps : 1), "rows of the matrix instructions");
    check_part(place, "tile_kv", p.tile_kv, shape.n, "columns of the matrix instruction, which makes scores");
    check_part(place, p.value_dim != 0 ? "value_dim" : "head_dim", p.values(), shape.n,
               "columns of the matrix instruction, which makes results");
}

/// Rows of values that are not as those of keys.
void check_values(const Place& place, const AttentionParameters& p, const AttentionLoop& loop) {
    if (p.latent && p.values() > p.head_dim)
        throw ConfigError(place.at("value_dim"),
                          "latent values are a part of the keys' rows; at most head_dim is allowed");
    if (p.latent && p.layout == TokenLayout::packed)
        throw ConfigError(place.at("latent"), "packed keys have values of their own; tokens_first is allowed");
    if (p.value_pitch == 0) return;
    if (p.latent || p.layout != TokenLayout::tokens_first)
        throw ConfigError(place.at("value_pitch"),
                          "it is of values in an array of their own, with layout tokens_first; 0 is allowed");
    if (p.value_pitch < p.values())
        throw ConfigError(place.at("value_pitch"),
                          fmt::format("a row has {} elements; at least as many are allowed", p.values()));
    check_part(place, "value_pitch", loop.v_head_bytes(), Tile::kPiece, "bytes of a lane's load");
}

} // namespace

void AttentionParameters::validate(const Place& place) const {
    check_part(place, "heads", heads, kv_heads, "each KV head has as many query heads");
    const AttentionLoop loop = loop_of_attention(*this);
    const MatrixShape shape = shape_of(matrix);
    if (shape.data != data_of(element))
        throw ConfigError(place.at("matrix"),
                          fmt::format("{} multiplies {}, and element is {}", kMatrixOps.name(matrix),
                                      kMatrixData.name(shape.data), kElements.name(element)));
    if (shape.issue == MatrixIssue::pair)
        throw ConfigError(place.at("matrix"), fmt::format("{} is of two SMs, whose blocks would share their rows; "
                                                          "instructions of one are allowed",
                                                          kMatrixOps.name(matrix)));
    if (shape.is_asynchronous()) check_asynchronous(place, *this, shape);
    check_part(place, "head_dim", head_dim, shape.k, "a step of the matrix instruction along k");
    check_part(place, "tile_kv", tile_kv, shape.k, "a step of the matrix instruction along k");
    check_part(place, "head_dim", loop.row_bytes(), Tile::kPiece, "bytes of a lane's load");
    check_part(place, "value_dim", loop.value_bytes(), Tile::kPiece, "bytes of a lane's load");
    check_values(place, *this, loop);
    const std::uint64_t each = std::uint64_t{shape.m} * shape.n * (shape.is_of_sm() ? 1 : warps);
    check_part(place, "warps", std::uint64_t{tile_q} * tile_kv, each, "results of a matrix instruction of each warp");
    check_part(place, "warps", std::uint64_t{tile_q} * values(), each, "results of a matrix instruction of each warp");
    check_part(place, "row_groups", warps, loop.row_groups, "groups have as many warps each");
    check_part(place, "row_groups", tile_q, loop.row_groups, "groups have as many rows each");
    if (!shape.is_asynchronous()) {
        const std::uint64_t columns = std::uint64_t{warps / loop.row_groups} * shape.n;
        constexpr const char* kWhat = "columns of a matrix instruction for each warp of a group";
        check_part(place, "tile_kv", tile_kv, columns, kWhat);
        check_part(place, value_dim != 0 ? "value_dim" : "head_dim", values(), columns, kWhat);
    }
    const unsigned turns_kv = std::max(loop.turns_k(), loop.turns_v());
    if (std::max(loop.turns_q(), turns_kv) > AttentionLoop::kMostTurns)
        throw ConfigError(place.at("warps"),
                          fmt::format("each warp makes {} loads of 512 bytes of queries and {} of keys; at most {} are "
                                      "allowed: more warps or smaller tiles make fewer",
                                      loop.turns_q(), turns_kv, AttentionLoop::kMostTurns));
    if (causal && context < queries)
        throw ConfigError(place.at("context"), "it has at least as many tokens as queries, where causal is true");
    if (!has_cache() && queries != context)
        throw ConfigError(place.at("layout"), "packed has as many queries as tokens of the context, or splits; "
                                              "tokens_first is allowed");
    if (splits != 0 && queries != 1)
        throw ConfigError(place.at("splits"), "only decode, queries 1, has splits; 0 is allowed");
}

Attention::Attention(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    if (p_.queries != 1) p_.queries = context.scaled(p_.queries);
    p_.context = context.scaled(p_.context);
    if (!p_.has_cache()) p_.queries = p_.context;
}

std::vector<ArrayNeed> Attention::arrays() const {
    const AttentionLoop loop = loop_of_attention(p_);
    const std::uint64_t rows = p_.batch * p_.queries * p_.heads;
    const std::uint64_t tokens = p_.batch * p_.context;
    std::vector<ArrayNeed> needs = {
        {p_.layout == TokenLayout::packed ? "qkv" : "q", p_.batch * p_.queries * loop.q_token_bytes()},
        {"o", rows * p_.values() * 2}};
    if (p_.has_cache()) {
        std::vector<ArrayNeed> cache = {{"k", tokens * loop.k_token_bytes()}};
        if (!p_.latent) cache.push_back({"v", tokens * loop.v_token_bytes()});
        needs.insert(needs.begin() + 1, cache.begin(), cache.end());
    }
    if (loop.splits == 0) return needs;
    needs.push_back({"parts", loop.splits * rows * p_.values() * kFloatBytes});
    needs.push_back({"sums", loop.splits * rows * kFloatBytes});
    return needs;
}

std::vector<std::shared_ptr<Kernel>> Attention::kernels(const ArrayBases& at) const {
    AttentionLoop loop = loop_of_attention(p_);
    loop.q = at.at(p_.layout == TokenLayout::packed ? "qkv" : "q");
    loop.k = p_.has_cache() ? at.at("k") : loop.q + loop.heads() * loop.row_bytes();
    if (!p_.latent) loop.v = p_.has_cache() ? at.at("v") : loop.k + loop.kv_heads * loop.row_bytes();
    loop.o = at.at(loop.splits != 0 ? "parts" : "o");
    if (loop.splits != 0) loop.sums = at.at("sums");
    KernelShape shape;
    shape.name = fmt::format("attention_{}_{}x{}", loop.splits != 0 ? "split" : "forward", p_.tile_q, p_.tile_kv);
    shape.blocks = loop.blocks();
    if (loop.splits != 0)
        shape.digits = {{'s', loop.splits}, {'v', loop.kv_heads}, {'b', loop.batch}};
    else
        shape.digits = {{'q', loop.query_blocks()}, {'b', loop.batch}, {'g', loop.group}, {'v', loop.kv_heads}};
    if (loop.splits != 0 && loop.query_blocks() > 1)
        shape.digits.insert(shape.digits.begin(), {'q', loop.query_blocks()});
    shape.threads = p_.warps * kWarpLanes;
    shape.registers = p_.registers;
    shape.shared_bytes = static_cast<std::uint32_t>(loop.shared_bytes());
    shape.accesses = loop.accesses();
    std::vector<std::shared_ptr<Kernel>> all = {make_attention(shape, loop)};
    if (loop.splits != 0) {
        const AttentionCombine combine{loop.o, loop.sums, at.at("o"), p_.batch * p_.heads, p_.values(), loop.splits};
        KernelShape of_combine;
        of_combine.name = "attention_combine";
        of_combine.blocks = combine.blocks();
        of_combine.threads = AttentionCombine::kThreads;
        of_combine.accesses = combine.accesses();
        all.push_back(make_attention_combine(of_combine, combine));
    }
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.iterations; ++i) launches.insert(launches.end(), all.begin(), all.end());
    return launches;
}

} // namespace numavp
