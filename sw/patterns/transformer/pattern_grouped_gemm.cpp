#include "sw/patterns/transformer/pattern_grouped_gemm.h"

#include <fmt/format.h>

namespace numavp {

void GroupedGemmParameters::validate(const Place& place) const {
    GemmParameters::validate(place);
    if (top > experts)
        throw ConfigError(place.at("top"),
                          fmt::format("{} experts of a token; at most {}, all experts, are allowed", top, experts));
}

GroupedGemm::GroupedGemm(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.tokens = context.scaled(p_.tokens);
    tokens_ = routed_tokens(p_.routing(context.seed));
}

std::vector<ArrayNeed> GroupedGemm::arrays() const {
    const std::uint64_t rows = p_.tokens * p_.top, bytes = bytes_of(p_.element);
    return {{"a", rows * p_.k * bytes}, {"b", p_.experts * p_.k * p_.n * bytes}, {"c", rows * p_.n * std::uint64_t{2}}};
}

std::vector<std::shared_ptr<Kernel>> GroupedGemm::kernels(const ArrayBases& at) const {
    std::vector<GemmLoop> groups;
    std::uint64_t row = 0;
    for (unsigned expert = 0; expert < p_.experts; ++expert) {
        if (tokens_[expert] == 0) continue;
        GemmLoop loop = gemm_loop_of(p_);
        loop.m = tokens_[expert];
        loop.a = at.at("a") + row * p_.k * bytes_of(p_.element);
        loop.b = at.at("b") + expert * p_.k * p_.n * bytes_of(p_.element);
        loop.c = at.at("c") + row * p_.n * std::uint64_t{2};
        row += loop.m;
        groups.push_back(loop);
    }
    KernelShape shape;
    shape.name = fmt::format("grouped_gemm_{}x{}_{}x{}", p_.tile_m, p_.tile_n, p_.tile_k, p_.stages);
    shape.registers = p_.registers;
    const auto kernel = make_grouped_gemm(std::move(shape), std::move(groups));
    return std::vector<std::shared_ptr<Kernel>>(p_.iterations, kernel);
}

} // namespace numavp
