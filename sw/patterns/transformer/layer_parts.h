/// The parts of a transformer's layer on one rank: parameters of the patterns that it consists of.
#pragma once

#include <string>
#include <vector>

#include "sw/patterns/transformer/pattern_transformer_layer.h"

namespace numavp {

inline constexpr std::uint32_t kRouterTile = 8; ///< columns of the router's tiles, which divide every number of experts

/// Weights of `n` columns and `k` rows, of each of `heads` heads or one for all.
struct LayerProduct {
    std::string name;
    std::uint64_t n = 0, k = 0;
    std::uint64_t in_pitch = 0;              ///< elements from a row of the input to the next; 0: k
    std::uint32_t heads = 0;                 ///< 0: one product
    std::uint64_t in_part = 0, out_part = 0; ///< of heads: elements of each in a row of input and output; 0: k and n
};
/// All products of a rank but the router and the routed experts, in order.
std::vector<LayerProduct> products_of(const TransformerLayerParameters& p);
/// The products of each routed expert.
std::vector<LayerProduct> expert_products_of(const TransformerLayerParameters& p);

GemmParameters gemm_of(const TransformerLayerParameters& p, const LayerProduct& product);
BatchedGemmParameters batched_of(const TransformerLayerParameters& p, const LayerProduct& product);
GemmParameters router_of(const TransformerLayerParameters& p);
GemvParameters gemv_of(const TransformerLayerParameters& p, const LayerProduct& product);
GroupedGemmParameters grouped_of(const TransformerLayerParameters& p, const LayerProduct& product);
AttentionParameters attention_of(const TransformerLayerParameters& p);
CollectiveParameters sum_of(const TransformerLayerParameters& p);

} // namespace numavp
