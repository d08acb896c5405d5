/// Orders of blocks: each is a permutation of every grid, and the places of single blocks are those of the sources.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/dispatch/block_order.h"

namespace numavp {
namespace {

KernelShape grid_of(std::vector<GridDigit> digits) {
    KernelShape shape;
    shape.digits = std::move(digits);
    for (const GridDigit& digit : shape.digits) shape.blocks *= digit.count;
    return shape;
}
/// Digits as FlashAttention-2's grid has them.
KernelShape attention(std::uint64_t q, std::uint64_t b, std::uint64_t g, std::uint64_t v) {
    return grid_of({{'q', q}, {'b', b}, {'g', g}, {'v', v}});
}
KernelShape product(std::uint64_t n, std::uint64_t m, std::uint64_t k = 1) {
    return grid_of({{'n', n}, {'m', m}, {'k', k}});
}

std::vector<std::uint64_t> blocks_placed(const BlockOrderConfig& config, const KernelShape& shape,
                                         unsigned sockets = 8) {
    std::vector<std::uint64_t> blocks(shape.blocks);
    std::iota(blocks.begin(), blocks.end(), 0);
    if (const auto order = make_block_order(config, shape, sockets))
        for (std::uint64_t& block : blocks) block = order->block(block);
    return blocks;
}
BlockOrderConfig order_of(BlockOrderPolicy policy) {
    BlockOrderConfig config;
    config.policy = policy;
    return config;
}

class EachBlockOrder : public ::testing::TestWithParam<BlockOrderPolicy> {};

TEST_P(EachBlockOrder, IsAPermutationOfEveryGrid) {
    const std::vector<KernelShape> shapes = {attention(32, 1, 4, 8),
                                             attention(7, 3, 2, 5),
                                             attention(1, 1, 1, 1),
                                             attention(5, 2, 1, 3),
                                             product(32, 16),
                                             product(7, 13, 3),
                                             grid_of({{'m', 9}, {'n', 10}}),
                                             product(1, 5),
                                             grid_of({{'s', 6}, {'v', 4}, {'b', 3}}),
                                             KernelShape{}};
    for (const KernelShape& shape : shapes) {
        for (const unsigned sockets : {1U, 4U, 8U}) {
            for (const bool longest_first : {false, true}) {
                BlockOrderConfig config = order_of(GetParam());
                config.longest_first = longest_first;
                config.window = 5;
                config.chunk = 7;
                std::vector<std::uint64_t> blocks = blocks_placed(config, shape, sockets);
                std::sort(blocks.begin(), blocks.end());
                for (std::uint64_t i = 0; i < blocks.size(); ++i)
                    ASSERT_EQ(blocks[i], i) << shape.blocks << " blocks on " << sockets << " sockets";
            }
        }
    }
}

TEST_P(EachBlockOrder, LeavesAKernelWithoutItsDigitsAlone) {
    KernelShape shape;
    shape.blocks = 100;
    EXPECT_EQ(make_block_order(order_of(GetParam()), shape, 8), nullptr);
}

std::vector<BlockOrderPolicy> all_orders() {
    std::vector<BlockOrderPolicy> all;
    for (const NameEntry<BlockOrderPolicy>& entry : kBlockOrders) all.push_back(entry.value);
    return all;
}
std::string name_of_order(const ::testing::TestParamInfo<BlockOrderPolicy>& info) {
    return std::string(kBlockOrders.name(info.param));
}
INSTANTIATE_TEST_SUITE_P(All, EachBlockOrder, ::testing::ValuesIn(all_orders()), name_of_order);

/// Coordinates of a block of attention(): query block, batch, head of the group, KV head.
struct Coordinates {
    std::uint64_t q, b, g, v;
    bool operator==(const Coordinates& o) const { return q == o.q && b == o.b && g == o.g && v == o.v; }
};
Coordinates coordinates(std::uint64_t block, const KernelShape& shape) {
    std::uint64_t value[4];
    for (unsigned d = 0; d < 4; ++d) {
        value[d] = block % shape.digits[d].count;
        block /= shape.digits[d].count;
    }
    return {value[0], value[1], value[2], value[3]};
}

TEST(BlockOrders, OfAttentionCountTheirDigitsFastestFirst) {
    const KernelShape shape = attention(5, 2, 4, 3);
    const auto at = [&](BlockOrderPolicy policy, std::uint64_t place) {
        return coordinates(blocks_placed(order_of(policy), shape)[place], shape);
    };
    EXPECT_EQ(at(BlockOrderPolicy::qb_minor, 4), (Coordinates{4, 0, 0, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::qb_minor, 5), (Coordinates{0, 0, 1, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::qb_minor, 20), (Coordinates{0, 0, 0, 1}));
    EXPECT_EQ(at(BlockOrderPolicy::bt_hkv_minor, 1), (Coordinates{0, 1, 0, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::bt_hkv_minor, 2), (Coordinates{0, 0, 0, 1}));
    EXPECT_EQ(at(BlockOrderPolicy::bt_hkv_minor, 6), (Coordinates{0, 0, 1, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::qb_major, 2), (Coordinates{0, 0, 1, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::qb_major, 8), (Coordinates{0, 0, 0, 1}));
    EXPECT_EQ(at(BlockOrderPolicy::qb_major, 24), (Coordinates{1, 0, 0, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::hkv_major, 8), (Coordinates{1, 0, 0, 0}));
    EXPECT_EQ(at(BlockOrderPolicy::hkv_major, 40), (Coordinates{0, 0, 0, 1}));
}

TEST(BlockOrders, LongestFirstWalksQueryBlocksDown) {
    const KernelShape shape = attention(5, 1, 2, 2);
    BlockOrderConfig config = order_of(BlockOrderPolicy::bt_hkv_minor);
    config.longest_first = true;
    EXPECT_EQ(coordinates(blocks_placed(config, shape)[0], shape).q, 4U);
    EXPECT_EQ(coordinates(blocks_placed(config, shape)[19], shape).q, 0U);
    config.policy = BlockOrderPolicy::by_number;
    EXPECT_EQ(blocks_placed(config, shape)[0], 4U);
    EXPECT_EQ(blocks_placed(config, shape)[5], 9U);
}

/// Place p runs on socket p modulo 8 (split modulo).
TEST(BlockOrders, ASwizzledHeadFirstOrderGivesASocketABandOfHeads) {
    const KernelShape shape = attention(16, 2, 4, 8); // 32 query heads: 4 a socket
    const std::vector<std::uint64_t> blocks = blocks_placed(order_of(BlockOrderPolicy::hq_minor_swz), shape);
    for (std::uint64_t place = 0; place < blocks.size(); ++place) {
        const Coordinates at = coordinates(blocks[place], shape);
        const std::uint64_t socket = place % 8, local = place / 8;
        EXPECT_EQ(at.v * 4 + at.g, socket * 4 + local / 32) << "a head at a time, of both sequences";
        EXPECT_EQ(at.q, local % 16);
    }
}

/// GemmIdentityThreadblockSwizzle: log2 of the group is 3 if N >= 8 and tiles >= 6, 2 if N >= 4 and tiles >= 3, 1 if
/// N >= 2 and tiles >= 2.
TEST(BlockOrders, GroupsAreAsWideAsInCutlass) {
    struct {
        unsigned group;
        std::uint64_t columns, width;
    } const rows[] = {{8, 6, 8}, {8, 5, 4}, {8, 3, 4}, {8, 2, 2}, {8, 1, 1}, {4, 100, 4}, {3, 100, 2}, {1, 100, 1}};
    for (const auto& row : rows) {
        BlockOrderConfig config = order_of(BlockOrderPolicy::grouped);
        config.group = row.group;
        const KernelShape shape = product(row.columns, 10);
        const std::vector<std::uint64_t> blocks = blocks_placed(config, shape);
        const std::uint64_t width = std::min(row.width, row.columns);
        for (std::uint64_t i = 0; i < width * 10; ++i)
            ASSERT_EQ(blocks[i], i / width * row.columns + i % width) << row.group << " of " << row.columns;
    }
}

/// 8 sockets, W = 2, C = 3, 6 x 8 tiles: two rounds of 24 blocks.
TEST(BlockOrders, WindowsAndChunksAreThoseOfHipKittens) {
    BlockOrderConfig config = order_of(BlockOrderPolicy::windowed);
    config.window = 2;
    config.chunk = 3;
    const std::vector<std::uint64_t> blocks = blocks_placed(config, product(8, 6));
    // Socket 0 has places 0, 8, 16 of the first round: 0, 1, 2 of the chunked order, down windows of two rows.
    EXPECT_EQ(blocks[0], 0U);
    EXPECT_EQ(blocks[8], 8U);
    EXPECT_EQ(blocks[16], 1U);
    EXPECT_EQ(blocks[1], 9U) << "3: second row of the second column";
    EXPECT_EQ(blocks[24], 20U) << "24 is the ninth in the window of rows 2 and 3: row 2, column 4";
    // Places beyond whole rounds of 24 keep their numbers: the window is then all that moves them.
    const std::vector<std::uint64_t> odd = blocks_placed(config, product(5, 5));
    EXPECT_EQ(odd[24], 24U);
}

/// A plane of 25 tiles begins on socket 1 behind the first: chunks of its blocks stay on a socket all the same.
TEST(BlockOrders, ChunksOfLaterPlanesStayOnTheirSockets) {
    BlockOrderConfig config = order_of(BlockOrderPolicy::windowed);
    config.window = 1;
    config.chunk = 3;
    const std::vector<std::uint64_t> blocks = blocks_placed(config, product(5, 5, 2));
    for (std::uint64_t local = 0; local < 24; ++local) {
        const std::uint64_t socket = (25 + local) % 8;
        EXPECT_EQ((blocks[25 + local] - 25) / 3, socket) << local;
    }
}

} // namespace
} // namespace numavp
