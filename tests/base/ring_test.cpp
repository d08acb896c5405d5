#include <vector>

#include <gtest/gtest.h>

#include "base/values/ring.h"

namespace numavp::test {
namespace {

std::vector<int> all_of(const Ring<int>& ring) {
    std::vector<int> all;
    ring.for_each([&](int value) { all.push_back(value); });
    return all;
}

TEST(Ring, IsWalkedFromTheOldestOnAcrossItsEndAndAfterItHasGrown) {
    Ring<int> ring;
    EXPECT_TRUE(all_of(ring).empty());
    int next = 0;
    for (; next < 7; ++next) ring.push(next);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(ring.pop(), i);
    for (; next < 12; ++next) ring.push(next); // across the end of 8 places
    EXPECT_EQ(all_of(ring), (std::vector<int>{5, 6, 7, 8, 9, 10, 11}));
    for (; next < 15; ++next) ring.push(next);
    EXPECT_EQ(all_of(ring), (std::vector<int>{5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
}

} // namespace
} // namespace numavp::test
