/// out[i] = f(in_0[i], in_1[i], ...): residuals, activations, conversions.
///
/// A thread has elements of 16 bytes, or of `width`; every byte is read and written once. Several inputs are arrays of
/// their own (`in_0`, `in_1`, ...), of which one may be named as the output, to work in place.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct ElementwiseParameters : BlockParameters {
    std::uint64_t elements = 1U << 20;
    std::uint32_t element_bytes = 2, width = 16, inputs = 1, work = 8, per_thread = 1, iterations = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, ElementwiseParameters& c) {
    v.integer("elements", c.elements, 1, 1ULL << 36, "elements",
              "length of each array (scaled), in whole accesses of a thread");
    v.integer("element_bytes", c.element_bytes, 1, 8, "bytes", "size of an element: 1, 2, 4 or 8");
    v.integer("width", c.width, 1, 16, "bytes", "size of a thread's access: 1, 2, 4, 8 or 16");
    v.integer("inputs", c.inputs, 1, 8, "arrays", "arrays that are read");
    v.integer("work", c.work, 0, 4096, "instructions", "arithmetic instructions of a warp for an access of each array");
    v.integer("per_thread", c.per_thread, 1, 64, "accesses", "accesses of a thread to each array");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of repetitions");
    describe_block(v, c);
}

class Elementwise final : public Pattern {
  public:
    using Parameters = ElementwiseParameters;
    Elementwise(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t bytes() const { return p_.elements * p_.element_bytes; }
    Parameters p_;
};

} // namespace numavp
