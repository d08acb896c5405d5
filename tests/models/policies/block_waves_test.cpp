/// Waves of blocks on a socket, by hand.
#include <gtest/gtest.h>

#include "models/dispatch/block_waves.h"

namespace numavp {
namespace {

TEST(BlockWaves, AreAsLargeAsTheSocketWasWhenFull) {
    BlockWaves waves;
    BlockWave wave;
    for (Cycle t = 10; t < 14; ++t) EXPECT_FALSE(waves.started(t, wave));
    waves.block_ended(); // 3 still run when the next finds no room
    waves.full();
    EXPECT_TRUE(waves.started(20, wave)) << "the second wave";
    EXPECT_EQ(wave.number, 0U);
    EXPECT_EQ(wave.blocks, 4U);
    EXPECT_EQ(wave.begin, 10U);
    EXPECT_EQ(wave.end, 20U);
    EXPECT_FALSE(waves.started(21, wave));
    EXPECT_FALSE(waves.started(22, wave));
    waves.full(); // later refusals change nothing
    EXPECT_TRUE(waves.started(30, wave)) << "the third";
    EXPECT_EQ(wave.number, 1U);
    EXPECT_EQ(wave.blocks, 3U);
    EXPECT_EQ(wave.begin, 20U);
    ASSERT_TRUE(waves.last(50, wave));
    EXPECT_EQ(wave.number, 2U);
    EXPECT_EQ(wave.blocks, 1U);
    EXPECT_EQ(wave.end, 50U);
}

TEST(BlockWaves, AreOneWhereThereIsRoom) {
    BlockWaves waves;
    BlockWave wave;
    EXPECT_FALSE(waves.last(5, wave)) << "no block came here";
    for (Cycle t = 0; t < 100; ++t) EXPECT_FALSE(waves.started(t, wave));
    ASSERT_TRUE(waves.last(200, wave));
    EXPECT_EQ(wave.blocks, 100U);
}

} // namespace
} // namespace numavp
