/// Routing of tokens to experts, drawn with a given inequality: how many tokens each expert gets.
#pragma once

#include <cstdint>
#include <vector>

namespace numavp {

/// Inequality of experts, as the Gini coefficient of their probabilities in percent, that `routed_tokens` can draw.
inline constexpr unsigned kMostGiniPercent = 33;

struct ExpertRouting {
    std::uint64_t tokens = 1;
    unsigned experts = 8, top = 2; ///< each token goes to `top` different experts
    unsigned gini_percent = 0;     ///< 0: all experts alike
    std::uint64_t seed = 1;
};

/// Number of tokens of each expert; they sum to tokens * top. Each token draws its experts one after the other without
/// repetition. Probabilities rise linearly over the experts in an order that `seed` draws, so that their Gini
/// coefficient is gini_percent / 100 * (1 - 1 / experts^2). Integers only, so that all compilers agree.
std::vector<std::uint64_t> routed_tokens(const ExpertRouting& routing);

} // namespace numavp
