/// A kernel that is a loop over items: the engine under most pattern programs.
///
/// Items (cells, atoms, pixels, rows) are numbered along memory. A block has `per_block` consecutive ones, in groups of
/// 32, which its warps take in turn. For each group a warp makes the accesses of `body` in their order, and after its
/// last group, behind a barrier, those of `finish`. Loads that don't need each other are issued together, as a compiler
/// hoists them; a `dependent` access waits for all loads before it.
///
/// Accesses of `body` and `finish` may be to shared memory, and those of `body` may be barriers (`Op::barrier`). All
/// warps of a block then make as many turns, and one that has no group left in the last turn only meets the others.
///
/// With `share` below 1 each block does only that part of its groups: consecutive ones, so that neighbours still share
/// cache lines, from a place drawn from `seed` and the block; whether 8.5 groups are 8 or 9 is drawn too. If the part
/// is less than a group, the group makes only that part of its slots (an access with one slot is then made or left
/// out), and as much of its arithmetic. Every element can be sampled, so the footprint keeps its size; each pass uses
/// the same sample, so reuse between passes is preserved.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/values/rng.h"
#include "sw/loops/program.h"

namespace numavp {

/// Maps items to the elements that they access, where these are not the group's own.
class IndexMap {
  public:
    static constexpr std::uint64_t kNone = ~0ULL;
    virtual ~IndexMap() = default;
    /// The element that `item` accesses in slot `slot` of the access; kNone if it makes none.
    virtual std::uint64_t element(std::uint64_t item, std::uint32_t slot) const = 0;
    /// True if no call returns kNone: accesses can then be counted without walking.
    virtual bool complete() const { return true; }
    /// Number of slots in which the item makes accesses; a group makes the largest number of its items.
    virtual std::uint32_t slots(std::uint64_t /*item*/) const { return ~0U; }
};

enum class Walk : std::uint8_t {
    own,    ///< field s of item i, fields one behind the other: (s * elements + i)
    record, ///< field s of item i, records one behind the other: (i * fields + s)
    near,   ///< as `own`, of item i + shift; the group moves as a whole and stays within the array
    table,  ///< the block's groups read a table from its start: the same part in every block, or one of `turns` parts
    mapped, ///< map->element(i, s), a lane each
    result, ///< lines for each warp of a block: the same for every block, or one of `turns` places
    thread  ///< shared memory: element t * stride + s * step of thread t of the block, modulo `elements`
};

struct Access {
    Op op = Op::load; ///< load, store, reduce, atomic, or a barrier, which has nothing of what follows
    Walk walk = Walk::own;
    std::uint8_t width = 4; ///< bytes of an element
    bool dependent = false; ///< its address depends on the loads before it
    bool shared = false;    ///< of shared memory, by `thread` or `mapped`; addresses count from the array's begin
    std::uint32_t fields = 1;
    std::uint32_t lanes = 0;             ///< shared, result: only the first so many threads of the block; 0: all
    std::uint64_t base = 0;              ///< address of element 0 of field 0
    std::uint64_t elements = 0;          ///< of the array's field; a multiple of 32 for near, table and result,
                                         ///< and not less than `lanes`
    std::int64_t shift = 0;              ///< near
    std::uint64_t every = 1;             ///< table, result: consecutive blocks that use the same part
    std::uint64_t turns = 1;             ///< table, result: number of parts
    std::uint64_t stride = 1, step = 0;  ///< thread: elements from thread to thread, and from slot to slot
    std::shared_ptr<const IndexMap> map; ///< mapped
};

/// Makes a map of a function of item and slot, which must have no side effects.
template <class F> std::shared_ptr<const IndexMap> make_map(F function, bool complete = true) {
    class Map final : public IndexMap {
      public:
        Map(F function, bool complete) : function_(std::move(function)), complete_(complete) {}
        std::uint64_t element(std::uint64_t item, std::uint32_t slot) const override { return function_(item, slot); }
        bool complete() const override { return complete_; }

      private:
        F function_;
        bool complete_;
    };
    return std::make_shared<Map>(std::move(function), complete);
}

/// Makes a map in which an item accesses only the first `slots(item)` slots.
template <class F, class S> std::shared_ptr<const IndexMap> make_map_of_some(F function, S slots) {
    class Map final : public IndexMap {
      public:
        Map(F function, S slots) : function_(std::move(function)), slots_(std::move(slots)) {}
        std::uint64_t element(std::uint64_t item, std::uint32_t slot) const override { return function_(item, slot); }
        bool complete() const override { return false; }
        std::uint32_t slots(std::uint64_t item) const override { return slots_(item); }

      private:
        F function_;
        S slots_;
    };
    return std::make_shared<Map>(std::move(function), std::move(slots));
}

/// Access to the group's own elements in `fields` arrays of `elements`, one behind the other.
inline Access own_access(Op op, std::uint64_t base, std::uint64_t elements, unsigned width, std::uint32_t fields = 1) {
    Access access;
    access.op = op;
    access.base = base;
    access.elements = elements;
    access.width = static_cast<std::uint8_t>(width);
    access.fields = fields;
    return access;
}

/// Access to elements that a map gives, `fields` for each item.
inline Access mapped_access(Op op, std::uint64_t base, unsigned width, std::shared_ptr<const IndexMap> map,
                            std::uint32_t fields = 1, bool dependent = false) {
    Access access = own_access(op, base, 0, width, fields);
    access.walk = Walk::mapped;
    access.map = std::move(map);
    access.dependent = dependent;
    return access;
}

/// n rounded up to whole groups: the length of an array that a loop walks in groups.
constexpr std::uint64_t whole_groups(std::uint64_t n) { return (n + kWarpLanes - 1) / kWarpLanes * kWarpLanes; }

/// Selects the slots of a sequence of accesses that are made: a given part of all, rounded to a slot. Of each access
/// consecutive slots are made, from the same relative place on, so that related ones are made together. In integers, so
/// that all compilers agree.
class Thinning {
  public:
    static constexpr std::uint64_t kWhole = 1ULL << 32;
    Thinning() = default;
    /// `part` is in units of 1 / kWhole; kWhole or more: all slots.
    Thinning(std::uint64_t part, Rng rng)
        : part_(part), turn_(part < kWhole ? rng.next() % kWhole : 0), place_(part < kWhole ? rng.next() % kWhole : 0) {
    }
    /// `share` of `n`, in units of 1 / kWhole.
    static std::uint64_t parts(double share, std::uint64_t n = 1);
    /// Number of slots that are made of `n`, which have `before` slots before them in the sequence; all below 2^32.
    std::uint64_t made(std::uint64_t before, std::uint64_t n) const { return up_to(before + n) - up_to(before); }
    /// The `i`-th slot that is made of an access with `n` slots.
    std::uint32_t slot(std::uint32_t i, std::uint32_t n) const {
        const std::uint64_t at = place_ * n / kWhole + i;
        return static_cast<std::uint32_t>(at < n ? at : at - n);
    }

