/// A radix-2 transform of 2^n complex numbers in single precision, in place, one kernel a stage.
///
/// Stage s pairs elements 2^s apart (Cooley and Tukey, after bit reversal): early stages stay within a line,
/// late ones pair the halves of the array, which under first touch live on different sockets. Twiddle factors
/// come from one table of half the length, read with the stride of the stage.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct ButterflyParameters : BlockParameters {
    std::uint32_t log2_points = 20;
    std::uint32_t first_stage = 0;
    std::uint32_t passes = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, ButterflyParameters& c) {
    v.integer("log2_points", c.log2_points, 6, 28, "",
              "logarithm of the length (scaled to the nearest power of two below)");
    v.integer("first_stage", c.first_stage, 0, 27, "", "stages before it are left out (done in shared memory)");
    v.integer("passes", c.passes, 1, 1U << 20, "", "transforms of the same data");
    describe_block(v, c);
}

class Butterfly final : public Pattern {
  public:
    using Parameters = ButterflyParameters;
    Butterfly(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
