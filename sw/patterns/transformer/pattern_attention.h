/// Attention on tensor cores: FlashAttention-2 forward for prefill, and its split-KV form for decode.
///
/// The loop is that of sw/loops/attention_loop.h. All query blocks of all query heads of a group read the keys and
/// values of their KV head, so that these are what blocks share; queries and results are read and written once. In
/// decode each block reads a part of the context that no other reads, unless a group has more heads than `tile_q`: its
/// blocks read the same part. With `layout` packed the queries lie in an array `qkv`, and without splits the keys and
/// values too. Latent attention (DeepSeek-V2's, weights absorbed) has keys of which the first `value_dim` elements are
/// the values, and no array of values. Block numbers have the digits `q`, `b`, `g` and `v` for `dispatch.order`: query
/// blocks, batch, query heads of a group, KV heads; in decode `s`, `v` and `b`: splits, KV heads, batch, with `q` first
/// if a group has several blocks.
#pragma once

#include "sw/loops/attention_loop.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class TokenLayout : std::uint8_t { tokens_first, heads_first, packed };
inline constexpr NameTable<TokenLayout> kTokenLayouts{
    "layout of tokens",
    {{TokenLayout::tokens_first, "tokens_first", "batch, token, head: the heads of a token lie side by side"},
     {TokenLayout::heads_first, "heads_first", "batch, head, token: the tokens of a head lie side by side"},
     {TokenLayout::packed, "packed",
      "batch, token, then the heads of queries, keys and values, as a product with joint weights leaves them (array "
      "qkv); "
      "with splits keys and values come from arrays of their own, a cache"}}};

struct AttentionParameters {
    std::uint64_t batch = 1, queries = 4096, context = 4096;
    std::uint32_t heads = 32, kv_heads = 8, head_dim = 128, value_dim = 0, value_pitch = 0;
    bool latent = false, causal = true;
    std::uint32_t tile_q = 128, tile_kv = 64, warps = 4, row_groups = 0, splits = 0;
    Element element = Element::bf16;
    MatrixOp matrix = MatrixOp::hmma_16816;
    TokenLayout layout = TokenLayout::tokens_first;
    bool q_in_registers = false, bypass_l1 = true;
    std::uint32_t registers = 255, iterations = 1;
    void validate(const Place& place) const;
    /// Whether keys and values are arrays of their own.
    bool has_cache() const { return layout != TokenLayout::packed || splits != 0; }
    std::uint32_t values() const { return value_dim != 0 ? value_dim : head_dim; }
};
template <class V> void describe(V& v, AttentionParameters& c) {
    v.integer("batch", c.batch, 1, 1U << 20, "sequences", "sequences side by side");
    v.integer("queries", c.queries, 1, 1U << 24, "tokens", "query tokens of a sequence (scaled); 1: decode");
    v.integer("context", c.context, 1, 1U << 24, "tokens", "tokens whose keys and values a sequence has (scaled)");
    v.integer("heads", c.heads, 1, 1024, "heads", "query heads, a multiple of kv_heads");
    v.integer("kv_heads", c.kv_heads, 1, 1024, "heads", "heads of keys and values, each for a group of query heads");
    v.integer("head_dim", c.head_dim, 16, 1024, "elements", "elements of a head's row of queries or keys");
    v.integer("value_dim", c.value_dim, 0, 1024, "elements", "elements of a head's row of values; 0: as of keys");
    v.integer("value_pitch", c.value_pitch, 0, 4096, "elements",
              "distance of the heads' values of a token, where other things lie between them; 0: none do");
    v.boolean("latent", c.latent, "whether values are the first elements of the keys' rows, which are loaded once");
    v.boolean("causal", c.causal, "whether a query sees no later token; the last query is the context's last token");
    v.integer("tile_q", c.tile_q, 16, 512, "rows", "query rows of a block");
    v.integer("tile_kv", c.tile_kv, 16, 512, "tokens", "keys and values of a step");
    v.integer("warps", c.warps, 1, 32, "warps", "warps of a block, which share its query rows");
    v.integer(
        "row_groups", c.row_groups, 0, 32, "groups",
        "groups of warps with rows of their own, whose warps share the columns: a wavefront of 64 lanes is a group "
        "of two warps; 0: each warp is one");
    v.integer("splits", c.splits, 0, 4096, "parts",
              "parts of the context with blocks of their own (decode, queries 1), at most its tiles; 0: none");
    v.choice("element", c.element, kElements, "elements of queries, keys and values");
    v.choice("matrix", c.matrix, kMatrixOps, "matrix instruction");
    v.choice("layout", c.layout, kTokenLayouts, "order of the arrays in memory");
    v.boolean("q_in_registers", c.q_in_registers,
              "whether queries stay in registers, else in shared memory, from which each tile of keys reads them");
    v.boolean("bypass_l1", c.bypass_l1, "whether loads go past the L1 (LDGSTS.BYPASS; the default of 16 bytes)");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of times that attention is computed");
}

class Attention final : public Pattern {
  public:
    using Parameters = AttentionParameters;
    Attention(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