  private:
    std::uint64_t up_to(std::uint64_t end) const { return (part_ * end + turn_) / kWhole; }

    std::uint64_t part_ = kWhole, turn_ = 0, place_ = 0;
};

struct ItemLoop {
    std::uint64_t items = 0;
    std::uint64_t per_block = 256; ///< a multiple of 32
    std::uint32_t warps = 8;       ///< of a block
    double share = 1.0;            ///< of its groups that a block does, in (0, 1]
    double field_share = 1.0;      ///< of the accesses of each group that are made, in (0, 1]
    std::uint64_t seed = 0;        ///< which ones
    std::uint32_t work = 4;        ///< arithmetic instructions of a group besides taking loads in
    std::vector<Access> body;
    std::vector<Access> finish;

    std::uint64_t least_blocks = 1; ///< grids of a fixed size: blocks without items end at once

    std::uint64_t blocks() const { return std::max(least_blocks, (items + per_block - 1) / per_block); }
    /// The part of its work that a block does.
    struct Part {
        std::uint64_t first = 0, last = 0;       ///< groups, within the block
        std::uint64_t body = Thinning::kWhole;   ///< of the accesses of `body` for each group
        std::uint64_t finish = Thinning::kWhole; ///< and of `finish`
    };
    Part part_of(std::uint64_t block) const;
    /// Selection of slots for group `group` of the block, and for the accesses of `finish`.
    Thinning body_thinning(const Part& part, std::uint64_t block, std::uint64_t group) const;
    Thinning finish_thinning(const Part& part, std::uint64_t block) const;
    /// Number of global memory instructions of all blocks. Walks the loop if a map leaves lanes out.
    std::uint64_t accesses() const;
    /// True if the loop has barriers of its own besides the one before `finish`.
    bool meets() const;

    class Warp;
};

class ItemLoop::Warp final : public StepStream<ItemLoop::Warp, 12, 6> {
  public:
    Warp(const ItemLoop& loop, std::uint64_t block, unsigned warp);
    void step(Emitter& e);

  private:
    enum : std::uint8_t { r_index, r_value, r_address, r_load };
    static constexpr unsigned kInFlight = 6; ///< loads of a warp that don't wait for each other

    const std::vector<Access>& accesses() const { return finishing_ ? loop_.finish : loop_.body; }
    /// True in a turn in which only other warps of the block have a group.
    bool idle() const { return !finishing_ && group_ >= part_.last; }
    bool writes_next(bool shared) const;
    std::uint32_t slots(const Access& access) const;
    void start();
    void settle();
    void next_slot();
    void next_group();
    void loads(Emitter& e);
    void writes(Emitter& e);
    void work(Emitter& e) const;
    void one(Emitter& e, const Access& access, std::uint8_t dst);
    void one_shared(Emitter& e, const Access& access, std::uint32_t slot, std::uint8_t dst) const;
    Lanes affine(const Access& access, std::uint32_t slot) const;

    const ItemLoop& loop_;
    std::uint64_t block_;
    Part part_;
    std::uint64_t group_, end_; ///< the next group, and that at which the warp leaves the body
    unsigned warp_;
    Thinning thinning_;
    std::uint64_t before_ = 0;        ///< slots of the accesses up to this one
    std::uint64_t before_shared_ = 0; ///< and of those to shared memory
    std::size_t at_ = 0;              ///< access of body or finish
    std::uint32_t of_ = 0;            ///< slots that this access has
    std::uint32_t slots_ = 0;         ///< that it makes of these
    std::uint32_t done_ = 0;          ///< and has made
    bool finishing_ = false;
    bool worked_ = false;
};

/// Makes the kernel of a loop, which sets blocks, accesses and share of `shape`.
std::shared_ptr<Kernel> make_item_loop(KernelShape shape, ItemLoop loop);

} // namespace numavp
