/// One layer of a transformer, prefill or decode, from the shape of its model: products, attention, experts,
/// all-reduces.
///
/// Kernels in order: qkv, attention, o, (all_reduce,) then gate and up, down of a dense layer, or router, the shared
/// experts' two products and the experts' two grouped ones, (all_reduce). Latent attention (DeepSeek-V2's, `kv_lora`
/// above 0) has q_a, q_b and kv_a in place of qkv; prefill then expands keys and values of all heads (kv_b), decode
/// multiplies queries with each head's weights of keys (absorb), attends to the latent cache, and multiplies results
/// with each head's weights of values (expand). With `tensor_parallel` t ranks each launch has the blocks of all ranks
/// behind each other: a rank has heads / t heads, a t-th of the columns of qkv and gate_up and of the rows of o and
/// down, and its partial sums are added up over the ranks after o and down; q_a, kv_a, router and latent cache are
/// whole on each. With `data_parallel` d there are d such
/// groups of ranks, each with weights and sequences of its own. Attention of prefill reads queries, keys
/// and values where qkv wrote them (latent: values where kv_b did, keys from an array that no kernel writes); that of
/// decode reads a cache, which earlier steps wrote. Left out: norms, rotary embedding and the latent rows that it
/// completes, activation, residual, permutation and weighting of experts, the sum of shared and routed experts, writes
/// to the cache of keys and values, embedding and output head.
#pragma once

#include "sw/patterns/transformer/pattern_attention.h"
#include "sw/patterns/transformer/pattern_batched_gemm.h"
#include "sw/patterns/transformer/pattern_collective.h"
#include "sw/patterns/transformer/pattern_gemv.h"
#include "sw/patterns/transformer/pattern_grouped_gemm.h"

namespace numavp {

enum class LayerPhase : std::uint8_t { prefill, decode };
inline constexpr NameTable<LayerPhase> kLayerPhases{
    "phase",
    {{LayerPhase::prefill, "prefill", "all tokens of each sequence at once, causal"},
     {LayerPhase::decode, "decode", "one token of each sequence, with `context` tokens of keys and values"}}};

enum class LayerProducts : std::uint8_t { tensor_cores, vectors };
inline constexpr NameTable<LayerProducts> kLayerProducts{
    "kind of products",
    {{LayerProducts::tensor_cores, "tensor_cores", "tiles on tensor cores: pattern gemm"},
     {LayerProducts::vectors, "vectors", "each weight times few vectors: pattern gemv; decode of a dense layer"}}};

struct TransformerLayerParameters {
    std::uint64_t hidden = 4096, ffn = 14336;
    std::uint32_t heads = 32, kv_heads = 8, head_dim = 128, q_lora = 0, kv_lora = 0, rope_dim = 0;
    std::uint32_t experts = 0, top = 2, gini_percent = 0, shared_experts = 0;
    LayerPhase phase = LayerPhase::prefill;
    std::uint64_t batch = 1, tokens = 2048, context = 4096;
    std::uint32_t tensor_parallel = 1, data_parallel = 1;
    LayerProducts products = LayerProducts::tensor_cores;
    std::uint32_t tile_m = 128, tile_n = 128, tile_k = 32, stages = 4, warps_m = 2, warps_n = 2, registers = 168;
    std::uint32_t tile_q = 128, tile_kv = 64, warps = 4, row_groups = 0, splits = 0;
    MatrixOp matrix = MatrixOp::hmma_16816, attention_matrix = MatrixOp::hmma_16816;
    bool bypass_l1 = true;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::two_shot;
    std::uint32_t blocks = 32;
    void validate(const Place& place) const;

