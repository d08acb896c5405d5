#include "sw/patterns/pattern_transport_sweep.h"

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint64_t kMoments = kWarpLanes; ///< values of source and flux of a cell: energy groups by moments

} // namespace

void TransportSweepParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (angles % kWarpLanes != 0) throw ConfigError(place.at("angles"), "multiples of 32 are allowed");
    if (swept > octants) throw ConfigError(place.at("swept"), "no more octants are swept than there are");
}

TransportSweep::TransportSweep(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), data_seed_(context.data_seed) {
    p_.nz = context.scaled(p_.nz);
    if (p_.swept == 0 || context.share > 1.0) p_.swept = p_.octants; // all of the work
}

std::vector<ArrayNeed> TransportSweep::arrays() const {
    const std::uint64_t cells = p_.nx * p_.ny * p_.nz;
    const std::uint64_t angular = cells * p_.octants * p_.angles * kDoubleBytes;
    return {{"psi_in", angular},
            {"psi_out", angular},
            {"face_x", p_.ny * p_.nz * p_.angles * kDoubleBytes},
            {"face_y", p_.nx * p_.nz * p_.angles * kDoubleBytes},
            {"face_z", p_.nx * p_.ny * p_.angles * kDoubleBytes},
            {"source", cells * kMoments * kDoubleBytes},
            {"flux", cells * kMoments * kDoubleBytes}};
}

std::vector<std::shared_ptr<Kernel>> TransportSweep::kernels(const ArrayBases& at) const {
    const std::uint64_t nx = p_.nx;
    const std::uint64_t ny = p_.ny;
    const std::uint64_t nz = p_.nz;
    const std::uint64_t angles = p_.angles;
    const auto plane_kernel = [&](std::uint32_t octant, std::uint64_t plane) -> std::shared_ptr<Kernel> {
        const auto cells = std::make_shared<std::vector<std::uint32_t>>();
        for (std::uint64_t z = 0; z < nz && z <= plane; ++z) {
            for (std::uint64_t y = 0; y < ny && y + z <= plane; ++y) {
                const std::uint64_t x = plane - y - z;
                if (x >= nx) continue;
                // The octant says from which corner one counts.
                const std::uint64_t at_x = (octant & 1) != 0 ? nx - 1 - x : x;
                const std::uint64_t at_y = (octant & 2) != 0 ? ny - 1 - y : y;
                const std::uint64_t at_z = (octant & 4) != 0 ? nz - 1 - z : z;
                cells->push_back(static_cast<std::uint32_t>((at_z * ny + at_y) * nx + at_x));
            }
        }
        const auto cell = [=](std::uint64_t item) -> std::uint64_t { return (*cells)[item / angles]; };
        const std::uint64_t first = octant * nx * ny * nz;
        const auto angular =
            make_map([=](std::uint64_t item, std::uint32_t) { return (first + cell(item)) * angles + item % angles; });
        const auto moment =
            make_map([=](std::uint64_t item, std::uint32_t) { return cell(item) * kMoments + item % kMoments; });
        const auto face_x =
            make_map([=](std::uint64_t item, std::uint32_t) { return cell(item) / nx * angles + item % angles; });
        const auto face_y = make_map([=](std::uint64_t item, std::uint32_t) {
            return (cell(item) / nx / ny * nx + cell(item) % nx) * angles + item % angles;
        });
        const auto face_z = make_map(
            [=](std::uint64_t item, std::uint32_t) { return cell(item) % (nx * ny) * angles + item % angles; });
        ItemLoop loop;
        loop.items = cells->size() * angles;
        loop.per_block = angles;
        loop.warps = p_.warps();
        loop.share = share_;
        loop.seed = data_seed_;
        loop.work = p_.work;
        loop.body = {mapped_access(Op::load, at.at("source"), kDoubleBytes, moment),
                     mapped_access(Op::load, at.at("psi_in"), kDoubleBytes, angular),
                     mapped_access(Op::load, at.at("face_x"), kDoubleBytes, face_x),
                     mapped_access(Op::load, at.at("face_y"), kDoubleBytes, face_y),
                     mapped_access(Op::load, at.at("face_z"), kDoubleBytes, face_z),
                     mapped_access(Op::store, at.at("psi_out"), kDoubleBytes, angular),
                     mapped_access(Op::store, at.at("face_x"), kDoubleBytes, face_x),
                     mapped_access(Op::store, at.at("face_y"), kDoubleBytes, face_y),
                     mapped_access(Op::store, at.at("face_z"), kDoubleBytes, face_z),
                     mapped_access(Op::reduce, at.at("flux"), kDoubleBytes, moment)};
        return make_item_loop(p_.shape("plane_" + std::to_string(plane), 0, 0), std::move(loop));
    };
    std::vector<std::shared_ptr<Kernel>> sweep;
    for (std::uint32_t i = 0; i < p_.swept; ++i) {
        // The first and the last are opposite corners.
        const std::uint32_t octant = p_.swept == 1 ? 0 : i * (p_.octants - 1) / (p_.swept - 1);
        for (std::uint64_t plane = 0; plane < nx + ny + nz - 2; ++plane) sweep.push_back(plane_kernel(octant, plane));
    }
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.sweeps; ++i) launches.insert(launches.end(), sweep.begin(), sweep.end());
    return launches;
}

} // namespace numavp
