#include "sw/patterns/pattern_cell_list.h"

#include "base/values/rng.h"
#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint64_t kRoom = kWarpLanes; ///< atoms of a cell
constexpr unsigned kAxes = 3;
constexpr unsigned kAround = 27; ///< cells around one, itself among them

struct Cells {
    std::uint64_t nx, ny, nz;
    std::uint64_t atoms() const { return nx * ny * nz * kRoom; }
    /// Number `k` of the cells around `cell`; space is periodic.
    std::uint64_t around(std::uint64_t cell, std::uint64_t k) const {
        const auto turn = [](std::uint64_t i, std::uint64_t step, std::uint64_t n) { return (i + step + n - 1) % n; };
        const std::uint64_t x = turn(cell % nx, k % 3, nx);
        const std::uint64_t y = turn(cell / nx % ny, k / 3 % 3, ny);
        const std::uint64_t z = turn(cell / nx / ny, k / 9, nz);
        return (z * ny + y) * nx + x;
    }
};

} // namespace

void CellListParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (worker == AtomWorker::warp && (list == 0 || list % kWarpLanes != 0))
        throw ConfigError(place.at("list"), "a warp for each atom needs a list of a multiple of 32");
}

CellList::CellList(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), seed_(context.seed), data_seed_(context.data_seed) {
    p_.nz = std::max<std::uint64_t>(3, context.scaled(p_.nz));
}

std::vector<ArrayNeed> CellList::arrays() const {
    const std::uint64_t atoms = cells() * kRoom;
    std::vector<ArrayNeed> needs = {{"positions", atoms * kAxes * kDoubleBytes},
                                    {"momenta", atoms * kAxes * kDoubleBytes},
                                    {"forces", atoms * kAxes * kDoubleBytes},
                                    {"counts", whole_groups(cells()) * kWordBytes}};
    if (p_.fields != 0) needs.push_back({"fields", atoms * p_.fields * kDoubleBytes});
    if (p_.list != 0) needs.push_back({"lists", atoms * p_.list * kWordBytes});
    return needs;
}

