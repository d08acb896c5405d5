#include "sw/patterns/pattern_multigrid.h"

#include <map>
#include <tuple>

#include "sw/loops/numbering.h"

namespace numavp {
namespace {

constexpr unsigned kCellsOfACoarse = 8;

using Level = Multigrid::Level;

/// Child `slot` of a coarse cell.
std::shared_ptr<const IndexMap> children(const Level& coarse, const Level& fine) {
    return make_map([coarse, fine](std::uint64_t item, std::uint32_t slot) {
        const std::uint64_t x = std::min(fine.nx - 1, item % coarse.nx * 2 + slot % 2);
        const std::uint64_t y = std::min(fine.ny - 1, item / coarse.nx % coarse.ny * 2 + slot / 2 % 2);
        const std::uint64_t z = std::min(fine.nz - 1, item / coarse.nx / coarse.ny * 2 + slot / 4);
        return (z * fine.ny + y) * fine.nx + x;
    });
}

std::shared_ptr<const IndexMap> parent(const Level& fine, const Level& coarse) {
    return make_map([fine, coarse](std::uint64_t item, std::uint32_t /*slot*/) {
        const std::uint64_t x = std::min(coarse.nx - 1, item % fine.nx / 2);
        const std::uint64_t y = std::min(coarse.ny - 1, item / fine.nx % fine.ny / 2);
        const std::uint64_t z = std::min(coarse.nz - 1, item / fine.nx / fine.ny / 2);
        return (z * coarse.ny + y) * coarse.nx + x;
    });
}

/// Neighbours in rows, in planes and in the volume, the cell itself first.
std::vector<std::int64_t> stencil(const Level& level, std::uint32_t points) {
    const auto row = static_cast<std::int64_t>(level.nx);
    const auto plane = static_cast<std::int64_t>(level.nx * level.ny);
    if (points == 7) return {0, -1, 1, -row, row, -plane, plane};
    std::vector<std::int64_t> shifts;
    for (std::int64_t z = -1; z <= 1; ++z)
        for (std::int64_t y = -1; y <= 1; ++y)
            for (std::int64_t x = -1; x <= 1; ++x) shifts.push_back(z * plane + y * row + x);
    return shifts;
}

} // namespace

void MultigridParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (points != 7 && points != 27) throw ConfigError(place.at("points"), "7 or 27 points are allowed");
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
}

Multigrid::Multigrid(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), data_seed_(context.data_seed) {
    Level level{p_.nx, p_.ny, context.scaled(p_.nz), 0, 0};
    for (std::uint32_t i = 0; i < p_.levels; ++i) {
        level.elements = whole_groups(level.cells());
        levels_.push_back(level);
        level = {level.nx / 2, level.ny / 2, level.nz / 2, level.offset + level.elements, 0};
        if (level.nx < 2 || level.ny < 2 || level.nz < 2) break;
    }
}

std::vector<ArrayNeed> Multigrid::arrays() const {
    const std::uint64_t bytes = elements() * kDoubleBytes;
    std::vector<ArrayNeed> needs = {{"x", bytes}, {"y", bytes}, {"rhs", bytes}};
    if (p_.residual) needs.push_back({"residual", bytes});
    if (fields() != 0) needs.push_back({"coefficients", bytes * fields()});
    if (p_.matrix) needs.push_back({"columns", elements() * kWordBytes * p_.points});
    return needs;
}

