/// Threads of a grid of two-dimensional blocks whose accesses are linear in their coordinates: the engine under
/// `grid_loop`.
///
/// In each turn a warp makes the accesses of `body` in their order. Consecutive loads are in flight together. Between
/// the last load and the first write behind it the warp does the turn's arithmetic, which barriers cut into equal
/// parts. The accesses of `before` come once, before the first turn, those of `after` once behind the last.
///
/// With `sample` above 1 only one of `sample` stretches of blocks does any work; blocks of the others end at once. With
/// `share` below 1 only that part of the warps, drawn from `seed`, block and warp, make accesses and arithmetic; all
/// warps meet at the barriers.
#pragma once

#include <vector>

#include "sw/loops/program.h"

namespace numavp {

/// Element = offset + block_x * bx + block_y * by + thread_x * tx + thread_y * ty + turn * (t + ahead) + step * slot,
/// plus `grain` times a drawn number if `random` is not 0, modulo `elements`.
struct GridAccess {
    Op op = Op::load;
    std::uint8_t width = 4;     ///< bytes of an element
    bool dependent = false;     ///< its address depends on the loads before it
    bool read_only = false;     ///< a load of an array that the kernel does not write
    std::uint64_t base = 0;     ///< address of element 0
    std::uint64_t elements = 1; ///< of the array
    std::int64_t offset = 0;
    std::int64_t block_x = 0, block_y = 0, thread_x = 1, thread_y = 0, turn = 0, step = 0;
    std::uint32_t ahead = 0;                ///< turns
    std::uint32_t count = 1;                ///< slots: how many of them follow each other
    std::uint32_t lanes_x = 0, lanes_y = 0; ///< only threads with tx, ty below these; 0: all
    std::uint32_t random = 0;               ///< consecutive threads with the same drawn number; 0: none is added
    std::uint64_t among = 0;                ///< the drawn number is below this; 0: below `elements`
    std::uint64_t grain = 1;                ///< elements for each unit of the drawn number
    std::uint64_t seed = 0;                 ///< of the drawn numbers
};

struct GridLoop {
    std::uint64_t grid_x = 1, grid_y = 1;
    std::uint32_t block_x = 256, block_y = 1; ///< threads, a multiple of 32 in all
    std::uint64_t turns = 1;
    std::uint64_t items = 0;  ///< threads from this one on do nothing, in turn t those from items - t * all on; 0: none
    std::uint64_t active = 0; ///< threads from this one on do nothing in any turn; 0: none
    std::uint64_t stretch = 1, sample = 1; ///< of each `sample` stretches of so many blocks the first one works
    double share = 1.0;                    ///< of the warps that work, in (0, 1]
    std::uint64_t seed = 0;                ///< which ones
    std::uint32_t work = 0, shared = 0, barriers = 0; ///< of a turn: arithmetic, accesses to shared memory, barriers
    std::vector<GridAccess> before, body, after;

    std::uint64_t blocks() const { return grid_x * grid_y; }
    std::uint32_t threads() const { return block_x * block_y; }
    std::uint32_t warps() const { return threads() / kWarpLanes; }
    /// True if the warp makes any accesses.
    bool works(std::uint64_t block, std::uint32_t warp) const {
        return is_sampled(block) && has_items(block, warp) && is_drawn(block, warp);
    }
    bool is_sampled(std::uint64_t block) const { return sample <= 1 || block / stretch % sample == 0; }
    bool has_items(std::uint64_t block, std::uint32_t warp) const;
    bool is_drawn(std::uint64_t block, std::uint32_t warp) const;
    /// Lanes that make an access in a turn.
    std::uint32_t mask(const GridAccess& access, std::uint64_t block, std::uint32_t warp, std::uint64_t turn) const;
    /// Number of global memory instructions of all blocks.
    std::uint64_t accesses() const;

    class Warp;
};

class GridLoop::Warp final : public StepStream<GridLoop::Warp, 12, 6> {
  public:
    Warp(const GridLoop& loop, std::uint64_t block, unsigned warp);
    void step(Emitter& e);

  private:
    enum : std::uint8_t { r_index, r_value, r_load };
    static constexpr unsigned kInFlight = 6; ///< accesses of a warp that don't wait for each other

    enum class Part : std::uint8_t { before, body, after };
    const std::vector<GridAccess>& accesses() const;
    bool at_end() const { return part_ == Part::after && at_ == loop_.after.size(); }
    bool work_is_due() const;
    void next_slot();
    void next_turn();
    void beat(Emitter& e);
    void loads(Emitter& e);
    void writes(Emitter& e);
    bool one(Emitter& e, const GridAccess& access, std::uint8_t dst);
    Inst& emit(Emitter& e, const GridAccess& access, std::uint8_t dst, const Lanes& lanes) const;
    LaneList lanes_of(Emitter& e, const GridAccess& access, std::int64_t first, std::uint32_t mask) const;

    const GridLoop& loop_;
    std::uint64_t block_, turn_ = 0;
    unsigned warp_;
    bool works_;
    Part part_ = Part::before;
    bool loaded_ = false, worked_ = false; ///< in this turn
    std::uint32_t beat_ = 0;               ///< part of the arithmetic that comes next
    std::size_t at_ = 0;                   ///< access
    std::uint32_t slot_ = 0;               ///< and which of its slots
};

/// Makes the kernel of a loop, which sets blocks, threads and accesses of `shape`.
std::shared_ptr<Kernel> make_grid_loop(KernelShape shape, GridLoop loop);

} // namespace numavp
