/// Walking streams: counts and footprints.
#include <gtest/gtest.h>

#include "sw/work/count.h"

namespace numavp {
namespace {

TEST(Footprint, CountsDistinctSectorsAndPages) {
    Footprint footprint;
    EXPECT_EQ(footprint.bytes(), 0U);
    EXPECT_EQ(footprint.end(), 0U);
    footprint.touch(0x1000, ByteMask::range(0, 4));
    footprint.touch(0x1000, ByteMask::range(8, 4));
    EXPECT_EQ(footprint.bytes(), 32U);
    footprint.touch(0x1000, ByteMask::range(31, 2));
    EXPECT_EQ(footprint.bytes(), 64U);
    footprint.touch(0x300000, ByteMask::full());
    EXPECT_EQ(footprint.bytes(), 64U + 128);
    EXPECT_EQ(footprint.page_footprint(4096), 2U * 4096);
    EXPECT_EQ(footprint.page_footprint(65536), 2U * 65536);
    EXPECT_EQ(footprint.end(), 0x300000U + 128);
}

TEST(Footprint, RangesNeedNotBeAligned) {
    Footprint footprint;
    footprint.touch_range(0x1fffff, 2);
    EXPECT_EQ(footprint.bytes(), 64U);
    footprint.touch_range(0x1000, 0);
    EXPECT_EQ(footprint.bytes(), 64U);
}

} // namespace
} // namespace numavp