std::vector<std::shared_ptr<Kernel>> Multigrid::kernels(const ArrayBases& at) const {
    enum class Step { smooth, residual, restriction, prolongation };
    const auto array = [&](const char* name, std::size_t l) { return at.at(name) + levels_[l].offset * kDoubleBytes; };
    std::map<std::tuple<Step, std::size_t, int>, std::shared_ptr<Kernel>> made; // by the places of both solutions
    std::vector<std::shared_ptr<Kernel>> launches;
    std::vector<char> in_y(levels_.size(), 0); // where a level's solution is

    // Reads the stencil of x with the cell's coefficients and right-hand side.
    const auto apply_operator = [&](std::vector<Access>& body, std::size_t l, const char* x) {
        const Level& level = levels_[l];
        body.push_back(own_access(Op::load, array("rhs", l), level.elements, kDoubleBytes));
        if (fields() != 0)
            body.push_back(own_access(Op::load, at.at("coefficients") + level.offset * kDoubleBytes * fields(),
                                      level.elements, kDoubleBytes, fields()));
        if (p_.matrix) {
            body.push_back(own_access(Op::load, at.at("columns") + level.offset * kWordBytes * p_.points,
                                      level.elements, kWordBytes, p_.points));
            const auto numbering = std::make_shared<Numbering>(level.cells(), 1, 0);
            body.push_back(mapped_access(
                Op::load, array(x, l), kDoubleBytes,
                std::make_shared<NeighbourMap>(numbering, stencil(level, p_.points), 1, false, level.elements),
                p_.points, true));
            return;
        }
        for (const std::int64_t shift : stencil(level, p_.points)) {
            body.push_back(own_access(Op::load, array(x, l), level.elements, kDoubleBytes));
            body.back().walk = Walk::near;
            body.back().shift = shift;
        }
    };
    const auto launch = [&](Step step, std::size_t l) {
        const char* x = in_y[l] != 0 ? "y" : "x";
        const char* other = in_y[l] != 0 ? "x" : "y";
        std::size_t beside = l;
        if (step == Step::restriction) beside = l - 1;
        if (step == Step::prolongation) beside = l + 1;
        const char* there = in_y[beside] != 0 ? "y" : "x";
        std::shared_ptr<Kernel>& kernel = made[{step, l, in_y[l] + 2 * in_y[beside]}];
        if (step == Step::smooth) in_y[l] ^= 1;
        if (kernel) return launches.push_back(kernel);
        ItemLoop loop;
        const Level& level = levels_[l];
        loop.items = level.cells();
        loop.per_block = p_.per_block;
        loop.warps = p_.warps();
        loop.seed = data_seed_;
        loop.work = p_.work;
        std::string name = "smooth";
        switch (step) {
        case Step::smooth:
            apply_operator(loop.body, l, x);
            loop.body.push_back(own_access(Op::store, array(other, l), level.elements, kDoubleBytes));
            break;
        case Step::residual:
            name = "residual";
            apply_operator(loop.body, l, x);
            loop.body.push_back(own_access(Op::store, array("residual", l), level.elements, kDoubleBytes));
            break;
        case Step::restriction: // to level l
            name = "restrict";
            loop.body.push_back(mapped_access(Op::load, array(p_.residual ? "residual" : there, l - 1), kDoubleBytes,
                                              children(level, levels_[l - 1]), kCellsOfACoarse));
            loop.body.push_back(own_access(Op::store, array("rhs", l), level.elements, kDoubleBytes));
            loop.body.push_back(own_access(Op::store, array(x, l), level.elements, kDoubleBytes));
            break;
        case Step::prolongation: // from level l + 1
            name = "prolong";
            loop.body.push_back(own_access(Op::load, array(x, l), level.elements, kDoubleBytes));
            loop.body.push_back(
                mapped_access(Op::load, array(there, l + 1), kDoubleBytes, parent(level, levels_[l + 1])));
            loop.body.push_back(own_access(Op::store, array(x, l), level.elements, kDoubleBytes));
            break;
        }
        name += "_" + std::to_string(l);
        loop.share = share_of(p_, share_, name);
        kernel = make_item_loop(p_.shape(name, 0, 0), std::move(loop));
        launches.push_back(kernel);
    };
    const auto repeat = [&](std::uint32_t n, Step step, std::size_t l) {
        for (std::uint32_t i = 0; i < n; ++i) launch(step, l);
    };
    for (std::uint32_t cycle = 0; cycle < p_.cycles; ++cycle) {
        for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
            repeat(p_.pre, Step::smooth, l);
            if (p_.residual) launch(Step::residual, l);
            launch(Step::restriction, l + 1);
        }
        repeat(p_.pre + p_.post, Step::smooth, levels_.size() - 1);
        for (std::size_t l = levels_.size() - 1; l-- != 0;) {
            launch(Step::prolongation, l);
            repeat(p_.post, Step::smooth, l);
        }
    }
    return launches;
}

} // namespace numavp
