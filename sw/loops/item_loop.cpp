#include "sw/loops/item_loop.h"

#include <algorithm>
#include <cmath>

#include "base/values/rng.h"
#include "sw/work/count.h"

namespace numavp {
namespace {

/// Slots of the first `warps` warps of a block, of shared memory or of the other accesses.
std::uint64_t slots_of(const std::vector<Access>& accesses, std::uint64_t warps, bool shared = false) {
    std::uint64_t slots = 0;
    for (const Access& access : accesses) {
        if (access.op == Op::barrier || access.shared != shared) continue;
        const std::uint64_t taking = access.lanes == 0 ? warps : whole_groups(access.lanes) / kWarpLanes;
        slots += std::min(warps, taking) * access.fields;
    }
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

bool ItemLoop::meets() const {
    return std::any_of(body.begin(), body.end(), [](const Access& a) { return a.op == Op::barrier; });
}

std::uint64_t ItemLoop::accesses() const {
    const auto incomplete = [](const Access& a) { return a.map && !a.map->complete(); };
    if (std::any_of(body.begin(), body.end(), incomplete) || std::any_of(finish.begin(), finish.end(), incomplete)) {
        KernelShape shape;
        shape.blocks = blocks();
        shape.threads = warps * kWarpLanes;
        return count_accesses(*make_kernel(std::move(shape), *this));
    }
    const std::uint64_t of_group = slots_of(body, 1);
    const std::uint64_t of_finish = slots_of(finish, warps);
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
    : loop_(loop), block_(block), part_(loop.part_of(block)), group_(part_.first + warp), end_(0), warp_(warp) {
    if (loop.body.empty()) group_ = part_.last;
    end_ = part_.last;
    if (loop.meets()) end_ = part_.first + (part_.last - part_.first + loop.warps - 1) / loop.warps * loop.warps;
}

/// Number of slots of the access in the current group.
std::uint32_t ItemLoop::Warp::slots(const Access& access) const {
    if (idle() || (access.lanes != 0 && warp_ * kWarpLanes >= access.lanes)) return 0;
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
    before_ = finishing_ ? slots_of(loop_.finish, warp_) : 0;
    before_shared_ = finishing_ ? slots_of(loop_.finish, warp_, true) : 0;
    settle();
}

/// Goes to the next access that makes any of its slots; barriers are made always.
void ItemLoop::Warp::settle() {
    for (; at_ < accesses().size(); ++at_) {
        const Access& access = accesses()[at_];
        if (access.op == Op::barrier) {
            slots_ = 1;
            return;
        }
        std::uint64_t& before = access.shared ? before_shared_ : before_;
        of_ = slots(access);
        slots_ = static_cast<std::uint32_t>(thinning_.made(before, of_));
        before += of_;
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
    if (finishing_ ? at_ == loop_.finish.size() : group_ >= end_ && loop_.finish.empty()) {
        e.exit();
        return;
    }
    if (!finishing_ && group_ >= end_) {
        finishing_ = true;
        e.barrier();
    }
    if (at_ == 0 && done_ == 0) start();
    const bool meets = at_ < accesses().size() && accesses()[at_].op == Op::barrier;
    if (!meets) e.compute(r_index, {r_index});
    if (meets) {
        e.barrier();
        next_slot();
    } else if (at_ == accesses().size()) {
        // Nothing to do for any lane.
    } else if (accesses()[at_].op == Op::load) {
        loads(e);
    } else {
        writes(e);
    }
    if (!finishing_ && at_ == loop_.body.size()) {
        if (!worked_ && !idle()) work(e);
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

bool ItemLoop::Warp::writes_next(bool shared) const {
    if (at_ == accesses().size()) return false;
    const Access& access = accesses()[at_];
    return access.op != Op::load && access.op != Op::barrier && access.shared == shared;
}

/// Writes to memory come behind the arithmetic; those to shared memory don't, since they often only move what was
/// loaded.
void ItemLoop::Warp::writes(Emitter& e) {
    const bool shared = accesses()[at_].shared;
    if (!shared) {
        if (!worked_ && !finishing_) work(e);
        worked_ = true;
    }
    for (unsigned n = 0; n < kInFlight && writes_next(shared); ++n) {
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
    if (access.shared) {
        one_shared(e, access, slot, dst);
        return;
    }
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

/// The same in shared memory, whose addresses are for its banks alone.
void ItemLoop::Warp::one_shared(Emitter& e, const Access& a, std::uint32_t slot, std::uint8_t dst) const {
    const std::uint64_t thread = std::uint64_t{warp_} * kWarpLanes;
    const std::uint64_t item = block_ * loop_.per_block + group_ * kWarpLanes;
    std::uint32_t mask = finishing_ ? 0xffffffffU : lanes_below(item, loop_.items);
    if (a.lanes != 0) mask &= lanes_below(thread, a.lanes);
    const bool loads = a.op == Op::load;
    const std::uint8_t address = a.dependent && loads ? r_address : r_index;
    Inst& inst = loads                ? e.shared(dst, {address})
                 : a.op == Op::atomic ? e.shared(dst, {address, r_value})
                                      : e.shared(kNoReg, {address, r_value});
    inst.width = a.width;
    inst.mask = mask;
    const std::uint64_t first = a.walk == Walk::mapped ? 0 : (thread * a.stride + slot * a.step) % a.elements;
    if (a.walk != Walk::mapped && first + (kWarpLanes - 1) * a.stride < a.elements) {
        inst.base = first * a.width;
        inst.stride = static_cast<std::int32_t>(a.stride * a.width);
        return;
    }
    LaneList list = e.list();
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((mask >> lane & 1U) == 0) continue;
        const std::uint64_t element =
            a.walk == Walk::mapped ? a.map->element(item + lane, slot) : (first + lane * a.stride) % a.elements;
        list.set(lane, element * a.width);
    }
    inst.mode = AddressMode::list;
    inst.list = list.address;
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
        if (a.lanes != 0) { // the first threads alone: their results lie side by side, block behind block
            const std::uint64_t thread = std::uint64_t{warp_} * kWarpLanes;
            const std::uint64_t place = (turn * a.fields + slot) % (a.elements / a.lanes);
            return contiguous(a.base + (place * a.lanes + thread) * a.width, a.width, lanes_below(thread, a.lanes));
        }
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
