/// y = W * x for one vector or few: a warp makes some outputs, and every weight is read once.
///
/// The product of decode with few sequences. A warp has `rows` consecutive rows of W, which it reads 16 bytes a lane;
/// the vectors come through the L1, since all warps read them. Multiply-adds are those of FP32 pipes, one for each
/// weight and vector; then the lanes of a row add up by shuffles.
#pragma once

#include "sw/loops/tile.h"
#include "sw/patterns/pattern.h"

namespace numavp {

struct GemvParameters : BlockParameters {
    std::uint64_t n = 4096, k = 4096;
    std::uint32_t vectors = 1, rows = 2, in_flight = 8, iterations = 1;
    Element element = Element::bf16;
    bool bypass_l1 = true;
    GemvParameters() {
        threads = 128;
        registers = 64;
    }
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, GemvParameters& c) {
    v.integer("n", c.n, 1, 1ULL << 24, "rows", "rows of W and elements of y (scaled)");
    v.integer("k", c.k, 8, 1ULL << 24, "elements", "columns of W and elements of x, of whole loads of 16 bytes");
    v.integer("vectors", c.vectors, 1, 16, "vectors", "vectors x, each with its own y");
    v.integer("rows", c.rows, 1, 16, "rows", "rows of W of a warp");
    v.integer("in_flight", c.in_flight, 1, 64, "loads", "loads of weights of a warp that do not wait for each other");
    v.choice("element", c.element, kElements, "elements of W and x");
    v.boolean("bypass_l1", c.bypass_l1, "whether loads of weights go past the L1");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of products");
    describe_block(v, c);
}

class Gemv final : public Pattern {
  public:
    using Parameters = GemvParameters;
    Gemv(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