std::vector<std::shared_ptr<Kernel>> CellList::kernels(const ArrayBases& at) const {
    const Cells cells{p_.nx, p_.ny, p_.nz};
    const std::uint64_t atoms = cells.atoms();
    const std::uint64_t seed = data_seed_;
    const auto loop_over = [&](const std::string& kernel, std::uint64_t threads_an_atom) {
        ItemLoop loop;
        loop.share = share_of(p_, share_, kernel);
        loop.items = atoms * threads_an_atom;
        loop.per_block = whole_groups(p_.atoms_per_block * threads_an_atom);
        loop.warps = p_.warps();
        loop.seed = data_seed_;
        loop.work = p_.work;
        return loop;
    };
    const bool by_warp = p_.worker == AtomWorker::warp;
    const std::uint64_t threads = by_warp ? kWarpLanes : 1;
    // Neighbour number n of an atom: some atom of one of the cells around, always the same.
    const auto neighbour = [=](std::uint64_t atom, std::uint64_t n) {
        Rng rng = Rng(seed, atom).fork(n);
        const std::uint64_t cell = cells.around(atom / kRoom, rng.below(kAround));
        return cell * kRoom + rng.below(kRoom);
    };

    std::vector<std::shared_ptr<Kernel>> step;
    for (std::uint32_t pass = 0; pass < p_.pair_passes; ++pass) {
        const std::string name = "pairs_" + std::to_string(pass);
        ItemLoop loop = loop_over(name, threads);
        const auto atom_of = [=](std::uint64_t item) { return item / threads; };
        const auto own_axis =
            make_map([=](std::uint64_t item, std::uint32_t slot) { return slot * atoms + atom_of(item); });
        loop.body.push_back(mapped_access(Op::load, at.at("positions"), kDoubleBytes, own_axis, kAxes));
        if (p_.list == 0) {
            // Scan: the atoms of each cell around lie side by side, a lane each.
            const auto scan = make_map([=](std::uint64_t item, std::uint32_t slot) {
                const std::uint64_t cell = cells.around(item / kRoom, slot / kAxes);
                return slot % kAxes * atoms + cell * kRoom + item % kRoom;
            });
            loop.body.push_back(mapped_access(Op::load, at.at("positions"), kDoubleBytes, scan, kAround * kAxes));
        } else {
            const auto slots = static_cast<std::uint32_t>(p_.list / threads);
            // Lists are transposed for threads, so that those of neighbouring atoms are read together.
            const std::uint64_t length = p_.list;
            const auto entry = make_map([=](std::uint64_t item, std::uint32_t slot) {
                return by_warp ? atom_of(item) * length + slot * kWarpLanes + item % kWarpLanes : slot * atoms + item;
            });
            const auto other = make_map([=](std::uint64_t item, std::uint32_t slot) {
                const std::uint64_t n = by_warp ? slot / kAxes * kWarpLanes + item % kWarpLanes : slot / kAxes;
                return slot % kAxes * atoms + neighbour(atom_of(item), n);
            });
            loop.body.push_back(mapped_access(Op::load, at.at("lists"), kWordBytes, entry, slots));
            loop.body.push_back(mapped_access(Op::load, at.at("positions"), kDoubleBytes, other, slots * kAxes, true));
        }
        if (p_.fields != 0) {
            // Species, densities and energies of the atom itself.
            const std::uint32_t fields = p_.fields;
            const auto own_field =
                make_map([=](std::uint64_t item, std::uint32_t slot) { return slot * atoms + atom_of(item); });
            loop.body.push_back(mapped_access(Op::load, at.at("fields"), kDoubleBytes, own_field, fields));
        }
        loop.body.push_back(mapped_access(Op::store, at.at("forces"), kDoubleBytes, own_axis, kAxes));
        step.push_back(make_item_loop(p_.shape(name, 0, 0), std::move(loop)));
    }

    ItemLoop advance = loop_over("advance", 1);
    advance.work = 8;
    advance.body = {own_access(Op::load, at.at("forces"), atoms, kDoubleBytes, kAxes),
                    own_access(Op::load, at.at("momenta"), atoms, kDoubleBytes, kAxes),
                    own_access(Op::load, at.at("positions"), atoms, kDoubleBytes, kAxes),
                    own_access(Op::store, at.at("momenta"), atoms, kDoubleBytes, kAxes),
                    own_access(Op::store, at.at("positions"), atoms, kDoubleBytes, kAxes)};
    step.push_back(make_item_loop(p_.shape("advance", 0, 0), std::move(advance)));

    // Redistribution: each atom's cell is checked; those that left are counted into the next cell.
    ItemLoop move = loop_over("redistribute", 1);
    const std::uint64_t chance_seed = seed_;
    const auto target = make_map(
        [=](std::uint64_t item, std::uint32_t /*slot*/) {
            Rng rng(chance_seed, item);
            constexpr std::uint64_t kOneIn = 64; // few atoms leave their cell in a step
            return rng.below(kOneIn) == 0 ? cells.around(item / kRoom, rng.below(kAround)) : IndexMap::kNone;
        },
        false);
    const auto own_count = make_map([](std::uint64_t item, std::uint32_t /*slot*/) { return item / kRoom; });
    move.body = {own_access(Op::load, at.at("positions"), atoms, kDoubleBytes, kAxes),
                 mapped_access(Op::load, at.at("counts"), kWordBytes, own_count),
                 mapped_access(Op::reduce, at.at("counts"), kWordBytes, target)};
    step.push_back(make_item_loop(p_.shape("redistribute", 0, 0), std::move(move)));

    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.steps; ++i) launches.insert(launches.end(), step.begin(), step.end());
    return launches;
}

} // namespace numavp
