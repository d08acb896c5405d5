#include "sw/patterns/pattern_adaptive_mesh.h"

#include <array>

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr unsigned kChildren = 8;
constexpr std::uint32_t kWhole = 0xffffffff; ///< a coarse block that is not refined

struct Box {
    std::uint64_t nx, ny, nz;
    std::uint64_t size() const { return nx * ny * nz; }
};

/// Does the surface of the sphere pass through the coarse block at (x, y, z)? In units of half the box.
bool is_cut(const Box& box, std::uint64_t x, std::uint64_t y, std::uint64_t z, double radius) {
    double nearest = 0.0;
    double farthest = 0.0;
    const auto axis = [&](std::uint64_t i, std::uint64_t n) {
        const double low = 2.0 * static_cast<double>(i) / static_cast<double>(n) - 1.0;
        const double high = low + 2.0 / static_cast<double>(n);
        const double a = low * low;
        const double b = high * high;
        nearest += low <= 0.0 && high >= 0.0 ? 0.0 : std::min(a, b);
        farthest += std::max(a, b);
    };
    axis(x, box.nx);
    axis(y, box.ny);
    axis(z, box.nz);
    return nearest <= radius * radius && farthest >= radius * radius;
}

} // namespace

AdaptiveBlocks refine_blocks(std::uint64_t nx, std::uint64_t ny, std::uint64_t nz, double radius) {
    const Box box{nx, ny, nz};
    std::vector<std::uint32_t> later(box.size(), kWhole); // place of the second child
    auto places = static_cast<std::uint32_t>(box.size());
    for (std::uint64_t coarse = 0; coarse < box.size(); ++coarse) {
        if (!is_cut(box, coarse % nx, coarse / nx % ny, coarse / nx / ny, radius)) continue;
        later[coarse] = places;
        places += kChildren - 1;
    }
    const auto place_of = [&](std::uint64_t coarse, unsigned child) {
        return child == 0 ? static_cast<std::uint32_t>(coarse) : later[coarse] + child - 1;
    };
    AdaptiveBlocks mesh;
    mesh.neighbours.resize(std::size_t{places} * AdaptiveBlocks::kFaces);
    const std::array<std::uint64_t, 3> n = {nx, ny, nz};
    for (std::uint64_t coarse = 0; coarse < box.size(); ++coarse) {
        const std::array<std::uint64_t, 3> at = {coarse % nx, coarse / nx % ny, coarse / nx / ny};
        const bool refined = later[coarse] != kWhole;
        for (unsigned child = 0; child < (refined ? kChildren : 1U); ++child) {
            const std::uint32_t place = place_of(coarse, child);
            for (unsigned face = 0; face < AdaptiveBlocks::kFaces; ++face) {
                const unsigned axis = face / 2;
                const bool up = face % 2 != 0;
                std::uint32_t& neighbour = mesh.neighbours[std::size_t{place} * AdaptiveBlocks::kFaces + face];
                const unsigned sibling = child ^ (1U << axis);
                if (refined && ((child >> axis & 1) != 0) != up) {
                    neighbour = place_of(coarse, sibling);
                    continue;
                }
                if (up ? at[axis] + 1 == n[axis] : at[axis] == 0) {
                    neighbour = place;
                    continue;
                }
                std::array<std::uint64_t, 3> next = at;
                next[axis] += up ? 1 : ~0ULL;
                const std::uint64_t other = (next[2] * ny + next[1]) * nx + next[0];
                // Of a refined neighbour the child that touches; a coarse block asks one of four.
                const unsigned touching = refined ? sibling : (up ? 0U : 1U << axis);
                neighbour = place_of(other, later[other] != kWhole ? touching : 0U);
            }
        }
    }
    return mesh;
}

AdaptiveMesh::AdaptiveMesh(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), data_seed_(context.data_seed),
      mesh_(std::make_shared<AdaptiveBlocks>(refine_blocks(p_.nx, p_.ny, context.scaled(p_.nz), p_.radius))) {}

std::vector<ArrayNeed> AdaptiveMesh::arrays() const {
    const std::uint64_t padded = p_.edge + 2;
    return {{"cells", mesh_->blocks() * padded * padded * padded * p_.variables * kDoubleBytes},
            {"neighbours", whole_groups(mesh_->blocks() * AdaptiveBlocks::kFaces) * 4}};
}

