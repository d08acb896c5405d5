/// Sums of a switch: formats of elements, rounding, order; and the places of multicast arrays.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "models/paging/multicast_map.h"
#include "models/reduction/element_sum.h"

namespace numavp {
namespace {

TEST(HalfPrecision, EachPatternIsItsOwnNearest) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const float value = value_of_half(static_cast<std::uint16_t>(bits));
        if (std::isnan(value)) continue;
        ASSERT_EQ(half_of_value(value), bits);
    }
    EXPECT_EQ(value_of_half(0x3c00), 1.0F);
    EXPECT_EQ(value_of_half(0xc000), -2.0F);
    EXPECT_EQ(value_of_half(0x7bff), 65504.0F);
    EXPECT_EQ(value_of_half(0x0001), std::ldexp(1.0F, -24));
}

TEST(HalfPrecision, RoundsToNearestEvenAndToInfinity) {
    EXPECT_EQ(half_of_value(2049.0F), 0x6800) << "halfway between 2048 and 2050: the even one";
    EXPECT_EQ(half_of_value(2051.0F), 0x6802) << "halfway between 2050 and 2052";
    EXPECT_EQ(half_of_value(2049.001F), 0x6801);
    EXPECT_EQ(half_of_value(65519.0F), 0x7bff);
    EXPECT_EQ(half_of_value(65520.0F), 0x7c00);
    EXPECT_EQ(half_of_value(-1e30F), 0xfc00);
    EXPECT_EQ(half_of_value(std::ldexp(1.0F, -25)), 0) << "halfway to the smallest";
    EXPECT_EQ(half_of_value(std::ldexp(1.5F, -25)), 1);
    EXPECT_TRUE(std::isnan(value_of_half(half_of_value(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(BFloat, RoundsToNearestEven) {
    EXPECT_EQ(bfloat_of_value(1.0F), 0x3f80);
    EXPECT_EQ(bfloat_of_value(257.0F), 0x4380) << "halfway between 256 and 258: the even one";
    EXPECT_EQ(bfloat_of_value(259.0F), 0x4382) << "halfway between 258 and 260";
    EXPECT_EQ(value_of_bfloat(0x4381), 258.0F);
    EXPECT_TRUE(std::isnan(value_of_bfloat(bfloat_of_value(std::numeric_limits<float>::quiet_NaN()))));
}

/// Sum of one element of several members.
template <class Bits> Bits sum_of(SumElement element, const std::vector<Bits>& values) {
    ElementSum sum(element);
    for (const Bits value : values) {
        std::array<unsigned char, kLineBytes> line{};
        std::memcpy(&line[2 * sizeof value], &value, sizeof value);
        sum.add(line.data());
    }
    std::array<unsigned char, kLineBytes> out;
    out.fill(0xee);
    sum.write(ByteMask::range(2 * sizeof(Bits), sizeof(Bits)), out.data());
    Bits result;
    std::memcpy(&result, &out[2 * sizeof result], sizeof result);
    for (unsigned i = 0; i < kLineBytes; ++i)
        if (i < 2 * sizeof result || i >= 3 * sizeof result) {
            EXPECT_EQ(out[i], 0xee) << "byte " << i << " was not asked";
        }
    return result;
}

TEST(ElementSum, AddsInTheOrderOfMembers) {
    EXPECT_EQ(sum_of<float>(SumElement::fp32, {1e8F, 1.0F, -1e8F}), 0.0F);
    EXPECT_EQ(sum_of<float>(SumElement::fp32, {1e8F, -1e8F, 1.0F}), 1.0F);
    EXPECT_TRUE(std::signbit(sum_of<float>(SumElement::fp32, {-0.0F}))) << "a single member's value is its own";
}

/// With a rounding after each addition both sums would stay at their first element.
TEST(ElementSum, RoundsShortElementsOnce) {
    EXPECT_EQ(sum_of<std::uint16_t>(SumElement::fp16, {0x6800, 0x3c00, 0x3c00}), 0x6801) << "2048 + 1 + 1";
    EXPECT_EQ(sum_of<std::uint16_t>(SumElement::bf16, {0x4380, 0x3f80, 0x3f80}), 0x4381) << "256 + 1 + 1";
}

TEST(MulticastMap, GivesEachPageAPlaceOfAUnitAndBack) {
    constexpr std::uint64_t kPage = 4096, kFirst = 0x100000, kSecond = 0x900000;
    MulticastMap map({5, 3, 30}, kPage);
    map.add({kFirst, 5 * kPage, SumElement::fp32, {{0x10000000, SocketId(0)}, {0x20000000, SocketId(1)}}});
    map.add({kSecond, 100, SumElement::bf16, {{0x30000000, SocketId(1)}}});
    EXPECT_FALSE(map.place(kFirst / kPage - 1));
    EXPECT_FALSE(map.place(kFirst / kPage + 5));
    std::set<std::uint64_t> places;
    std::array<unsigned, 3> of_unit{};
    const auto check = [&](std::uint64_t address, std::uint64_t member, std::uint64_t offset) {
        const std::optional<PageEntry> entry = map.place(address / kPage);
        ASSERT_TRUE(entry);
        const std::uint64_t physical = entry->first_line << kLineShift;
        EXPECT_TRUE(places.insert(physical).second);
        ASSERT_GE(physical >> 30, 5U);
        ASSERT_LT(physical >> 30, 8U);
        ++of_unit[(physical >> 30) - 5];
        const MulticastMap::Target target = map.target(physical + 3 * kLineBytes);
        EXPECT_EQ(target.line_of(static_cast<unsigned>(target.array->members.size() - 1)) << kLineShift,
                  member + offset + 3 * kLineBytes);
    };
    for (unsigned page = 0; page < 5; ++page) check(kFirst + page * kPage, 0x20000000, page * kPage);
    check(kSecond, 0x30000000, 0);
    EXPECT_EQ(of_unit, (std::array<unsigned, 3>{2, 2, 2})) << "pages go round the units";
    EXPECT_THROW(map.target((std::uint64_t{5} << 30) + 2 * kPage), ModelError);
}

} // namespace
} // namespace numavp