    bool decodes() const { return phase == LayerPhase::decode; }
    bool is_latent() const { return kv_lora != 0; }
    std::uint32_t ranks() const { return data_parallel * tensor_parallel; }
    /// Rows of the products: tokens of a group's sequences.
    std::uint64_t rows() const { return decodes() ? batch : batch * tokens; }
};
template <class V> void describe(V& v, TransformerLayerParameters& c) {
    v.integer("hidden", c.hidden, 16, 1U << 20, "elements", "elements of a token between layers");
    v.integer("heads", c.heads, 1, 1024, "heads", "query heads of the model");
    v.integer("kv_heads", c.kv_heads, 1, 1024, "heads", "heads of keys and values, each for a group of query heads");
    v.integer("head_dim", c.head_dim, 16, 512, "elements",
              "elements of a head's row; of latent attention without rope_dim");
    v.integer("q_lora", c.q_lora, 0, 1U << 16, "elements", "latent attention: elements of a token's compressed query");
    v.integer("kv_lora", c.kv_lora, 0, 768, "elements",
              "latent attention: elements of a token's compressed keys and values; 0: each head has its own");
    v.integer("rope_dim", c.rope_dim, 0, 256, "elements",
              "latent attention: elements of a row with rotary embedding, which all heads share in keys");
    v.integer("ffn", c.ffn, 8, 1U << 20, "elements", "columns of gate and of up, rows of down; of each expert");
    v.integer("experts", c.experts, 0, 4096, "experts", "experts in place of a dense feed-forward part; 0: dense");
    v.integer("top", c.top, 1, 64, "experts", "experts of a token");
    v.integer("gini_percent", c.gini_percent, 0, kMostGiniPercent, "%",
              "Gini coefficient of the experts' probabilities; 0: all alike");
    v.integer("shared_experts", c.shared_experts, 0, 64, "experts", "experts that all tokens have besides");
    v.choice("phase", c.phase, kLayerPhases, "work that is done");
    v.integer("batch", c.batch, 1, 1U << 16, "sequences", "sequences side by side, of each group of ranks");
    v.integer("tokens", c.tokens, 1, 1U << 24, "tokens", "prefill: tokens of each sequence (scaled)");
    v.integer("context", c.context, 1, 1U << 24, "tokens",
              "decode: tokens with keys and values, each sequence (scaled)");
    v.integer("tensor_parallel", c.tensor_parallel, 1, MoveLoop::kMostSources, "ranks",
              "ranks of a group, which share the layer");
    v.integer("data_parallel", c.data_parallel, 1, 1024, "groups",
              "number of groups of ranks, each with weights and `batch` sequences of its own");
    v.choice("products", c.products, kLayerProducts, "patterns that multiply weights");
    v.integer("tile_m", c.tile_m, 16, 512, "rows", "products: rows of a block's tile");
    v.integer("tile_n", c.tile_n, 8, 512, "columns", "products: columns of a block's tile");
    v.integer("tile_k", c.tile_k, 8, 512, "elements", "products: length along k of a step");
    v.integer("stages", c.stages, 2, 16, "stages", "products: tiles of A and B in shared memory");
    v.integer("warps_m", c.warps_m, 1, 16, "warps", "products: warps of a block along m");
    v.integer("warps_n", c.warps_n, 1, 16, "warps", "products: warps of a block along n");
    v.integer("registers", c.registers, 1, 255, "registers", "products: registers of a thread");
    v.integer("tile_q", c.tile_q, 16, 512, "rows", "attention: query rows of a block");
    v.integer("tile_kv", c.tile_kv, 16, 512, "tokens", "attention: keys and values of a step");
    v.integer("warps", c.warps, 1, 32, "warps", "attention: warps of a block");
    v.integer("row_groups", c.row_groups, 0, 32, "groups",
              "attention: groups of warps with rows of their own; 0: each");
    v.integer("splits", c.splits, 0, 4096, "parts", "attention of decode: parts of the context, at least 1");
    v.choice("matrix", c.matrix, kMatrixOps,
             "matrix instruction of the products, of FP16 or BF16; the router's is HMMA.16816 if this is asynchronous");
    v.choice("attention_matrix", c.attention_matrix, kMatrixOps, "matrix instruction of attention, of FP16 or BF16");
    v.boolean("bypass_l1", c.bypass_l1, "whether loads of tiles go past the L1");
    v.choice("algorithm", c.algorithm, kCollectiveAlgorithms, "algorithm of the all-reduces");
    v.integer("blocks", c.blocks, 1, 4096, "blocks", "blocks of a rank in the all-reduces");
}

struct LayerProduct;
class TransformerLayer final : public Pattern {
  public:
    using Parameters = TransformerLayerParameters;
    TransformerLayer(const Parameters& parameters, const PatternContext& context);
    ~TransformerLayer() override;
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    struct Stage;
    template <class P>
    void add_each(const std::string& name, const typename P::Parameters& parameters,
                  const std::map<std::string, std::string>& names);
    void add_product(const LayerProduct& product, const char* in, const char* out);
    void add_attention();
    void add_sum(const char* in, const char* out);

    Parameters p_;
    PatternContext whole_; ///< of the parts, whose sizes are scaled already
    std::vector<Stage> stages_;
};

} // namespace numavp
