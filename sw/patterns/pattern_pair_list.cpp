#include "sw/patterns/pattern_pair_list.h"

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint64_t kPosition = 16; ///< three coordinates and the charge, single precision
constexpr std::uint64_t kParameters = 8;
constexpr std::uint32_t kPairAxes = 3;
constexpr std::uint64_t kPatchesAround = 27;
constexpr std::uint64_t kIntegrateBlock = 128;

} // namespace

void PairListParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (atoms % kWarpLanes != 0) throw ConfigError(place.at("atoms"), "multiples of 32 are allowed");
}

PairList::PairList(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), data_seed_(context.data_seed) {
    p_.nz = context.scaled(p_.nz);
}

std::vector<ArrayNeed> PairList::arrays() const {
    const std::uint64_t atoms = p_.nx * p_.ny * p_.nz * p_.atoms;
    return {{"positions", atoms * kPosition},
            {"parameters", atoms * kParameters},
            {"velocities", atoms * kPosition},
            {"forces", atoms * kPairAxes * kWordBytes},
            {"pairs", atoms * kPatchesAround * p_.list * kWordBytes}};
}

std::vector<std::shared_ptr<Kernel>> PairList::kernels(const ArrayBases& at) const {
    const std::uint64_t nx = p_.nx;
    const std::uint64_t ny = p_.ny;
    const std::uint64_t nz = p_.nz;
    const std::uint64_t patch_atoms = p_.atoms;
    const std::uint64_t atoms = nx * ny * nz * patch_atoms;
    // Of the item in block (patch, k): its own atom, and an atom of the patch that is k-th around.
    const auto own_atom = [=](std::uint64_t item) {
        return item / patch_atoms / kPatchesAround * patch_atoms + item % patch_atoms;
    };
    const auto other_patch = [=](std::uint64_t item) {
        const std::uint64_t patch = item / patch_atoms / kPatchesAround;
        const std::uint64_t k = item / patch_atoms % kPatchesAround;
        const std::uint64_t x = (patch % nx + k % 3 + nx - 1) % nx;
        const std::uint64_t y = (patch / nx % ny + k / 3 % 3 + ny - 1) % ny;
        const std::uint64_t z = (patch / nx / ny + k / 9 + nz - 1) % nz;
        return (z * ny + y) * nx + x;
    };
    const auto own = make_map([=](std::uint64_t item, std::uint32_t slot) { return slot * atoms + own_atom(item); });
    // The lanes of a warp go through the other patch together, from another place for each group.
    const auto other = make_map([=](std::uint64_t item, std::uint32_t slot) {
        return other_patch(item) * patch_atoms + (item % patch_atoms + slot * kWarpLanes) % patch_atoms;
    });
    ItemLoop pairs;
    pairs.per_block = patch_atoms;
    pairs.items = atoms * kPatchesAround;
    pairs.warps = p_.warps();
    pairs.share = share_of(p_, share_, "pairs");
    pairs.seed = data_seed_;
    pairs.work = p_.work;
    pairs.body = {mapped_access(Op::load, at.at("positions"), kPosition, own),
                  mapped_access(Op::load, at.at("parameters"), kParameters, own),
                  own_access(Op::load, at.at("pairs"), pairs.items, kWordBytes, p_.list),
                  mapped_access(Op::load, at.at("positions"), kPosition, other, p_.list, true),
                  mapped_access(Op::reduce, at.at("forces"), kWordBytes, own, kPairAxes)};

    ItemLoop integrate;
    integrate.items = atoms;
    integrate.per_block = kIntegrateBlock;
    integrate.warps = p_.warps();
    integrate.share = share_of(p_, share_, "integrate");
    integrate.seed = data_seed_;
    integrate.body = {own_access(Op::load, at.at("forces"), atoms, kWordBytes, kPairAxes),
                      own_access(Op::load, at.at("velocities"), atoms, kPosition),
                      own_access(Op::load, at.at("positions"), atoms, kPosition),
                      own_access(Op::store, at.at("velocities"), atoms, kPosition),
                      own_access(Op::store, at.at("positions"), atoms, kPosition)};

    const std::shared_ptr<Kernel> first = make_item_loop(p_.shape("pairs", 0, 0), std::move(pairs));
    const std::shared_ptr<Kernel> second = make_item_loop(p_.shape("integrate", 0, 0), std::move(integrate));
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.steps; ++i) {
        launches.push_back(first);
        launches.push_back(second);
    }
    return launches;
}

} // namespace numavp
