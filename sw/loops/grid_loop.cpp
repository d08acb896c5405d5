#include "sw/loops/grid_loop.h"

#include <algorithm>
#include <cmath>

#include "base/values/rng.h"

namespace numavp {
namespace {

constexpr double kShareWhole = 0x1.0p32;

std::uint64_t wrapped(std::int64_t index, std::uint64_t elements) {
    const auto n = static_cast<std::int64_t>(elements);
    if (index >= 0 && index < n) return static_cast<std::uint64_t>(index);
    const std::int64_t rest = index % n;
    return static_cast<std::uint64_t>(rest < 0 ? rest + n : rest);
}

} // namespace

bool GridLoop::has_items(std::uint64_t block, std::uint32_t warp) const {
    const std::uint64_t first = block * threads() + std::uint64_t{warp} * kWarpLanes;
    // Turns come one behind the other: a warp without an item in the first has none at all.
    return (items == 0 || first < items) && (active == 0 || first < active);
}

bool GridLoop::is_drawn(std::uint64_t block, std::uint32_t warp) const {
    if (share >= 1.0) return true;
    const auto part = static_cast<std::uint64_t>(std::llround(share * kShareWhole));
    return Rng(seed, block * warps() + warp).at(0) >> 32 < part;
}

std::uint32_t GridLoop::mask(const GridAccess& a, std::uint64_t block, std::uint32_t warp, std::uint64_t turn) const {
    const std::uint32_t first = warp * kWarpLanes;
    const std::uint64_t flat = block * threads() + first;
    std::uint32_t mask = 0xffffffffU;
    if (items != 0) mask = lanes_below(turn * blocks() * threads() + flat, items);
    if (active != 0) mask &= lanes_below(flat, active);
    if (a.lanes_x == 0 && a.lanes_y == 0) return mask;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        const bool out = (a.lanes_x != 0 && (first + lane) % block_x >= a.lanes_x) ||
                         (a.lanes_y != 0 && (first + lane) / block_x >= a.lanes_y);
        if (out) mask &= ~(1U << lane);
    }
    return mask;
}

std::uint64_t GridLoop::accesses() const {
    const auto of_turn = [this](const std::vector<GridAccess>& list, std::uint64_t block, std::uint32_t warp,
                                std::uint64_t turn) {
        std::uint64_t sum = 0;
        for (const GridAccess& a : list) sum += mask(a, block, warp, turn) != 0 ? a.count : 0;
        return sum;
    };
    std::uint64_t sum = 0;
    for (std::uint32_t w = 0; w < warps(); ++w) {
        const auto of_warp = [&](std::uint64_t b) {
            std::uint64_t of = of_turn(before, b, w, 0) + of_turn(after, b, w, 0);
            if (items == 0) return of + turns * of_turn(body, b, w, 0);
            for (std::uint64_t t = 0; t < turns; ++t) of += of_turn(body, b, w, t);
            return of;
        };
        // Blocks are alike unless the items end somewhere.
        const bool alike = items == 0 && active == 0;
        const std::uint64_t of_first = of_warp(0);
        if (alike && share >= 1.0 && sample <= 1) {
            sum += blocks() * of_first;
            continue;
        }
        for (std::uint64_t b = 0; b < blocks(); ++b)
            if (works(b, w)) sum += alike ? of_first : of_warp(b);
    }
    return sum;
}

GridLoop::Warp::Warp(const GridLoop& loop, std::uint64_t block, unsigned warp)
    : loop_(loop), block_(block), warp_(warp), works_(loop.works(block, warp)) {
    if (!works_ || loop.before.empty()) part_ = Part::body;
    if (works_ || (loop.barriers != 0 && loop.is_sampled(block))) return;
    part_ = Part::after;
    at_ = loop.after.size();
}

const std::vector<GridAccess>& GridLoop::Warp::accesses() const {
    switch (part_) {
    case Part::before: return loop_.before;
    case Part::after: return loop_.after;
    default: return loop_.body;
    }
}

bool GridLoop::Warp::work_is_due() const {
    if (part_ != Part::body || worked_) return false;
    if (!works_ || at_ == loop_.body.size()) return true;
    return loaded_ && loop_.body[at_].op != Op::load;
}

void GridLoop::Warp::step(Emitter& e) {
    if (at_end()) {
        e.exit();
        return;
    }
    e.compute(r_index, {r_index});
    if (work_is_due())
        beat(e);
    else if (accesses()[at_].op == Op::load)
        loads(e);
    else
        writes(e);
    if (!works_ ? worked_ : at_ == accesses().size() && (worked_ || part_ != Part::body)) next_turn();
}

void GridLoop::Warp::next_slot() {
    if (++slot_ < accesses()[at_].count) return;
    slot_ = 0;
    ++at_;
}

void GridLoop::Warp::next_turn() {
    if (part_ == Part::after) return;
    if (part_ == Part::body) ++turn_;
    part_ = turn_ == loop_.turns ? Part::after : Part::body;
    loaded_ = worked_ = false;
    beat_ = 0;
    at_ = part_ == Part::after && !works_ ? loop_.after.size() : 0;
}

