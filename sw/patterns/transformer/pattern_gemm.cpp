#include "sw/patterns/transformer/pattern_gemm.h"

#include <fmt/format.h>

namespace numavp {
namespace {

void check_multiple(const Place& place, const char* name, std::uint64_t value, std::uint64_t of) {
    if (value % of != 0) throw ConfigError(place.at(name), fmt::format("multiples of {} are allowed", of));
}

/// A block's tile, or for an instruction of a warp that warp's part, is made of whole instructions.
void check_shape(const Place& place, const GemmParameters& p, const MatrixShape& shape) {
    const bool of_warp = shape.issue == MatrixIssue::warp;
    const auto check = [&](const char* name, unsigned tile, unsigned warps, unsigned each, const char* lines) {
        const unsigned whole = of_warp ? warps * each : each;
        if (tile % whole == 0) return;
        throw ConfigError(place.at(name),
                          fmt::format("{} is no multiple of {}, the {} of {}{}", tile, whole, lines,
                                      of_warp && warps > 1 ? fmt::format("{} warps with ", warps) : std::string(),
                                      kMatrixOps.name(p.matrix)));
    };
    check("tile_m", p.tile_m, p.warps_m, shape.m * (shape.issue == MatrixIssue::warp_group ? 4 : 1), "rows");
    check("tile_n", p.tile_n, p.warps_n, shape.n, "columns");
}

} // namespace

GemmLoop gemm_loop_of(const GemmParameters& p) {
    GemmLoop loop;
    loop.m = p.m;
    loop.n = p.n;
    loop.k = p.k;
    loop.a_pitch = p.a_pitch;
    loop.tile_m = p.tile_m;
    loop.tile_n = p.tile_n;
    loop.tile_k = p.tile_k;
    loop.stages = p.stages;
    loop.splits = p.split_k;
    loop.warps_m = p.warps_m;
    loop.warps_n = p.warps_n;
    loop.element = p.element;
    loop.op = p.matrix;
    loop.rows_first = p.raster == Raster::along_m;
    loop.bypass_l1 = p.bypass_l1;
    return loop;
}

void GemmParameters::validate(const Place& place) const {
    const GemmLoop loop = gemm_loop_of(*this);
    const MatrixShape shape = shape_of(matrix);
    if (shape.data != data_of(element))
        throw ConfigError(place.at("matrix"),
                          fmt::format("{} multiplies {}, and element is {}", kMatrixOps.name(matrix),
                                      kMatrixData.name(shape.data), kElements.name(element)));
    if (loop.warps() > 32)
        throw ConfigError(place.at("warps_m"), "a block has at most 32 warps, warps_m times warps_n");
    if (shape.issue == MatrixIssue::warp_group && loop.warps() % 4 != 0)
        throw ConfigError(place.at("warps_m"),
                          fmt::format("{} is of groups of 4 warps; multiples of 4, warps_m times warps_n, are allowed",
                                      kMatrixOps.name(matrix)));
    check_multiple(place, "n", n, tile_n);
    check_multiple(place, "k", k, std::uint64_t{tile_k} * split_k);
    check_multiple(place, "a_pitch", a_pitch, elements_of_piece(element));
    if (a_pitch != 0 && a_pitch < k)
        throw ConfigError(place.at("a_pitch"), fmt::format("a row has k, {}, elements; at least as many, or 0, are "
                                                           "allowed",
                                                           k));
    check_multiple(place, "tile_k", tile_k, shape.k);
    check_multiple(place, "tile_k", std::uint64_t{tile_k} * bytes_of(element), Tile::kPiece);
    check_multiple(place, "tile_n", tile_n * std::uint64_t{2}, Tile::kPiece);
    check_multiple(place, "tile_m", tile_m, warps_m);
    check_multiple(place, "tile_n", tile_n, warps_n);
    check_shape(place, *this, shape);
    check_multiple(place, "tile_m", std::uint64_t{tile_m} * tile_n,
                   std::uint64_t{shape.m} * shape.n * (shape.is_of_sm() ? 1 : loop.warps()));
    if (loop.turns() > GemmLoop::kMostTurns || loop.turns() * stages > GemmLoop::kRegisters)
        throw ConfigError(place.at("stages"),
                          fmt::format("each warp makes {} loads of 512 bytes for a step; at most {}, and {} over all "
                                      "stages, are allowed: more warps or smaller tiles make fewer",
                                      loop.turns(), GemmLoop::kMostTurns, GemmLoop::kRegisters));
}

Gemm::Gemm(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.m = context.scaled(p_.m);
}

std::vector<ArrayNeed> Gemm::arrays() const {
    const std::uint64_t bytes = bytes_of(p_.element);
    std::vector<ArrayNeed> needs = {{"a", p_.m * (p_.a_pitch != 0 ? p_.a_pitch : p_.k) * bytes},
                                    {"b", p_.k * p_.n * bytes},
                                    {"c", p_.m * p_.n * std::uint64_t{2}}};
    if (p_.split_k > 1) needs.push_back({"planes", p_.split_k * p_.m * p_.n * kFloatBytes});
    return needs;
}

std::vector<std::shared_ptr<Kernel>> Gemm::kernels(const ArrayBases& at) const {
    GemmLoop loop = gemm_loop_of(p_);
    loop.a = at.at("a");
    loop.b = at.at("b");
    loop.c = at.at(p_.split_k > 1 ? "planes" : "c");
    KernelShape shape;
    shape.name = fmt::format("gemm_{}x{}_{}x{}", p_.tile_m, p_.tile_n, p_.tile_k, p_.stages);
    shape.blocks = loop.blocks();
    shape.digits = {{'n', loop.columns()}, {'m', loop.rows()}, {'k', p_.split_k}};
    if (loop.rows_first) std::swap(shape.digits[0], shape.digits[1]);
    shape.threads = loop.warps() * kWarpLanes;
    shape.registers = p_.registers;
    shape.shared_bytes = static_cast<std::uint32_t>(loop.shared_bytes());
    shape.accesses = loop.accesses();
    std::vector<std::shared_ptr<Kernel>> all = {make_gemm(shape, loop)};
    if (p_.split_k > 1) {
        const SplitSum sum{loop.c, at.at("c"), p_.m * p_.n, p_.split_k};
        KernelShape of_sum;
        of_sum.name = "gemm_split_sum";
        of_sum.blocks = sum.blocks();
        of_sum.threads = SplitSum::kThreads;
        of_sum.accesses = sum.accesses();
        all.push_back(make_split_sum(of_sum, sum));
    }
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.iterations; ++i) launches.insert(launches.end(), all.begin(), all.end());
    return launches;
}

} // namespace numavp
