#include "sw/loops/item_loop.h"

#include <algorithm>
#include <cmath>

#include "base/values/rng.h"
#include "sw/work/count.h"

namespace numavp {
namespace {

std::uint64_t slots_of(const std::vector<Access>& accesses) {
    std::uint64_t slots = 0;
    for (const Access& access : accesses) slots += access.fields;
    return slots;
}

} // namespace

std::uint64_t Thinning::parts(double share, std::uint64_t n) {
    return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(n) * static_cast<double>(kWhole)));
}

ItemLoop::Part ItemLoop::part_of(std::uint64_t block) const {
    const double of_blocks = std::min(1.0, share);
    const double of_groups = std::min(1.0, field_share);
    Part part;
    part.finish = Thinning::parts(of_blocks * of_groups);
    const std::uint64_t first_item = block * per_block;
    if (first_item >= items) return part;
    const std::uint64_t all = whole_groups(std::min(per_block, items - first_item)) / kWarpLanes;
    const std::uint64_t wanted = Thinning::parts(of_blocks, all);
    // Drawn from the item, not from the block: kernels that cut the same items into other blocks meet where they can.
    Rng rng(seed, first_item);
    const std::uint64_t surplus = rng.below(Thinning::kWhole);
    const std::uint64_t n = std::max<std::uint64_t>(1, (wanted + surplus) / Thinning::kWhole);
    const std::uint64_t parts = (all + n - 1) / n;
    part.first = std::min(rng.below(parts) * n, all - n);
    part.last = part.first + n;
    part.body = wanted < Thinning::kWhole ? Thinning::parts(of_blocks * of_groups, all) : Thinning::parts(of_groups);
    return part;
}

Thinning ItemLoop::body_thinning(const Part& part, std::uint64_t block, std::uint64_t group) const {
    return {part.body, Rng(seed, block * per_block + group * kWarpLanes).fork(0)};
}

Thinning ItemLoop::finish_thinning(const Part& part, std::uint64_t block) const {
    return {part.finish, Rng(seed, block * per_block).fork(1)};
}

std::uint64_t ItemLoop::accesses() const {
    const auto incomplete = [](const Access& a) { return a.map && !a.map->complete(); };
    if (std::any_of(body.begin(), body.end(), incomplete) || std::any_of(finish.begin(), finish.end(), incomplete)) {
        KernelShape shape;
        shape.blocks = blocks();
        shape.threads = warps * kWarpLanes;
        return count_accesses(*make_kernel(std::move(shape), *this));
    }
    const std::uint64_t of_group = slots_of(body);
    const std::uint64_t of_finish = warps * slots_of(finish);
    if (share >= 1.0 && field_share >= 1.0) return whole_groups(items) / kWarpLanes * of_group + blocks() * of_finish;
    std::uint64_t sum = 0;
    for (std::uint64_t b = 0; b < blocks(); ++b) {
        const Part part = part_of(b);
        sum += finish_thinning(part, b).made(0, of_finish);
        if (part.body >= Thinning::kWhole)
            sum += (part.last - part.first) * of_group;
        else
            for (std::uint64_t group = part.first; group < part.last; ++group)
                sum += body_thinning(part, b, group).made(0, of_group);
    }
    return sum;
}

ItemLoop::Warp::Warp(const ItemLoop& loop, std::uint64_t block, unsigned warp)
    : loop_(loop), block_(block), part_(loop.part_of(block)), group_(part_.first + warp), warp_(warp) {
    if (loop.body.empty()) group_ = part_.last;
}

/// Number of slots of the access in the current group.
std::uint32_t ItemLoop::Warp::slots(const Access& access) const {
    if (finishing_ || !access.map || access.map->complete()) return access.fields;
    const std::uint64_t item = block_ * loop_.per_block + group_ * kWarpLanes;
    std::uint32_t highest = 0;
    for (unsigned lane = 0; lane < kWarpLanes && item + lane < loop_.items; ++lane)
        highest = std::max(highest, access.map->slots(item + lane));
    return std::min(access.fields, highest);
}

/// Begins a group, or what follows the last one: there all warps of the block share one row of accesses.
void ItemLoop::Warp::start() {
    thinning_ = finishing_ ? loop_.finish_thinning(part_, block_) : loop_.body_thinning(part_, block_, group_);
    before_ = finishing_ ? warp_ * slots_of(loop_.finish) : 0;
    settle();
}

/// Goes to the next access that makes any of its slots.
void ItemLoop::Warp::settle() {
    for (; at_ < accesses().size(); ++at_) {
        of_ = slots(accesses()[at_]);
        slots_ = static_cast<std::uint32_t>(thinning_.made(before_, of_));
        before_ += of_;
        if (slots_ != 0) return;
    }
}

void ItemLoop::Warp::next_slot() {
    if (++done_ < slots_) return;
    done_ = 0;
    ++at_;
    settle();
}

void ItemLoop::Warp::next_group() {
    at_ = 0;
    worked_ = false;
    group_ += loop_.warps;
}

