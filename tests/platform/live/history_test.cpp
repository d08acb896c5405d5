/// The history of a live run: bounded, whole, and the same however often it was looked at.
#include <numeric>

#include <gtest/gtest.h>

#include "platform/live/live_history.h"

namespace numavp::test {
namespace {

struct Recorded {
    Recorded() {
        first.increase("socket0.link.out_bytes", bytes, "B", "Sent.");
        first.level(
            "socket0.link.lanes_out", [this] { return lanes; }, "lanes", "That face out.");
        second.increase("socket0.slots.issued", bytes, "slots", "Issued.");
    }
    /// A row at each multiple of 10 cycles; row n sends n bytes more, and has n lanes.
    void sample(std::size_t rows) {
        for (; rows > 0; --rows) {
            ++row;
            bytes += row;
            lanes = row;
            first.sample(10 * row);
            second.sample(10 * row);
        }
    }
    std::uint64_t bytes = 0, lanes = 0, row = 0;
    SeriesRecorder first{10}, second{10};
};

std::uint64_t sum_of(const LiveHistory::Column& column) {
    return std::accumulate(column.values.begin(), column.values.end(), std::uint64_t{0});
}

TEST(LiveHistory, HasEachSampleWhileTheyAreFew) {
    Recorded recorded;
    recorded.sample(3);
    LiveHistory history;
    history.catch_up({&recorded.first, &recorded.second});
    EXPECT_EQ(history.ends(), (std::vector<Cycle>{10, 20, 30}));
    ASSERT_EQ(history.columns().size(), 3U);
    EXPECT_EQ(history.columns()[0].name, "socket0.link.lanes_out") << "in natural order, recorder by recorder";
    EXPECT_EQ(history.columns()[1].values, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(history.columns()[2].name, "socket0.slots.issued");
    EXPECT_EQ(history.columns()[1].recent, 6U) << "all three are recent";
    EXPECT_EQ(history.columns()[0].recent, 3U) << "a level is the last one";
    EXPECT_EQ(history.recent_begin(), 0U);
}

/// The whole run stays: bytes of merged intervals sum to those that were sent.
TEST(LiveHistory, MergesIntervalsAndLosesNothing) {
    Recorded recorded;
    LiveHistory often, once;
    for (const std::size_t rows : {1U, 7U, 238U, 1U, 500U, 254U}) {
        recorded.sample(rows);
        often.catch_up({&recorded.first, &recorded.second});
        EXPECT_LE(often.ends().size(), LiveHistory::kMostIntervals);
        EXPECT_EQ(sum_of(often.columns()[1]), recorded.bytes) << recorded.row << " rows";
        EXPECT_EQ(often.ends().back(), 10 * recorded.row);
    }
    once.catch_up({&recorded.first, &recorded.second});
    EXPECT_EQ(once.ends(), often.ends());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(once.columns()[i].values, often.columns()[i].values) << i;
    // 1,001 rows in intervals of 8: the first has rows 1 to 8, the last row 1,001 alone.
    EXPECT_EQ(once.ends().front(), 80U);
    EXPECT_EQ(once.columns()[1].values.front(), 36U);
    EXPECT_EQ(once.columns()[0].values.front(), 8U) << "the later level stays";
    EXPECT_EQ(once.columns()[1].values.back(), 1001U);
    // The recent samples are the last 16: rows 986 to 1,001.
    EXPECT_EQ(once.recent_begin(), 9850U);
    EXPECT_EQ(once.columns()[1].recent, 16U * (986U + 1001U) / 2U);
}

} // namespace
} // namespace numavp::test
