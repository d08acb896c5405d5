#include "sw/patterns/transformer/layer_parts.h"

#include <algorithm>

namespace numavp {
namespace {

/// gate and up, and down, of `experts` experts of a rank.
void add_feed_forward(std::vector<LayerProduct>& products, const TransformerLayerParameters& p,
                      const std::string& whose, std::uint64_t experts) {
    const std::uint64_t columns = experts * p.ffn / p.tensor_parallel;
    products.push_back({whose + "gate_up", 2 * columns, p.hidden});
    products.push_back({whose + "down", p.hidden, columns});
}

/// Products around latent attention; a head's columns of kv_b begin with those of its values.
void add_latent(std::vector<LayerProduct>& products, const TransformerLayerParameters& p) {
    const std::uint32_t heads = p.heads / p.tensor_parallel;
    const std::uint64_t row = p.head_dim + p.rope_dim, latent = p.kv_lora + p.rope_dim;
    if (p.q_lora != 0) products.push_back({"q_a", p.q_lora, p.hidden});
    products.push_back({"q_b", heads * row, p.q_lora != 0 ? p.q_lora : p.hidden});
    products.push_back({"kv_a", latent, p.hidden});
    if (p.decodes()) {
        products.push_back({"absorb", p.kv_lora, p.head_dim, 0, heads, row, latent});
        products.push_back({"expand", p.head_dim, p.kv_lora, 0, heads});
    } else {
        products.push_back({"kv_b", std::uint64_t{2} * heads * p.head_dim, p.kv_lora, latent});
    }
}

} // namespace

std::vector<LayerProduct> products_of(const TransformerLayerParameters& p) {
    const std::uint64_t t = p.tensor_parallel, heads = p.heads / t, kv_heads = p.kv_heads / t;
    std::vector<LayerProduct> products;
    if (p.is_latent())
        add_latent(products, p);
    else
        products.push_back({"qkv", (heads + 2 * kv_heads) * p.head_dim, p.hidden});
    products.push_back({"o", p.hidden, heads * p.head_dim});
    if (p.experts == 0) add_feed_forward(products, p, "", 1);
    if (p.shared_experts != 0) add_feed_forward(products, p, "shared_", p.shared_experts);
    return products;
}

std::vector<LayerProduct> expert_products_of(const TransformerLayerParameters& p) {
    std::vector<LayerProduct> products;
    if (p.experts != 0) add_feed_forward(products, p, "", 1);
    return products;
}

GemmParameters gemm_of(const TransformerLayerParameters& p, const LayerProduct& product) {
    GemmParameters gemm;
    gemm.m = p.rows();
    gemm.n = product.n;
    gemm.k = product.k;
    gemm.a_pitch = product.in_pitch;
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

BatchedGemmParameters batched_of(const TransformerLayerParameters& p, const LayerProduct& product) {
    BatchedGemmParameters batched;
    static_cast<GemmParameters&>(batched) = gemm_of(p, product);
    batched.count = product.heads;
    batched.a_part = product.in_part;
    batched.c_part = product.out_part;
    return batched;
}

/// The router's tile is as high as a product's, and narrow: too narrow for asynchronous instructions.
GemmParameters router_of(const TransformerLayerParameters& p) {
    GemmParameters gemm = gemm_of(p, {"router", p.experts, p.hidden});
    gemm.tile_n = kRouterTile;
    if (shape_of(p.matrix).is_asynchronous()) gemm.matrix = MatrixOp::hmma_16816;
    gemm.warps_m = std::max(1U, p.tile_m / shape_of(gemm.matrix).m);
    gemm.warps_n = 1;
    return gemm;
}

GemvParameters gemv_of(const TransformerLayerParameters& p, const LayerProduct& product) {
    GemvParameters gemv;
    gemv.n = product.n;
    gemv.k = product.k;
    gemv.vectors = static_cast<std::uint32_t>(p.batch);
    gemv.bypass_l1 = p.bypass_l1;
    return gemv;
}

GroupedGemmParameters grouped_of(const TransformerLayerParameters& p, const LayerProduct& product) {
    GroupedGemmParameters grouped;
    static_cast<GemmParameters&>(grouped) = gemm_of(p, product);
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
    if (!p.is_latent()) return attention;
    attention.layout = TokenLayout::tokens_first;
    if (p.decodes()) { // one row of keys for all heads
        attention.kv_heads = 1;
        attention.head_dim = p.kv_lora + p.rope_dim;
        attention.value_dim = p.kv_lora;
        attention.latent = true;
    } else {
        attention.kv_heads = attention.heads;
        attention.head_dim = p.head_dim + p.rope_dim;
        attention.value_dim = p.head_dim;
        attention.value_pitch = 2 * p.head_dim;
    }
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

} // namespace numavp
