/// Statistics of parts of a run: they sum to the whole, and what does not sum is of the part.
#include <gtest/gtest.h>

#include "base/stats/stat_meter.h"

namespace numavp {
namespace {

class StatMeterTest : public ::testing::Test {
  protected:
    StatMeterTest() {
        StatGroup& group = root.group("socket", 0);
        group.counter("hits", hits, "reads", "");
        group.counter("most", hits, "reads", "", Growth::level);
        group.counter("cycles", hits, "cycles", "", Growth::whole);
        for (const std::uint64_t& part : parts) group.total("lines", part, "lines", "");
        group.sum(
            "double_hits", [this] { return 2 * hits; }, "reads", "");
        group.sum(
            "energy", [this] { return 0.5 * static_cast<double>(hits); }, "pJ", "");
        group.value(
            "lanes", [this] { return lanes; }, "lanes", "");
        group.histogram("wait", wait, "ps", "");
        group.figure("loads", wait, HistogramFigure::count, "lines", "");
        group.figure("p50", wait, HistogramFigure::p50, "ps", "");
    }
    std::uint64_t count(const StatMeter& meter, const StatShare& share, const std::string& path) const {
        for (std::size_t i = 0; i < share.counts.size(); ++i)
            if (meter.count_paths()[i] == "socket0." + path) return share.counts[i];
        ADD_FAILURE() << path;
        return 0;
    }
    StatValue value(const StatMeter& meter, const StatShare& share, const std::string& path) const {
        const std::vector<StatValue> values = meter.values(share);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (meter.value_paths()[i] == "socket0." + path) return values[i];
        ADD_FAILURE() << path;
        return {};
    }
    StatGroup root;
    std::uint64_t hits = 3, parts[2] = {1, 2}, lanes = 8;
    Histogram wait;
};

TEST_F(StatMeterTest, SharesSumToTheStatistics) {
    StatMeter meter(root);
    EXPECT_EQ(meter.count_paths(),
              (std::vector<std::string>{"socket0.double_hits", "socket0.hits", "socket0.lines", "socket0.loads",
                                        "socket0.wait.count", "socket0.wait.sum"}));
    EXPECT_EQ(meter.real_paths(), std::vector<std::string>{"socket0.energy"});
    StatShare first, second;
    meter.take(first); // with what was there before
    hits = 10;
    parts[1] = 5;
    wait.add(100);
    meter.take(second);
    hits = 11;
    meter.take(first);
    EXPECT_EQ(count(meter, first, "hits"), 4U);
    EXPECT_EQ(count(meter, second, "hits"), 7U);
    EXPECT_EQ(count(meter, first, "lines"), 3U);
    EXPECT_EQ(count(meter, second, "lines"), 3U);
    EXPECT_EQ(count(meter, second, "double_hits"), 14U);
    EXPECT_EQ(count(meter, second, "wait.sum"), 100U);
    EXPECT_EQ(count(meter, second, "loads"), 1U);
    EXPECT_EQ(count(meter, first, "loads"), 0U);
    EXPECT_EQ(first.reals, std::vector<double>{2.0});
    EXPECT_EQ(second.reals, std::vector<double>{3.5});
}

TEST_F(StatMeterTest, WhatDoesNotSumIsOfThePart) {
    StatMeter meter(root);
    StatShare first, second, plain;
    first.detailed = second.detailed = true;
    for (std::uint64_t i = 0; i < 10; ++i) wait.add(10'000);
    meter.take(first);
    wait.add(20);
    wait.add(1'000);
    wait.add(1'000);
    lanes = 5;
    meter.take(second);
    EXPECT_EQ(value(meter, first, "p50"), StatValue(std::uint64_t{10'000}));
    EXPECT_EQ(value(meter, second, "lanes"), StatValue(std::uint64_t{5}));
    EXPECT_EQ(value(meter, second, "most"), StatValue(std::uint64_t{3}));
    EXPECT_EQ(value(meter, second, "wait.min"), StatValue(std::uint64_t{20}));
    EXPECT_EQ(value(meter, second, "wait.mean"), StatValue(2020.0 / 3));
    const std::uint64_t bucket = Histogram::upper_bound(Histogram::bucket_of(1'000));
    EXPECT_LT(bucket, 1'032U);
    EXPECT_EQ(value(meter, second, "p50"), StatValue(bucket));
    EXPECT_EQ(value(meter, second, "wait.max"), StatValue(bucket));
    EXPECT_EQ(value(meter, plain, "p50"), StatValue()) << "a share without details";
}

} // namespace
} // namespace numavp
