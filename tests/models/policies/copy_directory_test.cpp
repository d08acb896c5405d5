/// Whom a home recalls: each copy that was lent and may be out of date, in order, and none twice without need.
#include <map>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/cache/copy_directory.h"

namespace numavp {
namespace {

constexpr std::uint64_t line(unsigned n) { return std::uint64_t{n} * kLineBytes; }

TEST(CopyDirectory, RecallsWhatWasLentAndWritten) {
    CopyDirectory directory(4, 4, 2);
    directory.written(line(1)); // nobody has it
    EXPECT_EQ(directory.waiting(), 0U);
    EXPECT_TRUE(directory.lend(line(1)));
    EXPECT_TRUE(directory.lent(line(1)));
    EXPECT_FALSE(directory.lent(line(2)));
    directory.written(line(1));
    directory.written(line(1)); // one recall is enough
    EXPECT_FALSE(directory.lent(line(1)));
    ASSERT_EQ(directory.waiting(), 1U);
    EXPECT_EQ(directory.take(), line(1));
    EXPECT_EQ(directory.waiting(), 0U);
    EXPECT_EQ(directory.lines(), 0U);
    directory.written(line(1)); // it is recalled already
    EXPECT_EQ(directory.waiting(), 0U);
}

TEST(CopyDirectory, ALineLentAgainBeforeItsRecallLeavesIsRecalledAllTheSame) {
    CopyDirectory directory(4, 4, 2);
    EXPECT_TRUE(directory.lend(line(1)));
    directory.written(line(1));
    EXPECT_TRUE(directory.lend(line(1)));
    ASSERT_EQ(directory.waiting(), 1U);
    EXPECT_EQ(directory.take(), line(1));
    EXPECT_TRUE(directory.lend(line(1))); // after it has left: another copy
    directory.written(line(1));
    EXPECT_EQ(directory.waiting(), 1U);
}

TEST(CopyDirectory, GivesThePlaceOfTheLineThatWasLentLongestAgo) {
    CopyDirectory directory(2, 2, 1);
    EXPECT_TRUE(directory.lend(line(1)));
    EXPECT_TRUE(directory.lend(line(2)));
    EXPECT_TRUE(directory.lend(line(1)));
    EXPECT_TRUE(directory.lend(line(3))); // line 2 goes
    EXPECT_FALSE(directory.lent(line(2)));
    EXPECT_TRUE(directory.lent(line(1)));
    EXPECT_EQ(directory.evicted(), 1U);
    EXPECT_FALSE(directory.lend(line(4))) << "another line that lost its place has no place to wait in";
    EXPECT_TRUE(directory.lent(line(1)));
    EXPECT_EQ(directory.take(), line(2));
    EXPECT_TRUE(directory.lend(line(4)));
    EXPECT_EQ(directory.take(), line(1));
}

TEST(CopyDirectory, KeepsThePlacesOfLinesThatWaitForTheirRecall) {
    CopyDirectory directory(2, 2, 8);
    EXPECT_TRUE(directory.lend(line(1)));
    EXPECT_TRUE(directory.lend(line(2)));
    directory.written(line(2));
    directory.written(line(1));
    EXPECT_FALSE(directory.lend(line(3)));
    EXPECT_EQ(directory.take(), line(2)); // in the order of the writes
    EXPECT_TRUE(directory.lend(line(3)));
    EXPECT_EQ(directory.take(), line(1));
}

/// The other cache as a set of lines with the version that it got: no version is out of date when no recall waits.
TEST(CopyDirectory, ListsEveryCopyUntilItIsRecalled) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed, 5);
        const auto ways = 1 + static_cast<unsigned>(rng.below(4)), sets = 1 + static_cast<unsigned>(rng.below(3));
        CopyDirectory directory(ways * sets, ways, static_cast<unsigned>(rng.below(4)));
        std::map<std::uint64_t, unsigned> version, copies;
        for (unsigned step = 0; step < 4000; ++step) {
            const std::uint64_t at = line(static_cast<unsigned>(rng.below(24)));
            switch (rng.below(4)) {
            case 0:
                ++version[at];
                directory.written(at);
                break;
            case 1:
                if (directory.waiting() != 0) copies.erase(directory.take());
                break;
            default:
                if (directory.lend(at)) copies[at] = version[at];
            }
            if (rng.below(50) != 0) continue;
            while (directory.waiting() != 0) copies.erase(directory.take());
            for (const auto& [held, of] : copies) {
                ASSERT_EQ(of, version[held]) << "seed " << seed << " step " << step;
                ASSERT_TRUE(directory.lent(held)) << "seed " << seed << " step " << step;
            }
            ASSERT_LE(directory.lines(), ways * sets);
        }
    }
}

} // namespace
} // namespace numavp
