/// Thread-block splits: who gets what as a table, then exact coverage by every split under random pulls.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "models/dispatch/block_dispatch.h"

namespace numavp {
namespace {

using Blocks = std::vector<std::uint64_t>;

Blocks all_of(BlockQueue& queue, unsigned socket) {
    Blocks result;
    std::uint64_t block = 0;
    while (queue.next(socket, block)) result.push_back(block);
    return result;
}

TEST(BlockDispatch, EachSocketsBlocks) {
    struct {
        BlockSplit split;
        std::uint64_t blocks;
        unsigned sockets;
        std::vector<Blocks> expected;
    } const rows[] = {
        {BlockSplit::modulo, 10, 4, {{0, 4, 8}, {1, 5, 9}, {2, 6}, {3, 7}}},
        {BlockSplit::modulo, 2, 4, {{0}, {1}, {}, {}}},
        {BlockSplit::contiguous, 8, 4, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
        {BlockSplit::contiguous, 10, 4, {{0, 1}, {2, 3, 4}, {5, 6}, {7, 8, 9}}},
        {BlockSplit::contiguous, 2, 4, {{}, {0}, {}, {1}}},
        {BlockSplit::contiguous, 1, 3, {{}, {}, {0}}},
        {BlockSplit::contiguous_sms, 10, 4, {{0, 1}, {2, 3, 4}, {5, 6}, {7, 8, 9}}},
        {BlockSplit::stealing, 10, 4, {{0, 1}, {2, 3, 4}, {5, 6}, {7, 8, 9}}},
        {BlockSplit::persistent, 10, 4, {{0, 4, 8}, {1, 5, 9}, {2, 6}, {3, 7}}},
        {BlockSplit::fine_grained, 3, 2, {{0, 1, 2}, {}}},
        {BlockSplit::fine_grained, 0, 2, {{}, {}}},
    };
    for (const auto& row : rows) {
        const auto queue = make_block_queue(row.split, row.blocks, row.sockets);
        for (unsigned s = 0; s < row.sockets; ++s) {
            EXPECT_EQ(queue->left(s), row.expected[s].size());
            EXPECT_EQ(all_of(*queue, s), row.expected[s]) << row.blocks << " blocks, socket " << s;
        }
    }
}

TEST(BlockDispatch, TwoSplitsAreBySm) {
    for (const NameEntry<BlockSplit>& entry : kBlockSplits)
        EXPECT_EQ(block_takers(entry.value) == BlockTakers::sms,
                  entry.name == std::string("contiguous_sms") || entry.name == std::string("persistent"));
}

/// Of 10 blocks on 4 sockets: 0 and 1, 2 to 4, 5 and 6, 7 to 9.
TEST(BlockDispatch, ASocketWithoutBlocksStealsTheLastOfTheRichest) {
    const auto queue = make_block_queue(BlockSplit::stealing, 10, 4);
    std::uint64_t block = 99;
    EXPECT_FALSE(queue->steal(0, block)) << "it has two of its own";
    EXPECT_EQ(block, 99U);
    EXPECT_EQ(all_of(*queue, 0), Blocks({0, 1}));
    const auto stolen = [&](unsigned socket) { return queue->steal(socket, block) ? block : 99; };
    EXPECT_EQ(stolen(0), 4U) << "of two sockets with three blocks the first";
    EXPECT_EQ(stolen(0), 9U);
    EXPECT_EQ(all_of(*queue, 1), Blocks({2, 3}));
    EXPECT_EQ(stolen(1), 6U) << "of two sockets with two blocks the first";
    EXPECT_EQ(stolen(0), 8U);
    EXPECT_EQ(all_of(*queue, 2), Blocks({5}));
    EXPECT_EQ(all_of(*queue, 3), Blocks({7}));
    for (unsigned s = 0; s < 4; ++s) EXPECT_FALSE(queue->steal(s, block));
}

TEST(BlockDispatch, OnlyTheSplitThatStealsDoes) {
    for (const auto& entry : kBlockSplits) {
        const auto queue = make_block_queue(entry.value, 10, 2);
        std::uint64_t block = 99;
        while (queue->next(0, block)) {}
        EXPECT_EQ(queue->steal(0, block), entry.value == BlockSplit::stealing) << entry.name;
    }
}

TEST(BlockDispatch, FineGrainedServesWhoAsks) {
    FineGrainedQueue queue(5);
    const unsigned asks[] = {3, 0, 3, 1, 2};
    std::uint64_t block = 99;
    for (std::uint64_t i = 0; i < 5; ++i) {
        ASSERT_TRUE(queue.next(asks[i], block));
        EXPECT_EQ(block, i);
    }
    EXPECT_FALSE(queue.next(0, block));
    EXPECT_EQ(block, 4U) << "left alone when there is none";
}

TEST(BlockDispatch, ContiguousSharesDifferByAtMostOneAtAnySize) {
    for (const std::uint64_t blocks : {1ULL, 7ULL, 435ULL, 699'051ULL, (1ULL << 55) - 1})
        for (const unsigned sockets : {1U, 2U, 3U, 5U, 8U, 15U, 16U, 33U, kMaxSockets, 65536U}) {
            const auto queue = make_block_queue(BlockSplit::contiguous_sms, blocks, sockets);
            std::uint64_t sum = 0;
            for (unsigned s = 0; s < sockets; ++s) {
                const std::uint64_t share = queue->left(s);
                EXPECT_GE(share, blocks / sockets);
                EXPECT_LE(share, blocks / sockets + 1);
                sum += share;
            }
            EXPECT_EQ(sum, blocks);
        }
}

TEST(BlockDispatch, AnImpossibleNumberOfSocketsIsRefused) {
    EXPECT_THROW(make_block_queue(BlockSplit::modulo, 1, 0), ModelError);
    EXPECT_THROW(make_block_queue(BlockSplit::modulo, 1, kMostTakers + 1), ModelError);
}

TEST(BlockDispatchContract, EverySplitGivesEachBlockOnceAndAscendingWithinASocket) {
    Rng random(13);
    for (const auto& entry : kBlockSplits) {
        for (unsigned run = 0; run < 200; ++run) {
            const unsigned sockets = 1 + static_cast<unsigned>(random.next() % kMaxPairedSockets);
            const std::uint64_t blocks = random.next() % 300;
            SCOPED_TRACE(std::string(entry.name) + ", " + std::to_string(blocks) + " blocks on " +
                         std::to_string(sockets));
            const auto queue = make_block_queue(entry.value, blocks, sockets);
            std::vector<unsigned> times(blocks, 0);
            std::vector<std::int64_t> last(sockets, -1);
            std::vector<bool> done(sockets, false);
            for (unsigned open = sockets; open > 0;) {
                const unsigned s = static_cast<unsigned>(random.next() % sockets);
                const std::uint64_t left = queue->left(s);
                ASSERT_FALSE(left > 0 && done[s]) << "a socket that got no more gets no more";
                std::uint64_t block = 0;
                ASSERT_EQ(queue->next(s, block), left > 0);
                if (left > 0) {
                    ASSERT_EQ(queue->left(s), left - 1);
                    ASSERT_LT(block, blocks);
                    ++times[block];
                    ASSERT_GT(static_cast<std::int64_t>(block), last[s]);
                    last[s] = static_cast<std::int64_t>(block);
                } else if (random.next() % 2 == 0 && queue->steal(s, block)) {
                    ASSERT_LT(block, blocks);
                    ++times[block];
                } else if (!done[s]) {
                    done[s] = true;
                    --open;
                }
            }
            for (std::uint64_t b = 0; b < blocks; ++b) ASSERT_EQ(times[b], 1U) << "block " << b;
        }
    }
}

} // namespace
} // namespace numavp
