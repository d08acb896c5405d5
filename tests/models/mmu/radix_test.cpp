/// The page table's form as numbers, and the table in memory against a map.
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/mmu/table_memory.h"

namespace numavp {
namespace {

TEST(RadixLayout, HasTheLevelsThatTheAddressNeeds) {
    EXPECT_EQ(RadixLayout(49, 12).levels(), 5U); // 37 bits: 1 + 4 * 9
    EXPECT_EQ(RadixLayout(48, 12).levels(), 4U);
    EXPECT_EQ(RadixLayout(49, 16).levels(), 4U); // 33 bits
    EXPECT_EQ(RadixLayout(49, 21).levels(), 4U); // 28 bits: 1 + 3 * 9
    EXPECT_EQ(RadixLayout(48, 21).levels(), 3U);
    EXPECT_EQ(RadixLayout(32, 21).levels(), 2U); // 11 bits
    EXPECT_EQ(RadixLayout(64, 12).levels(), 6U);
    EXPECT_TRUE(RadixLayout(49, 12).contains((1ULL << 37) - 1));
    EXPECT_FALSE(RadixLayout(49, 12).contains(1ULL << 37));
}

TEST(RadixLayout, TakesNineBitsALevelFromThePageUpwards) {
    const std::uint64_t page = 5ULL << 36 | 511ULL << 27 | 0ULL << 18 | 257ULL << 9 | 3;
    const unsigned expected[] = {3, 257, 0, 511, 5};
    for (unsigned level = 0; level < 5; ++level) EXPECT_EQ(RadixLayout::index(level, page), expected[level]);
    EXPECT_EQ(RadixLayout::word_at(0x40000, 1, page), 0x40000U + 257 * 8);
}

TEST(TableWord, HasItsBitsAndTheAddressAboveThem) {
    const TableWord leaf = TableWord::page(0x3'4567'8000);
    EXPECT_EQ(leaf.bits, 0x3'4567'8003U);
    EXPECT_TRUE(leaf.valid() && leaf.leaf() && !leaf.moving());
    EXPECT_EQ(leaf.address(), 0x3'4567'8000U);
    const TableWord table = TableWord::table(0x1000);
    EXPECT_EQ(table.bits, 0x1001U);
    EXPECT_FALSE(table.leaf());
    EXPECT_TRUE((TableWord{TableWord::kMoving}).moving());
    EXPECT_FALSE((TableWord{TableWord::kMoving}).valid());
}

TableRegion region_of(unsigned memories, std::uint64_t frames) {
    TableRegion region;
    region.memories = memories;
    region.socket_shift = 30;
    region.base = (1ULL << 30) - frames * 4096;
    region.frames = frames;
    return region;
}

TEST(TableRegion, GoesRoundTheMemories) {
    const TableRegion region = region_of(3, 2);
    EXPECT_EQ(region.pages(), 6U);
    EXPECT_EQ(region.root(), region.base);
    EXPECT_EQ(region.page(4), (1ULL << 30) + region.base + 4096);
    EXPECT_EQ(region.page(5), (2ULL << 30) + region.base + 4096);
}

class RadixTables : public ::testing::TestWithParam<unsigned> {};

TEST_P(RadixTables, FindWhatWasMapped) {
    TableMemory memory;
    RadixTable table(RadixLayout(49, GetParam()), region_of(4, 4096), memory);
    std::map<std::uint64_t, std::uint64_t> expected;
    Rng rng(GetParam(), 1);
    for (unsigned i = 0; i < 500; ++i) {
        const std::uint64_t page = rng.below(1ULL << (rng.below(2) ? 8 : 49 - GetParam()));
        const std::uint64_t frame = rng.below(1000) << GetParam();
        ASSERT_TRUE(table.map(page, frame));
        expected[page] = frame;
    }
    for (const auto& [page, frame] : expected) {
        Translation entry;
        ASSERT_TRUE(table.find(page, SocketId(0), entry));
        EXPECT_EQ(entry.first_line << kLineShift, frame);
        EXPECT_EQ(table.find(page + 1, SocketId(0), entry), expected.count(page + 1) != 0);
    }
    const std::uint64_t page = expected.begin()->first;
    ASSERT_TRUE(table.write_leaf(page, {TableWord::kMoving}));
    Translation entry;
    EXPECT_FALSE(table.find(page, SocketId(0), entry));
}

TEST(RadixTable, FindsTheFrameOfEachSocketOfAPageWithReplicas) {
    TableMemory memory;
    RadixTable table(RadixLayout(48, 16), region_of(2, 64), memory);
    const TableWord leaf{(table.region().page(9) + 512) | TableWord::kReplicated | TableWord::kLeaf |
                         TableWord::kValid};
    ASSERT_TRUE(table.write_leaf(7, leaf));
    EXPECT_EQ(leaf.replica_at(1), table.region().page(9) + 512 + 8);
    memory.write(leaf.replica_at(0), TableWord::page(0x10000));
    memory.write(leaf.replica_at(1), {TableWord::page(0x4003'0000).bits | TableWord::kReplicated});
    Translation entry;
    ASSERT_TRUE(table.find(7, SocketId(0), entry));
    EXPECT_EQ(entry.first_line << kLineShift, 0x10000U);
    EXPECT_TRUE(entry.read_only);
    ASSERT_TRUE(table.find(7, SocketId(1), entry));
    EXPECT_EQ(entry.first_line << kLineShift, 0x4003'0000U);
    memory.write(leaf.replica_at(1), {0x10000 | TableWord::kMoving});
    EXPECT_FALSE(table.find(7, SocketId(1), entry));
    EXPECT_TRUE(table.find(7, SocketId(0), entry));
}
INSTANTIATE_TEST_SUITE_P(PageShifts, RadixTables, ::testing::Values(12U, 16U, 21U));

TEST(RadixTable, SaysSoWhenItsRegionIsFull) {
    TableMemory memory;
    RadixTable table(RadixLayout(48, 12), region_of(1, 4), memory);
    ASSERT_TRUE(table.map(0, 4096)); // the root and one of each level below
    EXPECT_EQ(table.table_pages(), 4U);
    EXPECT_TRUE(table.map(511, 8192));
    EXPECT_FALSE(table.map(512, 8192));
}

} // namespace
} // namespace numavp
