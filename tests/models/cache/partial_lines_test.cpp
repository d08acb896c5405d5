/// Lines with sectors that were written in part: their order, and each once.
#include <gtest/gtest.h>

#include "models/cache/partial_lines.h"

namespace numavp {
namespace {

TEST(PartialLines, LeaveInTheOrderInWhichTheyCame) {
    PartialLines lines(3);
    for (const std::uint64_t line : {256U, 0U, 256U, 128U}) lines.add(line);
    EXPECT_EQ(lines.size(), 3U) << "each once";
    EXPECT_TRUE(lines.full());
    EXPECT_EQ(lines.oldest(), 256U);
    lines.remove_oldest();
    EXPECT_FALSE(lines.full());
    EXPECT_FALSE(lines.lists(256));
    EXPECT_EQ(lines.oldest(), 0U);
    lines.put_off();
    EXPECT_EQ(lines.oldest(), 128U);
    lines.remove_oldest();
    EXPECT_EQ(lines.oldest(), 0U) << "its turn comes again";
    lines.add(256);
    EXPECT_TRUE(lines.lists(256)) << "and a line may come again";
}

} // namespace
} // namespace numavp