std::vector<std::shared_ptr<Kernel>> AdaptiveMesh::kernels(const ArrayBases& at) const {
    const std::uint64_t edge = p_.edge;
    const std::uint64_t padded = edge + 2;
    const std::uint64_t volume = padded * padded * padded;
    const std::uint64_t variables = p_.variables;
    const std::shared_ptr<const AdaptiveBlocks> mesh = mesh_;
    const auto loop_over = [&](const char* kernel, std::uint64_t per_block) {
        ItemLoop loop;
        loop.share = share_of(p_, share_, kernel);
        loop.per_block = whole_groups(per_block);
        loop.items = mesh->blocks() * loop.per_block;
        loop.warps = p_.warps();
        loop.seed = data_seed_;
        loop.work = p_.work;
        return loop;
    };

    // Exchange: an item is a cell of a face; its slots are the variables.
    ItemLoop exchange = loop_over("exchange", AdaptiveBlocks::kFaces * edge * edge);
    const std::uint64_t face_items = exchange.per_block;
    const auto face_cell = [=](std::uint64_t item, bool ghost) {
        const std::uint64_t cell = item % face_items;
        const std::uint64_t face = cell / (edge * edge);
        const std::uint64_t across[2] = {cell % edge + 1, cell / edge % edge + 1};
        // The ghost lies outside this block's face, its source just inside the neighbour's opposite one.
        const bool up = face % 2 != 0;
        const std::uint64_t depth = ghost ? (up ? edge + 1 : 0) : (up ? 1 : edge);
        const std::uint64_t x = face / 2 == 0 ? depth : across[0];
        const std::uint64_t y = face / 2 == 1 ? depth : across[face / 2 == 0 ? 0 : 1];
        const std::uint64_t z = face / 2 == 2 ? depth : across[1];
        return (z * padded + y) * padded + x;
    };
    const auto exchanged = [=](bool ghost) {
        return make_map(
            [=](std::uint64_t item, std::uint32_t slot) {
                const std::uint64_t block = item / face_items;
                const std::uint64_t cell = item % face_items;
                if (cell >= AdaptiveBlocks::kFaces * edge * edge) return IndexMap::kNone;
                const std::uint64_t face = cell / (edge * edge);
                const std::uint64_t owner = ghost ? block : mesh->neighbours[block * AdaptiveBlocks::kFaces + face];
                return (owner * variables + slot) * volume + face_cell(item, ghost);
            },
            face_items == AdaptiveBlocks::kFaces * edge * edge);
    };
    exchange.body = {
        mapped_access(Op::load, at.at("neighbours"), 4, make_map([=](std::uint64_t item, std::uint32_t /*slot*/) {
                          const std::uint64_t face = item % face_items / (edge * edge);
                          return item / face_items * AdaptiveBlocks::kFaces +
                                 std::min<std::uint64_t>(face, AdaptiveBlocks::kFaces - 1);
                      })),
        mapped_access(Op::load, at.at("cells"), kDoubleBytes, exchanged(false), p_.variables, true),
        mapped_access(Op::store, at.at("cells"), kDoubleBytes, exchanged(true), p_.variables)};

    // Stencil: an item is a cell with its ghosts, loaded once and kept in shared memory; the block is updated in place.
    ItemLoop stencil = loop_over("stencil", volume);
    const std::uint64_t cell_items = stencil.per_block;
    const auto cells = make_map(
        [=](std::uint64_t item, std::uint32_t slot) {
            const std::uint64_t cell = item % cell_items;
            if (cell >= volume) return IndexMap::kNone;
            return (item / cell_items * variables + slot) * volume + cell;
        },
        cell_items == volume);
    stencil.body = {mapped_access(Op::load, at.at("cells"), kDoubleBytes, cells, p_.variables),
                    mapped_access(Op::store, at.at("cells"), kDoubleBytes, cells, p_.variables)};

    const std::shared_ptr<Kernel> first = make_item_loop(p_.shape("exchange", 0, 0), std::move(exchange));
    const std::shared_ptr<Kernel> second = make_item_loop(p_.shape("stencil", 0, 0), std::move(stencil));
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.steps; ++i) {
        launches.push_back(first);
        launches.push_back(second);
    }
    return launches;
}

} // namespace numavp
