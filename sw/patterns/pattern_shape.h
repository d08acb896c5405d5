/// The four kernel shapes on which Accel-Sim's speed was measured: vecadd, stream, gather and compute.
///
/// Blocks of 256 threads, all lanes active, 4-byte elements. The counts of warp instructions are exact; the
/// addresses of `gather` are random, so that its sectors agree within 0.1 %.
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class ShapeKind : std::uint8_t { vecadd, stream, gather, compute };
inline constexpr NameTable<ShapeKind> kShapeKindNames{
    "kernel shape",
    {{ShapeKind::vecadd, "vecadd", "10 integer, 2 loads, 3 arithmetic, 1 store"},
     {ShapeKind::stream, "stream", "16 independent loads, 16 multiply-adds, 4 stores"},
     {ShapeKind::gather, "gather", "4 loads of 32 random words in 256 MiB, 8 multiply-adds, 1 store"},
     {ShapeKind::compute, "compute", "1 load, 200 multiply-adds in 8 chains, 1 store"}}};

struct ShapeParameters {
    ShapeKind kind = ShapeKind::vecadd;
    std::uint64_t blocks = 4096;
    std::uint32_t registers = 32;
};
template <class V> void describe(V& v, ShapeParameters& c) {
    v.choice("kind", c.kind, kShapeKindNames, "shape of the kernel, one of four");
    v.integer("blocks", c.blocks, 1, 1ULL << 24, "blocks", "thread blocks of 256 threads (scaled)");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread");
}

class Shape final : public Pattern {
  public:
    using Parameters = ShapeParameters;
    Shape(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    std::uint64_t seed_;
};

} // namespace numavp
