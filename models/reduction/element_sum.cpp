#include "models/reduction/element_sum.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace numavp {

namespace {
template <class To, class From> To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
constexpr std::uint32_t kSign = 0x80000000U, kInfinity = 0x7f800000U, kHalfInfinity = 0x7c00U;
constexpr int kHalfFractionBits = 10, kHalfLeastExponent = -14;
} // namespace

float value_of_half(std::uint16_t bits) {
    const int exponent = bits >> kHalfFractionBits & 31, fraction = bits & 1023;
    const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
    if (exponent == 31) return fraction != 0 ? std::nanf("") : sign * bits_as<float>(kInfinity);
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), kHalfLeastExponent - kHalfFractionBits);
    return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 15 - kHalfFractionBits);
}

std::uint16_t half_of_value(float value) {
    const auto sign = static_cast<std::uint16_t>((bits_as<std::uint32_t>(value) & kSign) >> 16);
    const float size = std::fabs(value);
    const auto with_sign = [sign](std::uint32_t bits) { return static_cast<std::uint16_t>(sign | bits); };
    if (std::isnan(value)) return with_sign(0x7e00);
    if (size == 0.0F) return sign;
    int exponent = std::ilogb(size);
    if (size == bits_as<float>(kInfinity)) return with_sign(kHalfInfinity);
    if (exponent < kHalfLeastExponent) exponent = kHalfLeastExponent; // subnormal
    // In units of the last place, which nearbyint() rounds to nearest even.
    const auto units =
        static_cast<std::uint32_t>(std::nearbyint(std::ldexp(static_cast<double>(size), kHalfFractionBits - exponent)));
    // A carry out of the fraction goes into the exponent, and beyond the largest number to infinity.
    const auto biased = static_cast<std::uint32_t>(exponent - kHalfLeastExponent);
    const std::uint32_t bits = (biased << kHalfFractionBits) + units;
    return with_sign(std::min(bits, kHalfInfinity));
}

float value_of_bfloat(std::uint16_t bits) { return bits_as<float>(std::uint32_t{bits} << 16); }

std::uint16_t bfloat_of_value(float value) {
    const auto bits = bits_as<std::uint32_t>(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    const std::uint32_t even = bits >> 16 & 1U;
    return static_cast<std::uint16_t>((bits + 0x7fffU + even) >> 16);
}

void ElementSum::add(const unsigned char* line) {
    for (unsigned i = 0; i < elements(); ++i) {
        float value = 0;
        if (element_ == SumElement::fp32) {
            std::memcpy(&value, line + std::size_t{i} * sizeof value, sizeof value);
        } else {
            std::uint16_t bits = 0;
            std::memcpy(&bits, line + std::size_t{i} * sizeof bits, sizeof bits);
            value = element_ == SumElement::fp16 ? value_of_half(bits) : value_of_bfloat(bits);
        }
        sums_[i] = first_ ? value : sums_[i] + value;
    }
    first_ = false;
}

void ElementSum::write(ByteMask mask, unsigned char* out) const {
    const unsigned bytes = bytes_of(element_);
    for (unsigned i = 0; i < elements(); ++i) {
        if (!mask.test(i * bytes)) continue;
        if (element_ == SumElement::fp32) {
            std::memcpy(out + std::size_t{i} * bytes, &sums_[i], bytes);
            continue;
        }
        const std::uint16_t bits = element_ == SumElement::fp16 ? half_of_value(sums_[i]) : bfloat_of_value(sums_[i]);
        std::memcpy(out + std::size_t{i} * bytes, &bits, bytes);
    }
}

} // namespace numavp
