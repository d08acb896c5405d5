/// A thread for each element of a mesh, field or data set; its loads, gathers, scatters and sums are listed as data.
///
/// Describes a kernel of most mesh and array codes: own fields are read and written, neighbours are reached by a shift
/// (structured) or through a numbering (unstructured), every block reads tables, and each block stores or adds its
/// results at its end. An application is several such entries that share arrays by name. Arrays in shared memory and
/// barriers stand between the other accesses, so that staging, trees of partial sums and private histograms are data
/// too.
#pragma once

#include <vector>

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class Reach : std::uint8_t { own, record, near, neighbour, random, table, result };
inline constexpr NameTable<Reach> kReachNames{
    "reach of an access",
    {{Reach::own, "own",
      "the element's own fields, each field an array (structure of arrays); in shared memory those of the thread"},
     {Reach::record, "record", "the element's own fields, side by side (array of structures)"},
     {Reach::near, "near", "fields of the elements `shifts` away, by position: a structured mesh"},
     {Reach::neighbour, "neighbour", "fields of the elements `shifts` away, through the mesh's numbering"},
     {Reach::random, "random", "elements drawn at random, `run` neighbouring threads side by side"},
     {Reach::table, "table", "the groups of a block read a table from its start, or one of `turns` parts of it"},
     {Reach::result, "result", "at the block's end: one place for all blocks, or one of `turns`"}}};

enum class AccessKind : std::uint8_t { load, store, reduce, atomic, barrier };
/// Kinds of accesses; a barrier is none.
inline constexpr NameTable<AccessKind> kAccessKindNames{
    "kind of access",
    {{AccessKind::load, "load", "a load"},
     {AccessKind::store, "store", "a store"},
     {AccessKind::reduce, "reduce", "an atomic whose old value is not needed"},
     {AccessKind::atomic, "atomic", "an atomic whose old value is needed"}}};

constexpr AccessKind same_kind(AccessKind kind) { return kind; }
/// Kinds of items of an element's loop.
inline constexpr NameTable<AccessKind> kElementKindNames{
    "kind of access",
    {{AccessKind::barrier, "barrier", "no access: all warps of the block meet"}},
    kAccessKindNames,
    same_kind};

enum class ArrayMemory : std::uint8_t { global, shared };
inline constexpr NameTable<ArrayMemory> kArrayMemoryNames{
    "memory of an array",
    {{ArrayMemory::global, "global", "memory of the GPUs, through the caches"},
     {ArrayMemory::shared, "shared",
      "shared memory: each block has the array for itself, and `elements` are a block's"}}};

struct ElementAccess {
    std::string array;
    ArrayMemory memory = ArrayMemory::global;
    AccessKind kind = AccessKind::load;
    Reach reach = Reach::own;
    std::uint32_t fields = 1;
    std::uint32_t first_field = 0;
    std::uint32_t width = 4;
    std::uint64_t elements = 0;
    std::vector<std::int64_t> shifts;
    bool spread = false;
    bool dependent = false;
    bool scaled = false;
    std::uint64_t run = 1;
    std::uint64_t cluster = 0;
    std::uint32_t draw = 0, skew = 0;
    std::uint64_t every = 1;
    std::uint64_t turns = 1;
    std::uint32_t stride = 1, lanes = 0;
    bool shared() const { return memory == ArrayMemory::shared; }
    void validate(const Place& place) const;

