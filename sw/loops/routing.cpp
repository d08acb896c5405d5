#include "sw/loops/routing.h"

#include <numeric>
#include <utility>

#include "base/values/rng.h"

namespace numavp {

std::vector<std::uint64_t> routed_tokens(const ExpertRouting& routing) {
    const unsigned n = routing.experts;
    Rng rng(routing.seed);
    // Weight i of n: 100 n + 3 gini (2 i - n + 1), which is positive for gini up to 33 and sums to 100 n^2.
    std::vector<std::uint64_t> weights(n);
    for (unsigned i = 0; i < n; ++i)
        weights[i] = std::uint64_t{100} * n + std::uint64_t{3} * routing.gini_percent * (2 * i + 1) -
                     std::uint64_t{3} * routing.gini_percent * n;
    for (unsigned i = n; i > 1; --i) std::swap(weights[i - 1], weights[rng.below(i)]);
    const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    std::vector<std::uint64_t> tokens(n, 0);
    std::vector<unsigned> drawn(n, 0); ///< token that drew the expert last, from 1
    for (std::uint64_t t = 1; t <= routing.tokens; ++t) {
        std::uint64_t left = all;
        for (unsigned choice = 0; choice < routing.top; ++choice) {
            std::uint64_t at = rng.below(left);
            unsigned expert = 0;
            for (;; ++expert) {
                if (drawn[expert] == t) continue;
                if (at < weights[expert]) break;
                at -= weights[expert];
            }
            drawn[expert] = static_cast<unsigned>(t);
            left -= weights[expert];
            ++tokens[expert];
        }
    }
    return tokens;
}

} // namespace numavp