/// A part of the turn's arithmetic, up to the next barrier.
void GridLoop::Warp::beat(Emitter& e) {
    const std::uint32_t parts = std::max(1U, loop_.barriers);
    const auto part = [&](std::uint32_t of) { return of * (beat_ + 1) / parts - of * beat_ / parts; };
    if (works_ && part(loop_.shared) != 0) e.shared(r_value, {r_value}, part(loop_.shared));
    if (works_ && part(loop_.work) != 0) e.compute(r_value, {r_value}, part(loop_.work));
    if (loop_.barriers != 0) e.barrier();
    worked_ = ++beat_ == parts;
}

void GridLoop::Warp::loads(Emitter& e) {
    std::uint8_t n = 0;
    for (unsigned tries = 0; tries < kInFlight && at_ < accesses().size(); ++tries) {
        const GridAccess& access = accesses()[at_];
        if (access.op != Op::load || (access.dependent && slot_ == 0 && tries != 0)) break;
        if (one(e, access, static_cast<std::uint8_t>(r_load + n))) ++n;
        next_slot();
    }
    loaded_ = true;
    const auto brought = [n](unsigned i) { return i < n ? static_cast<std::uint8_t>(r_load + i) : kNoReg; };
    for (unsigned i = 0; i < n; i += 3) e.compute(r_value, {r_value, brought(i), brought(i + 1), brought(i + 2)});
}

void GridLoop::Warp::writes(Emitter& e) {
    for (unsigned n = 0; n < kInFlight && at_ < accesses().size() && accesses()[at_].op != Op::load; ++n) {
        one(e, accesses()[at_], r_value);
        next_slot();
    }
}

/// The access of the current slot; false if no lane makes one.
bool GridLoop::Warp::one(Emitter& e, const GridAccess& a, std::uint8_t dst) {
    // What follows the last turn is of the first items.
    const std::uint64_t turn = part_ == Part::after ? 0 : turn_;
    const std::uint32_t mask = loop_.mask(a, block_, warp_, turn);
    if (mask == 0) return false;
    const auto column = static_cast<std::int64_t>(block_ % loop_.grid_x);
    const auto row = static_cast<std::int64_t>(block_ / loop_.grid_x);
    const std::int64_t first = a.offset + a.block_x * column + a.block_y * row +
                               a.turn * static_cast<std::int64_t>(turn + a.ahead) + a.step * std::int64_t{slot_};
    const std::uint8_t source = a.dependent && a.op == Op::load ? r_value : r_index;
    if (a.random == 0 && loop_.block_x % kWarpLanes == 0) {
        const std::uint32_t thread = warp_ * kWarpLanes;
        const std::uint64_t index = wrapped(first + a.thread_x * std::int64_t{thread % loop_.block_x} +
                                                a.thread_y * std::int64_t{thread / loop_.block_x},
                                            a.elements);
        const std::int64_t last = static_cast<std::int64_t>(index) + a.thread_x * (kWarpLanes - 1);
        if (last >= 0 && last < static_cast<std::int64_t>(a.elements)) {
            emit(e, a, dst, {a.base + index * a.width, static_cast<std::int32_t>(a.thread_x * a.width), a.width, mask})
                .src[0] = source;
            return true;
        }
    }
    const LaneList list = lanes_of(e, a, first, mask);
    Inst& inst = emit(e, a, dst, {0, 0, a.width, mask});
    inst.mode = AddressMode::list;
    inst.list = list.address;
    inst.src[0] = source;
    return true;
}

Inst& GridLoop::Warp::emit(Emitter& e, const GridAccess& a, std::uint8_t dst, const Lanes& lanes) const {
    switch (a.op) {
    case Op::store: return e.store(lanes, {r_index, r_value});
    case Op::reduce: return e.reduce(lanes, {r_index, r_value});
    case Op::atomic: return e.atomic(dst, lanes, {r_index, r_value});
    default: {
        Inst& load = e.load(dst, lanes, {r_index});
        load.read_only = a.read_only;
        return load;
    }
    }
}

LaneList GridLoop::Warp::lanes_of(Emitter& e, const GridAccess& a, std::int64_t first, std::uint32_t mask) const {
    LaneList list = e.list();
    std::uint64_t group = ~0ULL;
    std::int64_t drawn = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((mask >> lane & 1U) == 0) continue;
        const std::uint32_t thread = warp_ * kWarpLanes + lane;
        const std::uint64_t flat = block_ * loop_.threads() + thread;
        if (a.random != 0 && flat / a.random != group) {
            group = flat / a.random;
            Rng rng = Rng(a.seed, group).fork(turn_ * a.count + slot_);
            drawn = static_cast<std::int64_t>(rng.below(a.among == 0 ? a.elements : a.among) * a.grain);
        }
        const std::int64_t index = first + a.thread_x * std::int64_t{thread % loop_.block_x} +
                                   a.thread_y * std::int64_t{thread / loop_.block_x} + drawn;
        list.set(lane, a.base + wrapped(index, a.elements) * a.width);
    }
    return list;
}

std::shared_ptr<Kernel> make_grid_loop(KernelShape shape, GridLoop loop) {
    shape.blocks = loop.blocks();
    shape.threads = loop.threads();
    shape.accesses = loop.accesses();
    return make_kernel(std::move(shape), std::move(loop));
}

} // namespace numavp
