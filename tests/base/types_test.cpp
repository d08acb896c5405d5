#include <gtest/gtest.h>

#include "base/values/types.h"

namespace numavp {
namespace {

TEST(ByteMask, RangeCoversExactlyItsBytes) {
    for (unsigned first = 0; first <= kLineBytes; ++first) {
        for (unsigned count = 0; first + count <= kLineBytes; ++count) {
            const ByteMask m = ByteMask::range(first, count);
            ASSERT_EQ(m.count(), count) << first;
            for (unsigned i = 0; i < kLineBytes; ++i) ASSERT_EQ(m.test(i), i >= first && i < first + count);
        }
    }
    EXPECT_TRUE(ByteMask::range(0, kLineBytes).all());
    EXPECT_EQ(ByteMask::range(0, kLineBytes), ByteMask::full());
}

TEST(ByteMask, CoversIsInclusionOfBytes) {
    EXPECT_TRUE(ByteMask::full().covers(ByteMask::range(60, 10)));
    EXPECT_TRUE(ByteMask::range(60, 10).covers(ByteMask::range(64, 6)));
    EXPECT_FALSE(ByteMask::range(60, 10).covers(ByteMask::range(64, 7)));
    EXPECT_TRUE(ByteMask{}.covers(ByteMask{}));
}

TEST(ByteMask, SectorsAreCountedOnce) {
    EXPECT_EQ(ByteMask{}.sectors(), 0U);
    EXPECT_EQ(ByteMask::range(31, 2).sectors(), 2U);
    EXPECT_EQ(ByteMask::range(32, 32).sectors(), 1U);
    EXPECT_EQ(ByteMask::full().sectors(), kLineBytes / kSectorBytes);
}

} // namespace
} // namespace numavp
