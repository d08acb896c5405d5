#include "sw/patterns/pattern_grid_loop.h"

#include <algorithm>
#include <cmath>

#include "base/values/rng.h"
#include "sw/loops/grid_loop.h"

namespace numavp {
namespace {

Op grid_op_of(AccessKind kind) {
    switch (kind) {
    case AccessKind::store: return Op::store;
    case AccessKind::reduce: return Op::reduce;
    case AccessKind::atomic: return Op::atomic;
    default: return Op::load;
    }
}

std::int64_t scaled_stride(std::int64_t stride, double scale) {
    return std::llround(static_cast<double>(stride) * scale);
}

GridAccess grid_access(const GridLoopAccess& a, std::uint64_t base, std::uint64_t seed) {
    GridAccess access;
    access.op = grid_op_of(a.kind);
    access.width = static_cast<std::uint8_t>(a.width);
    access.dependent = a.dependent;
    access.base = base;
    access.elements = a.elements;
    access.offset = a.offset;
    access.block_x = a.block_x;
    access.block_y = a.block_y;
    access.thread_x = a.thread_x;
    access.thread_y = a.thread_y;
    access.turn = a.turn;
    access.step = a.step;
    access.ahead = a.ahead;
    access.count = a.count;
    access.lanes_x = a.lanes_x;
    access.lanes_y = a.lanes_y;
    access.random = a.random;
    access.among = a.among;
    access.grain = a.grain;
    access.seed = seed;
    return access;
}

/// Marks accesses to arrays that no access of the kernel writes, under any name, as read only (NUBA, section 5.2).
void mark_read_only(GridLoop& loop) {
    std::vector<std::uint64_t> written; // where the arrays begin
    for (const auto* part : {&loop.before, &loop.body, &loop.after})
        for (const GridAccess& a : *part)
            if (a.op != Op::load) written.push_back(a.base);
    for (auto* part : {&loop.before, &loop.body, &loop.after})
        for (GridAccess& a : *part) a.read_only = std::find(written.begin(), written.end(), a.base) == written.end();
}

} // namespace

void GridLoopAccess::validate(const Place& place) const {
    if (array.empty()) throw ConfigError(place, "an access has no 'array', which it must have");
    if (elements == 0) throw ConfigError(place, "an access has no 'elements', which it must have");
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
        throw ConfigError(place.at("width"), "elements have 1, 2, 4, 8 or 16 bytes");
    if (when == GridTime::before && kind != AccessKind::load)
        throw ConfigError(place.at("when"), "before the first turn there is nothing to write; only loads are allowed");
}

void GridLoopParameters::validate(const Place& place) const {
    const std::uint32_t threads = block_x * block_y;
    const std::int64_t last_x = static_cast<std::int64_t>(grid_x) + grid_launch * (std::int64_t{iterations} - 1);
    if (last_x < 1)
        throw ConfigError(place.at("grid_launch"), "the last launch has no block; at least one is expected");
    if (threads % kWarpLanes != 0 || threads > 1024)
        throw ConfigError(place.at("block_x"), "a block has " + std::to_string(threads) +
                                                   " threads; multiples of 32 up to 1024 are allowed");
    constexpr std::uint64_t kMostBlocks = 1ULL << 32, kMostTurns = 1ULL << 40;
    const std::uint64_t most_x = std::max(grid_x, static_cast<std::uint64_t>(last_x)); // grids may grow
    if (most_x > kMostBlocks / grid_y)
        throw ConfigError(place.at("grid_x"), "the grid has more than 2^32 blocks; as many are allowed");
    if (most_x * grid_y * turns > kMostTurns)
        throw ConfigError(place.at("turns"), "all blocks together make more than 2^40 turns; as many are allowed");
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const GridLoopAccess& a = accesses[i];
        const double far = std::abs(static_cast<double>(a.block_x)) * static_cast<double>(most_x) +
                           std::abs(static_cast<double>(a.block_y)) * static_cast<double>(grid_y) +
                           std::abs(static_cast<double>(a.turn)) * static_cast<double>(turns + a.ahead) +
                           std::abs(static_cast<double>(a.step)) * a.count +
                           std::abs(static_cast<double>(a.launch)) * iterations +
                           static_cast<double>(a.grain) * static_cast<double>(a.among == 0 ? a.elements : a.among);
        if (far > 1e18)
            throw ConfigError(place.at("accesses").at(i), "its elements reach farther than 10^18; less is allowed");
    }
    if (std::all_of(accesses.begin(), accesses.end(), [](const GridLoopAccess& a) { return a.when != GridTime::turn; }))
        throw ConfigError(place, "a loop without 'accesses' in its turns does nothing; at least one is expected");
}

