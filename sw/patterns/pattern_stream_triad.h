/// The triad of McCalpin's STREAM: a[i] = b[i] + q * c[i].
///
/// Nothing is reused: the pattern is bound by memory bandwidth, and under first touch all of it is local.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct StreamTriadParameters : BlockParameters {
    std::uint64_t elements = std::uint64_t{1} << 25;
    std::uint32_t element_bytes = 8;
    std::uint32_t elements_per_thread = 1;
    std::uint32_t iterations = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, StreamTriadParameters& c) {
    v.integer("elements", c.elements, 1, 1ULL << 40, "elements", "length of each array (scaled)");
    v.integer("element_bytes", c.element_bytes, 4, 16, "B", "4, 8 (STREAM's double) or 16");
    v.integer("elements_per_thread", c.elements_per_thread, 1, 1024, "elements", "a block does a contiguous part");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches of the kernel");
    describe_block(v, c);
}

class StreamTriad final : public Pattern {
  public:
    using Parameters = StreamTriadParameters;
    StreamTriad(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
};

} // namespace numavp
