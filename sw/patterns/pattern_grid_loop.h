/// A thread for each element of a plane or a volume, in two-dimensional blocks: tiles, halos, transforms, strided
/// lines.
///
/// Each access gives the element that a thread takes as a linear function of the coordinates of block and thread. So
/// rows with a pitch, the edge of a tile loaded by some lanes, columns, transposed lines and partners of a butterfly
/// are data. Accesses through a numbering, or to items in a row, are those of `element_loop`.
#pragma once

#include <vector>

#include "sw/loops/grid_loop.h"
#include "sw/patterns/pattern_element_loop.h"

namespace numavp {

enum class GridScale : std::uint8_t { none, x, y };
inline constexpr NameTable<GridScale> kGridScaleNames{
    "what of a grid is scaled",
    {{GridScale::none, "none", "neither: a smaller run lets fewer warps work"},
     {GridScale::x, "x", "blocks in x"},
     {GridScale::y, "y", "blocks in y"}}};

enum class GridTime : std::uint8_t { before, turn, after };
inline constexpr NameTable<GridTime> kGridTimeNames{
    "time of an access",
    {{GridTime::before, "before", "once, before the first turn; a load"},
     {GridTime::turn, "turn", "in each turn"},
     {GridTime::after, "after", "once, behind the last turn"}}};

struct GridLoopAccess {
    std::string array;
    AccessKind kind = AccessKind::load;
    std::uint32_t width = 4;
    std::uint64_t elements = 0;
    bool scaled = false;
    bool scaled_strides = false;
    GridTime when = GridTime::turn;
    bool dependent = false;
    std::int64_t offset = 0, block_x = 0, block_y = 0, thread_x = 1, thread_y = 0, turn = 0, step = 0;
    std::uint32_t ahead = 0, count = 1;
    std::uint32_t lanes_x = 0, lanes_y = 0;
    std::uint32_t random = 0, draw = 0;
    std::uint64_t among = 0, grain = 1;
    std::int64_t launch = 0;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, GridLoopAccess& c) {
    constexpr std::int64_t kFar = std::int64_t{1} << 36;
    v.text("array", c.array, "role of the array; accesses with the same role use the same array");
    v.choice("kind", c.kind, kAccessKindNames, "load, store or atomic");
    v.integer("width", c.width, 1, 16, "B", "bytes of an element: 1, 2, 4, 8 or 16");
    v.integer("elements", c.elements, 0, 1ULL << 36, "elements", "length of the array; indices wrap around at its end");
    v.boolean("scaled", c.scaled, "`elements` are scaled");
    v.boolean(
        "scaled_strides", c.scaled_strides,
        "`step`, `turn` and, of a grid that is scaled in x, `block_y` are scaled: they go over scaled dimensions");
    v.choice("when", c.when, kGridTimeNames, "moment of the access in the loop");
    v.boolean("dependent", c.dependent, "the address needs what was loaded before");
    v.integer("offset", c.offset, -kFar, kFar, "elements", "element of thread (0, 0) of block (0, 0)");
    v.integer("block_x", c.block_x, -kFar, kFar, "elements", "elements from block to block in x");
    v.integer("block_y", c.block_y, -kFar, kFar, "elements", "elements from block to block in y");
    v.integer("thread_x", c.thread_x, -(1 << 24), 1 << 24, "elements", "elements from thread to thread in x");
    v.integer("thread_y", c.thread_y, -kFar, kFar, "elements", "elements from thread to thread in y");
    v.integer("turn", c.turn, -kFar, kFar, "elements", "elements from turn to turn");
    v.integer("launch", c.launch, -kFar, kFar, "elements", "elements from launch to launch of the `iterations`");
    v.integer("ahead", c.ahead, 0, 1U << 20, "turns", "element of so many turns later");
    v.integer("step", c.step, -kFar, kFar, "elements", "elements from one of `count` accesses to the next");
    v.integer("count", c.count, 1, 65536, "accesses", "accesses that follow each other");
    v.integer("lanes_x", c.lanes_x, 0, 1024, "threads", "only the first so many threads in x; 0: all");
    v.integer("lanes_y", c.lanes_y, 0, 1024, "threads", "only the first so many threads in y; 0: all");
    v.integer("random", c.random, 0, 1U << 20, "threads",
              "a number drawn for so many consecutive threads is added to the element; 0: none");
    v.integer("among", c.among, 0, 1ULL << 36, "elements", "random: the number is below this; 0: below `elements`");
    v.integer("grain", c.grain, 1, 1ULL << 24, "elements", "random: the number counts parts of so many elements");
    v.integer("draw", c.draw, 0, 1U << 16, "", "accesses with the same number draw the same");
}

struct GridLoopParameters {
    std::string kernel = "grid_loop";
    std::uint64_t grid_x = 1, grid_y = 1;
    std::uint32_t block_x = 256, block_y = 1;
    GridScale scale = GridScale::y;
    std::uint64_t items = 0, active = 0;
    std::uint64_t turns = 1;
    std::uint32_t work = 4, shared = 0, barriers = 0;
    std::uint32_t registers = 32, shared_bytes = 0;
    std::uint64_t stretch = 1, sample = 1;
    std::uint32_t iterations = 1;
    std::int64_t grid_launch = 0;
    std::vector<GridLoopAccess> accesses;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, GridLoopParameters& c) {
    v.text("kernel", c.kernel, "name of the kernel in results");
    v.integer("grid_x", c.grid_x, 1, 1ULL << 31, "blocks", "blocks in x, which are numbered first");
    v.integer("grid_y", c.grid_y, 1, 1ULL << 31, "blocks", "blocks of the grid in y");
    v.integer("block_x", c.block_x, 1, 1024, "threads", "threads of a block in x");
    v.integer("block_y", c.block_y, 1, 1024, "threads", "threads of a block in y");
    v.choice("scale", c.scale, kGridScaleNames, "dimension of the grid whose number of blocks is scaled");
    v.integer("items", c.items, 0, 1ULL << 40, "threads",
              "all threads of the grid take so many items, in turns; those without one do nothing. 0: all have one");
    v.integer("active", c.active, 0, 1ULL << 40, "threads",
              "only so many threads of the grid do anything, in all turns; 0: all");
    v.integer("turns", c.turns, 1, 1U << 20, "turns", "turns of a thread through its accesses");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a thread in a turn");
    v.integer("shared", c.shared, 0, 65535, "accesses", "accesses to shared memory of a thread in a turn");
    v.integer("barriers", c.barriers, 0, 1024, "barriers", "barriers of the block in a turn");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread: limits the blocks on an SM");
    v.integer("shared_bytes", c.shared_bytes, 0, 1U << 20, "B", "shared memory of a block: limits the blocks on an SM");
    v.integer("stretch", c.stretch, 1, 1ULL << 31, "blocks", "consecutive blocks that `sample` takes together");
    v.integer("sample", c.sample, 1, 1U << 20, "stretches",
              "divisor of the stretches of blocks: of so many the first does its work, the others end at once");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches of the kernel");
    v.integer("grid_launch", c.grid_launch, -65536, 65536, "blocks",
              "blocks in x that are added from launch to launch");
    v.list("accesses", c.accesses, "accesses in program order");
}

class GridLoopPattern final : public Pattern {
  public:
    using Parameters = GridLoopParameters;
    GridLoopPattern(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    GridLoop loop_of_launch(const ArrayBases& at, std::uint32_t launch) const;
    Parameters p_;
    double share_;
    std::uint64_t seed_, data_seed_;
};

} // namespace numavp