GridLoopPattern::GridLoopPattern(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share), seed_(context.seed), data_seed_(context.data_seed) {
    if (p_.scale == GridScale::none) return;
    std::uint64_t& scaled = p_.scale == GridScale::x ? p_.grid_x : p_.grid_y;
    scaled = context.scaled(scaled);
    if (p_.items != 0) p_.items = context.scaled(p_.items);
    if (p_.active != 0) p_.active = context.scaled(p_.active);
    for (GridLoopAccess& a : p_.accesses) {
        if (a.scaled) a.elements = context.scaled(a.elements);
        if (!a.scaled_strides) continue;
        a.step = scaled_stride(a.step, context.scale);
        a.turn = scaled_stride(a.turn, context.scale);
        if (p_.scale == GridScale::x) a.block_y = scaled_stride(a.block_y, context.scale);
    }
}

std::vector<ArrayNeed> GridLoopPattern::arrays() const {
    std::vector<ArrayNeed> needs;
    for (const GridLoopAccess& a : p_.accesses) {
        const auto known = std::find_if(needs.begin(), needs.end(), [&](const auto& n) { return n.role == a.array; });
        if (known == needs.end())
            needs.push_back({a.array, a.elements * a.width});
        else
            known->bytes = std::max(known->bytes, a.elements * a.width);
    }
    return needs;
}

GridLoop GridLoopPattern::loop_of_launch(const ArrayBases& at, std::uint32_t launch) const {
    GridLoop loop;
    // A grid that shrinks may have been scaled to less than its launches take away.
    loop.grid_x = static_cast<std::uint64_t>(
        std::max(std::int64_t{1}, static_cast<std::int64_t>(p_.grid_x) + p_.grid_launch * std::int64_t{launch}));
    loop.grid_y = p_.grid_y;
    loop.block_x = p_.block_x;
    loop.block_y = p_.block_y;
    loop.turns = p_.turns;
    loop.items = p_.items;
    loop.active = p_.active;
    loop.share = share_;
    loop.seed = data_seed_;
    loop.work = p_.work;
    loop.shared = p_.shared;
    loop.barriers = p_.barriers;
    loop.stretch = p_.stretch;
    loop.sample = p_.sample;
    for (const GridLoopAccess& a : p_.accesses) {
        std::vector<GridAccess>& part = a.when == GridTime::before  ? loop.before
                                        : a.when == GridTime::after ? loop.after
                                                                    : loop.body;
        part.push_back(grid_access(a, at.at(a.array), Rng(seed_, a.draw).at(0)));
        part.back().offset += a.launch * std::int64_t{launch};
    }
    mark_read_only(loop);
    return loop;
}

std::vector<std::shared_ptr<Kernel>> GridLoopPattern::kernels(const ArrayBases& at) const {
    KernelShape shape;
    shape.name = p_.kernel;
    shape.registers = p_.registers;
    shape.shared_bytes = p_.shared_bytes;
    const bool alike = p_.grid_launch == 0 && std::all_of(p_.accesses.begin(), p_.accesses.end(),
                                                          [](const GridLoopAccess& a) { return a.launch == 0; });
    if (alike) return {p_.iterations, make_grid_loop(std::move(shape), loop_of_launch(at, 0))};
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.iterations; ++i) launches.push_back(make_grid_loop(shape, loop_of_launch(at, i)));
    return launches;
}

} // namespace numavp
