#include "sw/patterns/pattern_stencil_3d.h"

#include <algorithm>

#include "sw/loops/program.h"

namespace numavp {
namespace {

struct Volume {
    std::uint64_t from, to;     ///< address of cell (0, 0, 0)
    std::uint64_t pitch, plane; ///< bytes from row to row and from plane to plane
    std::uint64_t nx, ny, nz;
    std::uint32_t tile_x, tile_y, tile_z;

    class Warp final : public StepStream<Warp, 14> {
      public:
        Warp(const Volume& v, std::uint64_t block, unsigned warp) : v_(v) {
            const std::uint64_t across = (v.nx + v.tile_x - 1) / v.tile_x;
            const std::uint64_t down = (v.ny + v.tile_y - 1) / v.tile_y;
            const std::uint32_t strips = v.tile_x / kWarpLanes;
            const std::uint64_t x = block % across * v.tile_x + std::uint64_t{warp % strips} * kWarpLanes;
            const std::uint64_t y = block / across % down * v.tile_y + warp / strips;
            z_ = block / across / down * v.tile_z;
            end_ = std::min<std::uint64_t>(v.nz, z_ + v.tile_z);
            inside_ = x < v.nx && y < v.ny;
            offset_ = y * v.pitch + x * kFloatBytes;
        }

        void step(Emitter& e) {
            // Three planes in registers: the names turn with z.
            enum : std::uint8_t { r_index = 3, r_west, r_east, r_north, r_south, r_sum, r_sum2, r_out };
            if (!inside_) {
                e.exit();
                return;
            }
            const auto cells = [&](std::uint64_t base, std::uint64_t z) {
                return contiguous(base + z * v_.plane + offset_, kFloatBytes);
            };
            const auto in_plane = [&](std::uint64_t z) { return static_cast<std::uint8_t>((z + 1) % 3); };
            if (!started_) {
                started_ = true;
                e.compute(r_index, {});
                e.load(in_plane(z_ - 1), cells(v_.from, z_ - 1), {r_index}).read_only = true;
                e.load(in_plane(z_), cells(v_.from, z_), {r_index}).read_only = true;
                return;
            }
            if (z_ == end_) {
                e.exit();
                return;
            }
            e.load(in_plane(z_ + 1), cells(v_.from, z_ + 1), {r_index}).read_only = true;
            e.load(r_west, cells(v_.from - kFloatBytes, z_), {r_index}).read_only = true;
            e.load(r_east, cells(v_.from + kFloatBytes, z_), {r_index}).read_only = true;
            e.load(r_north, cells(v_.from - v_.pitch, z_), {r_index}).read_only = true;
            e.load(r_south, cells(v_.from + v_.pitch, z_), {r_index}).read_only = true;
            e.compute(r_sum, {r_west, r_east});
            e.compute(r_sum2, {r_north, r_south});
            e.compute(r_sum, {r_sum, r_sum2});
            e.compute(r_sum2, {in_plane(z_ - 1), in_plane(z_ + 1)});
            e.compute(r_sum, {r_sum, r_sum2});
            e.compute(r_out, {in_plane(z_)});
            e.compute(r_out, {r_out, r_sum});
            e.store(cells(v_.to, z_), {r_index, r_out});
            e.compute(r_index, {r_index});
            ++z_;
        }

      private:
        const Volume& v_;
        std::uint64_t offset_ = 0;
        std::uint64_t z_ = 0, end_ = 0;
        bool inside_ = false;
        bool started_ = false;
    };
};

} // namespace

void Stencil3dParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (nx % kWarpLanes != 0) throw ConfigError(place.at("nx"), "multiples of 32 are allowed");
    if (tile_x % kWarpLanes != 0 || threads % tile_x != 0)
        throw ConfigError(place.at("tile_x"),
                          "multiples of 32 that divide `threads` (" + std::to_string(threads) + ") are allowed");
}

Stencil3d::Stencil3d(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.nz = context.scaled(p_.nz);
}

std::uint64_t Stencil3d::pitch() const { return p_.nx * kFloatBytes + 2 * kLineBytes; }
std::uint64_t Stencil3d::plane() const { return (p_.ny + 2) * pitch(); }

std::vector<ArrayNeed> Stencil3d::arrays() const {
    const std::uint64_t bytes = (p_.nz + 2) * plane();
    return {{"in", bytes}, {"out", bytes}};
}

std::vector<std::shared_ptr<Kernel>> Stencil3d::kernels(const ArrayBases& at) const {
    const std::uint32_t tile_y = p_.threads / p_.tile_x;
    const auto tiles = [](std::uint64_t n, std::uint64_t tile) { return (n + tile - 1) / tile; };
    const std::uint64_t slabs = tiles(p_.nz, p_.tile_z);
    const std::uint64_t columns = p_.nx / kWarpLanes * p_.ny; // of one warp each
    const KernelShape shape = p_.shape("jacobi_3d", tiles(p_.nx, p_.tile_x) * tiles(p_.ny, tile_y) * slabs,
                                       columns * (6 * p_.nz + 2 * slabs));
    const std::uint64_t inner = plane() + pitch() + kLineBytes;
    const std::uint64_t in = at.at("in") + inner;
    const std::uint64_t out = at.at("out") + inner;
    const auto step = [&](std::uint64_t from, std::uint64_t to) -> std::shared_ptr<Kernel> {
        return make_kernel(shape,
                           Volume{from, to, pitch(), plane(), p_.nx, p_.ny, p_.nz, p_.tile_x, tile_y, p_.tile_z});
    };
    const std::shared_ptr<Kernel> both[2] = {step(in, out), step(out, in)};
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.iterations; ++i) launches.push_back(both[i % 2]);
    return launches;
}

} // namespace numavp
