#include "sw/patterns/pattern_stencil_2d.h"

#include "sw/loops/program.h"

namespace numavp {
namespace {

struct Plane {
    std::uint64_t from, to; ///< address of cell (0, 0)
    std::uint64_t pitch;    ///< bytes from row to row
    std::uint64_t nx, ny;
    std::uint32_t tile_x, tile_y;
    std::uint32_t warps;

    /// Takes the strips (32 cells of a row) of its block's rectangle in turns with the other warps.
    class Warp final : public StepStream<Warp, 13> {
      public:
        Warp(const Plane& p, std::uint64_t block, unsigned warp) : p_(p), strip_(warp) {
            const std::uint64_t across = (p.nx + p.tile_x - 1) / p.tile_x;
            x0_ = block % across * p.tile_x;
            y0_ = block / across * p.tile_y;
        }

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_centre, r_west, r_east, r_north, r_south, r_sum, r_sum2, r_out };
            const std::uint32_t strips_across = p_.tile_x / kWarpLanes;
            const std::uint32_t strips = strips_across * p_.tile_y;
            for (; strip_ < strips; strip_ += p_.warps) {
                const std::uint64_t x = x0_ + std::uint64_t{strip_ % strips_across} * kWarpLanes;
                const std::uint64_t y = y0_ + strip_ / strips_across;
                if (x < p_.nx && y < p_.ny) {
                    const std::uint64_t offset = y * p_.pitch + x * kFloatBytes;
                    const auto cells = [&](std::uint64_t at) { return contiguous(at + offset, kFloatBytes); };
                    e.compute(r_index, {});
                    e.load(r_centre, cells(p_.from), {r_index}).read_only = true;
                    e.load(r_west, cells(p_.from - kFloatBytes), {r_index}).read_only = true;
                    e.load(r_east, cells(p_.from + kFloatBytes), {r_index}).read_only = true;
                    e.load(r_north, cells(p_.from - p_.pitch), {r_index}).read_only = true;
                    e.load(r_south, cells(p_.from + p_.pitch), {r_index}).read_only = true;
                    e.compute(r_sum, {r_west, r_east});
                    e.compute(r_sum2, {r_north, r_south});
                    e.compute(r_sum, {r_sum, r_sum2});
                    e.compute(r_out, {r_centre});
                    e.compute(r_out, {r_out, r_sum});
                    e.store(cells(p_.to), {r_index, r_out});
                    strip_ += p_.warps;
                    return;
                }
            }
            e.exit();
        }

      private:
        const Plane& p_;
        std::uint64_t x0_, y0_;
        std::uint32_t strip_;
    };
};

} // namespace

void Stencil2dParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (nx % kWarpLanes != 0) throw ConfigError(place.at("nx"), "multiples of 32 are allowed");
    if (tile_x % kWarpLanes != 0) throw ConfigError(place.at("tile_x"), "multiples of 32 are allowed");
}

Stencil2d::Stencil2d(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.ny = context.scaled(p_.ny);
}

std::uint64_t Stencil2d::pitch() const { return p_.nx * kFloatBytes + 2 * kLineBytes; }

std::vector<ArrayNeed> Stencil2d::arrays() const {
    const std::uint64_t bytes = (p_.ny + 2) * pitch();
    return {{"in", bytes}, {"out", bytes}};
}

std::vector<std::shared_ptr<Kernel>> Stencil2d::kernels(const ArrayBases& at) const {
    const std::uint64_t blocks = ((p_.nx + p_.tile_x - 1) / p_.tile_x) * ((p_.ny + p_.tile_y - 1) / p_.tile_y);
    const KernelShape shape = p_.shape("jacobi_2d", blocks, 6 * (p_.nx / kWarpLanes) * p_.ny);
    const std::uint64_t inner = pitch() + kLineBytes; // behind the halo row and the pad of the first row
    const std::uint64_t in = at.at("in") + inner;
    const std::uint64_t out = at.at("out") + inner;
    const auto step = [&](std::uint64_t from, std::uint64_t to) -> std::shared_ptr<Kernel> {
        return make_kernel(shape, Plane{from, to, pitch(), p_.nx, p_.ny, p_.tile_x, p_.tile_y, p_.warps()});
    };
    const std::shared_ptr<Kernel> both[2] = {step(in, out), step(out, in)};
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.iterations; ++i) launches.push_back(both[i % 2]);
    return launches;
}

} // namespace numavp
