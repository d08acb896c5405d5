#include "sw/patterns/transformer/pattern_batched_gemm.h"

#include <fmt/format.h>

namespace numavp {

void BatchedGemmParameters::validate(const Place& place) const {
    GemmParameters::validate(place);
    const auto check = [&](const char* name, std::uint64_t part, std::uint64_t used, std::uint64_t of_piece) {
        if (part != 0 && (part < used || part % of_piece != 0))
            throw ConfigError(
                place.at(name),
                fmt::format("{} elements; multiples of {} that are at least {} are allowed", part, of_piece, used));
    };
    check("a_part", a_part, k, elements_of_piece(element));
    check("c_part", c_part, n, Tile::kPiece / 2);
}

BatchedGemm::BatchedGemm(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.m = context.scaled(p_.m);
}

std::vector<ArrayNeed> BatchedGemm::arrays() const {
    const std::uint64_t bytes = bytes_of(p_.element);
    return {{"a", p_.m * p_.count * p_.part_of_a() * bytes},
            {"b", p_.count * p_.k * p_.n * bytes},
            {"c", p_.m * p_.count * p_.part_of_c() * 2}};
}

std::vector<std::shared_ptr<Kernel>> BatchedGemm::kernels(const ArrayBases& at) const {
    const std::uint64_t bytes = bytes_of(p_.element);
    std::vector<GemmLoop> products;
    for (std::uint64_t i = 0; i < p_.count; ++i) {
        GemmLoop loop = gemm_loop_of(p_);
        loop.a_pitch = p_.count * p_.part_of_a();
        loop.c_pitch = p_.count * p_.part_of_c();
        loop.a = at.at("a") + i * p_.part_of_a() * bytes;
        loop.b = at.at("b") + i * p_.k * p_.n * bytes;
        loop.c = at.at("c") + i * p_.part_of_c() * 2;
        products.push_back(loop);
    }
    KernelShape shape;
    shape.name = fmt::format("batched_gemm_{}x{}_{}x{}", p_.tile_m, p_.tile_n, p_.tile_k, p_.stages);
    shape.registers = p_.registers;
    const auto kernel = make_grouped_gemm(std::move(shape), std::move(products));
    return std::vector<std::shared_ptr<Kernel>>(p_.iterations, kernel);
}

} // namespace numavp