  private:
    void validate_barrier(const Place& place) const;
    void validate_shared(const Place& place) const;
    void validate_drawn(const Place& place) const;
};
template <class V> void describe(V& v, ElementAccess& c) {
    v.text("array", c.array, "role of the array; accesses with the same role use the same array");
    v.choice("memory", c.memory, kArrayMemoryNames, "memory in which the array lies");
    v.choice("kind", c.kind, kElementKindNames, "load, store or atomic; or a barrier, which has no other setting");
    v.choice("reach", c.reach, kReachNames, "place of the elements that an access touches");
    v.integer("fields", c.fields, 1, 4096, "fields", "fields of an element that are accessed");
    v.integer("first_field", c.first_field, 0, 4096, "",
              "first of the accessed fields, by its number in the array; not for `record`");
    v.integer("width", c.width, 1, 16, "B", "bytes of a field: 1, 2, 4, 8 or 16");
    v.integer("elements", c.elements, 0, 1ULL << 40, "elements",
              "length of the array's fields if it is not that of `items`; rounded up to 32. Of an array in shared "
              "memory, which must have it: its length in each block, as it is");
    v.boolean("scaled", c.scaled, "`elements` are scaled as `items` are");
    v.integers("shifts", c.shifts, -(std::int64_t{1} << 40), std::int64_t{1} << 40, "elements",
               "near, neighbour: the neighbours, as distances in the order of the mesh");
    v.boolean("spread", c.spread, "near, neighbour: whether each neighbour has `fields` fields for itself (corners)");
    v.boolean("dependent", c.dependent, "the address needs what was loaded before, such as a connectivity list");
    v.integer("run", c.run, 1, 1U << 20, "elements", "random: consecutive threads that read consecutive elements");
    v.integer("cluster", c.cluster, 0, 1ULL << 32, "elements",
              "random: all `fields` draws of an item lie within so many elements; 0: anywhere");
    v.integer("draw", c.draw, 0, 1U << 16, "", "random: accesses with the same number go to the same places");
    v.integer("skew", c.skew, 0, 8, "draws",
              "random: times that a place is drawn again below the last one, so that the first elements are hot; the "
              "first tenth gets 10 % of the accesses with 0, 33 % with 1, 60 % with 2, 80 % with 3");
    v.integer("every", c.every, 1, 1ULL << 32, "blocks", "table, result: consecutive blocks with the same part");
    v.integer("turns", c.turns, 1, 1ULL << 32, "parts", "table, result: number of parts");
    v.integer("stride", c.stride, 0, 65536, "elements",
              "shared memory, own and result: elements from thread to thread; with 0 all threads access the same");
    v.integer("lanes", c.lanes, 0, 1024, "threads",
              "shared memory, result: only the first so many threads of the block; 0: all. Results in global memory of "
              "so many threads lie side by side");
}

struct ElementLoopParameters : BlockParameters {
    std::string kernel = "element_loop";
    std::uint64_t items = 65536;
    std::uint64_t per_block = 256;
    std::uint64_t window = 1;
    double sample = 1;
    std::uint32_t work = 4;
    std::uint32_t iterations = 1;
    std::vector<ElementAccess> accesses;
    /// Shared memory of a block, in bytes: each array begins at a multiple of a thread's widest access.
    std::uint64_t shared_bytes() const;
    void validate(const Place& place) const;

  private:
    void validate_items(const Place& place) const;
};
template <class V> void describe(V& v, ElementLoopParameters& c) {
    v.text("kernel", c.kernel, "name of the kernel in results");
    v.integer("items", c.items, 1, 1ULL << 40, "elements", "elements (scaled)");
    v.integer("per_block", c.per_block, 32, 1ULL << 32, "elements", "elements of a block, a multiple of 32");
    v.integer("window", c.window, 1, 1ULL << 28, "elements",
              "neighbour: numbers are shuffled within windows of so many elements; 1 leaves them in order");
    v.real("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its elements");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a thread for each element");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches of the kernel");
    v.list("accesses", c.accesses, "accesses and barriers in program order; results come last, behind a barrier");
    describe_block(v, c);
}

struct Access; // of an ItemLoop

class ElementLoop final : public Pattern {
  public:
    using Parameters = ElementLoopParameters;
    ElementLoop(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t elements_of(const ElementAccess& access) const;
    Access access_of(const ElementAccess& access, const ArrayBases& at) const;
    Parameters p_;
    double share_;
    std::uint64_t seed_, data_seed_;
};

} // namespace numavp
