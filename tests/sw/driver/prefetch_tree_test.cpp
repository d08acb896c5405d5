/// The driver's rule for what else moves with a page that faults.
#include <algorithm>
#include <bitset>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "sw/driver/prefetch_tree.h"

namespace numavp::test {
namespace {

constexpr std::uint32_t kAll = ~0U;

/// Faults until all of a block is resident, its leaves touched in this order.
unsigned faults_of(const std::vector<unsigned>& order) {
    std::uint32_t resident = 0;
    unsigned faults = 0;
    for (const unsigned leaf : order) {
        if ((resident >> leaf & 1U) != 0) continue;
        ++faults;
        const std::uint32_t moved = prefetch_leaves(resident, 1U << leaf, kAll, kPrefetchPercent);
        EXPECT_NE(moved >> leaf & 1U, 0U);
        EXPECT_EQ(moved & resident, 0U);
        resident |= moved;
    }
    EXPECT_EQ(resident, kAll);
    return faults;
}

/// Sizes 64 KiB to 2 MiB in order take 1 to 6 faults.
TEST(PrefetchTree, InOrderABlockTakesSixFaults) {
    std::vector<unsigned> order(kPrefetchLeaves);
    std::iota(order.begin(), order.end(), 0U);
    EXPECT_EQ(faults_of(order), 6U);
    EXPECT_EQ(faults_of({order.rbegin(), order.rend()}), 6U);
    std::uint32_t resident = 0;
    std::vector<unsigned> faulted;
    for (const unsigned leaf : order)
        if ((resident >> leaf & 1U) == 0) {
            faulted.push_back(leaf);
            resident |= prefetch_leaves(resident, 1U << leaf, kAll, kPrefetchPercent);
        }
    EXPECT_EQ(faulted, (std::vector<unsigned>{0, 1, 2, 4, 8, 16}));
}

TEST(PrefetchTree, InRandomOrderABlockTakesAboutFourteen) {
    std::mt19937 random(1);
    std::vector<unsigned> order(kPrefetchLeaves);
    std::iota(order.begin(), order.end(), 0U);
    double sum = 0;
    unsigned least = kPrefetchLeaves, most = 0;
    constexpr unsigned kTimes = 2000;
    for (unsigned i = 0; i < kTimes; ++i) {
        std::shuffle(order.begin(), order.end(), random);
        const unsigned faults = faults_of(order);
        sum += faults;
        least = std::min(least, faults);
        most = std::max(most, faults);
    }
    EXPECT_NEAR(sum / kTimes, 13.7, 0.3);
    EXPECT_GE(least, 6U);
    EXPECT_LE(most, 18U);
}

/// Half of each range is no more than 51 %: the pointer chase faults at every second leaf.
TEST(PrefetchTree, EverySecondLeafMovesAlone) {
    std::uint32_t resident = 0;
    for (unsigned leaf = 0; leaf < kPrefetchLeaves; leaf += 2) {
        EXPECT_EQ(prefetch_leaves(resident, 1U << leaf, kAll, kPrefetchPercent), 1U << leaf);
        resident |= 1U << leaf;
    }
    EXPECT_EQ(std::bitset<32>(resident).count(), 16U);
}

TEST(PrefetchTree, FaultsOfABatchCountTogether) {
    EXPECT_EQ(prefetch_leaves(0, 0b0111, kAll, kPrefetchPercent), 0b1111U);
    EXPECT_EQ(prefetch_leaves(0, 0b0011, kAll, kPrefetchPercent), 0b0011U);
    EXPECT_EQ(prefetch_leaves(0, 0x0001ffffU, kAll, kPrefetchPercent), kAll);
    EXPECT_EQ(prefetch_leaves(0, 0x0000ffffU, kAll, kPrefetchPercent), 0x0000ffffU);
    EXPECT_EQ(prefetch_leaves(0, kAll, kAll, kPrefetchPercent), kAll);
    EXPECT_EQ(prefetch_leaves(0, 0, kAll, kPrefetchPercent), 0U);
    EXPECT_EQ(prefetch_leaves(kAll, 1, kAll, kPrefetchPercent), 0U);
}

/// An allocation may end within a block: percentages are of what it has there.
TEST(PrefetchTree, NothingBeyondTheAllocationMoves) {
    EXPECT_EQ(prefetch_leaves(0b001, 0b010, 0b011, kPrefetchPercent), 0b010U);
    EXPECT_EQ(prefetch_leaves(0, 0b11000, 0b01011, kPrefetchPercent), 0b01000U);
    EXPECT_EQ(prefetch_leaves(0, 0b011, 0b111, kPrefetchPercent), 0b111U);
}

TEST(PrefetchTree, TheThresholdIsStrict) {
    EXPECT_EQ(prefetch_leaves(0, 1, kAll, 50), 1U);
    EXPECT_EQ(prefetch_leaves(0, 1, kAll, 49), 0b11U);
    EXPECT_EQ(prefetch_leaves(0, 1, kAll, 0), kAll);
    EXPECT_EQ(prefetch_leaves(0, kAll >> 1, kAll, 100), kAll >> 1);
}

} // namespace
} // namespace numavp::test
