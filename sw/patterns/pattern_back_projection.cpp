#include "sw/patterns/pattern_back_projection.h"

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint32_t kTaps = 4;

/// Positions of voxels on the image. Cosine and sine come from the tangent of half the angle, by exact arithmetic:
/// those of the library differ in their last bits from machine to machine.
struct Projector {
    double nx, ny, nz, width, height, cosine, sine;

    /// Tap `tap` of the four pixels around the voxel's place.
    std::uint64_t pixel(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint32_t tap) const {
        const double px = 2.0 * static_cast<double>(x) / nx - 1.0;
        const double py = 2.0 * static_cast<double>(y) / ny - 1.0;
        const double pz = 2.0 * static_cast<double>(z) / nz - 1.0;
        const double across = px * cosine + py * sine;
        const double depth = py * cosine - px * sine;
        // The source is three half-edges away, as a C-arm's is; the detector just holds the volume's shadow.
        constexpr double kSource = 3.0;
        const double magnified = (kSource - 1.0) / (kSource + depth);
        const double u = (0.5 + across * magnified * 0.5) * (width - 2.0);
        const double v = (0.5 + pz * magnified * 0.5) * (height - 2.0);
        const auto column = static_cast<std::uint64_t>(std::clamp(u, 0.0, width - 2.0)) + tap % 2;
        const auto row = static_cast<std::uint64_t>(std::clamp(v, 0.0, height - 2.0)) + tap / 2;
        return row * static_cast<std::uint64_t>(width) + column;
    }
};

} // namespace

void BackProjectionParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (nx % kWarpLanes != 0) throw ConfigError(place.at("nx"), "multiples of 32 are allowed");
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
}

BackProjection::BackProjection(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), data_seed_(context.data_seed) {
    p_.nz = context.scaled(p_.nz);
}

std::vector<ArrayNeed> BackProjection::arrays() const {
    return {{"volume", p_.nx * p_.ny * p_.nz * kFloatBytes}, {"image", p_.image_width * p_.image_height * kFloatBytes}};
}

std::vector<std::shared_ptr<Kernel>> BackProjection::kernels(const ArrayBases& at) const {
    const std::uint64_t nx = p_.nx;
    const std::uint64_t ny = p_.ny;
    const std::uint64_t voxels = nx * ny * p_.nz;
    const auto real = [](std::uint64_t n) { return static_cast<double>(n); };
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.projections; ++i) {
        const double t = real(i) * 3.14159265358979 / real(p_.of);
        const double square = 1.0 + t * t;
        const Projector projector{
            real(nx),        real(ny), real(p_.nz), real(p_.image_width), real(p_.image_height), (1.0 - t * t) / square,
            2.0 * t / square};
        const auto taps = make_map([=](std::uint64_t item, std::uint32_t tap) {
            return projector.pixel(item % nx, item / nx % ny, item / nx / ny, tap);
        });
        ItemLoop loop;
        loop.items = voxels;
        loop.per_block = p_.per_block;
        loop.warps = p_.warps();
        loop.share = share_;
        loop.seed = data_seed_;
        loop.work = p_.work;
        loop.body = {own_access(Op::load, at.at("volume"), voxels, kFloatBytes),
                     mapped_access(Op::load, at.at("image"), kFloatBytes, taps, kTaps),
                     own_access(Op::store, at.at("volume"), voxels, kFloatBytes)};
        launches.push_back(make_item_loop(p_.shape("project_" + std::to_string(i), 0, 0), std::move(loop)));
    }
    return launches;
}

} // namespace numavp