void ItemLoop::Warp::step(Emitter& e) {
    if (finishing_ ? at_ == loop_.finish.size() : group_ >= part_.last && loop_.finish.empty()) {
        e.exit();
        return;
    }
    if (!finishing_ && group_ >= part_.last) {
        finishing_ = true;
        e.barrier();
    }
    e.compute(r_index, {r_index});
    if (at_ == 0 && done_ == 0) start();
    if (at_ == accesses().size()) {
        // Nothing to do for any lane.
    } else if (accesses()[at_].op == Op::load) {
        loads(e);
    } else {
        writes(e);
    }
    if (!finishing_ && at_ == loop_.body.size()) {
        if (!worked_) work(e);
        next_group();
    }
}

void ItemLoop::Warp::loads(Emitter& e) {
    std::uint8_t n = 0;
    for (unsigned tries = 0; tries < kInFlight && at_ < accesses().size() && accesses()[at_].op == Op::load; ++tries) {
        const Access& access = accesses()[at_];
        if (access.dependent && done_ == 0) {
            if (tries != 0) break;
            e.compute(r_address, {r_value});
        }
        const unsigned before = e.count();
        one(e, access, static_cast<std::uint8_t>(r_load + n));
        n = static_cast<std::uint8_t>(n + e.count() - before);
        next_slot();
    }
    constexpr std::uint8_t kFirst = r_load;
    const auto brought = [n](unsigned i) { return i < n ? static_cast<std::uint8_t>(kFirst + i) : kNoReg; };
    for (unsigned i = 0; i < n; i += 3) e.compute(r_value, {r_value, brought(i), brought(i + 1), brought(i + 2)});
}

void ItemLoop::Warp::writes(Emitter& e) {
    if (!worked_ && !finishing_) work(e);
    worked_ = true;
    for (unsigned n = 0; n < kInFlight && at_ < accesses().size() && accesses()[at_].op != Op::load; ++n) {
        one(e, accesses()[at_], r_value);
        next_slot();
    }
}

/// The arithmetic of the group, as much as the part of its accesses that it makes.
void ItemLoop::Warp::work(Emitter& e) const {
    if (loop_.work == 0) return;
    const std::uint64_t part = (loop_.work * part_.body + Thinning::kWhole / 2) / Thinning::kWhole;
    e.compute(r_value, {r_value}, std::max(1U, static_cast<unsigned>(part)));
}

/// The access of the current slot; nothing if no lane makes one.
void ItemLoop::Warp::one(Emitter& e, const Access& access, std::uint8_t dst) {
    const std::uint8_t address = access.dependent && access.op == Op::load ? r_address : r_index;
    const std::uint32_t slot = thinning_.slot(done_, of_);
    if (access.walk != Walk::mapped) {
        const Lanes lanes = affine(access, slot);
        if (access.op == Op::load)
            e.load(dst, lanes, {address});
        else if (access.op == Op::store)
            e.store(lanes, {address, r_value});
        else if (access.op == Op::reduce)
            e.reduce(lanes, {address, r_value});
        else
            e.atomic(dst, lanes, {address, r_value});
        return;
    }
    LaneList lanes = e.list();
    const std::uint64_t item = block_ * loop_.per_block + group_ * kWarpLanes;
    for (unsigned lane = 0; lane < kWarpLanes && item + lane < loop_.items; ++lane) {
        const std::uint64_t element = access.map->element(item + lane, slot);
        if (element != IndexMap::kNone) lanes.set(lane, access.base + element * access.width);
    }
    if (lanes.mask == 0) return;
    if (access.op == Op::load)
        e.load(dst, lanes, access.width, {address});
    else if (access.op == Op::store)
        e.store(lanes, access.width, {address, r_value});
    else if (access.op == Op::reduce)
        e.reduce(lanes, access.width, {address, r_value});
    else
        e.atomic(dst, lanes, access.width, {address, r_value});
}

Lanes ItemLoop::Warp::affine(const Access& a, std::uint32_t slot) const {
    const std::uint64_t item = block_ * loop_.per_block + group_ * kWarpLanes;
    const std::uint32_t mask = lanes_below(item, loop_.items);
    const std::uint64_t turn = block_ / a.every % a.turns;
    switch (a.walk) {
    case Walk::record:
        return {a.base + (item * a.fields + slot) * a.width, static_cast<std::int32_t>(a.fields * a.width), a.width,
                mask};
    case Walk::near: {
        const std::int64_t end = static_cast<std::int64_t>(a.elements) - kWarpLanes;
        const std::int64_t at = std::clamp<std::int64_t>(static_cast<std::int64_t>(item) + a.shift, 0, end);
        return contiguous(a.base + (slot * a.elements + static_cast<std::uint64_t>(at)) * a.width, a.width, mask);
    }
    case Walk::table: {
        const std::uint64_t line =
            ((turn * loop_.per_block / kWarpLanes + group_) * a.fields + slot) * kWarpLanes % a.elements;
        return contiguous(a.base + line * a.width, a.width);
    }
    case Walk::result: {
        const std::uint64_t line = ((turn * loop_.warps + warp_) * a.fields + slot) * kWarpLanes % a.elements;
        return contiguous(a.base + line * a.width, a.width);
    }
    default: return contiguous(a.base + (slot * a.elements + item) * a.width, a.width, mask);
    }
}

std::shared_ptr<Kernel> make_item_loop(KernelShape shape, ItemLoop loop) {
    shape.share = std::min(1.0, loop.share) * std::min(1.0, loop.field_share);
    shape.blocks = loop.blocks();
    shape.accesses = loop.accesses();
    return make_kernel(std::move(shape), std::move(loop));
}

} // namespace numavp
