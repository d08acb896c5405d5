/// Sums of elements of a line, as the adders of a switch form them. Plain C++.
#pragma once

#include <cstdint>

#include "base/values/types.h"
#include "sw/work/workload.h"

namespace numavp {

/// Adds the lines of members in their order, element by element, and writes the sums of the elements that `mask`
/// touches to `out`. FP16 and BF16 are added up in FP32 and rounded once, to nearest even (PTX: `.acc::f32`).
class ElementSum {
  public:
    explicit ElementSum(SumElement element) : element_(element) {}
    void add(const unsigned char* line);
    void write(ByteMask mask, unsigned char* out) const;

  private:
    static constexpr unsigned kMost = kLineBytes / 2;
    unsigned elements() const { return kLineBytes / bytes_of(element_); }
    SumElement element_;
    bool first_ = true;
    float sums_[kMost] = {};
};

/// Values of single elements, by their bits.
float value_of_half(std::uint16_t bits);
std::uint16_t half_of_value(float value);
float value_of_bfloat(std::uint16_t bits);
std::uint16_t bfloat_of_value(float value);

} // namespace numavp
