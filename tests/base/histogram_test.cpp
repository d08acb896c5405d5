/// The histogram: bucket borders as a table, percentiles against sorted values, merging.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/stats/histogram.h"
#include "base/values/rng.h"

namespace numavp {
namespace {

TEST(Histogram, BucketBorders) {
    struct {
        std::uint64_t value;
        std::size_t bucket;
        std::uint64_t upper;
    } const rows[] = {
        {0, 0, 0},
        {1, 1, 1},
        {31, 31, 31},
        {32, 32, 32},
        {63, 63, 63},
        {64, 64, 65},
        {65, 64, 65},
        {66, 65, 67},
        {127, 95, 127},
        {128, 96, 131},
        {131, 96, 131},
        {132, 97, 135},
        {1000, 190, 1007},
        {1023, 191, 1023},
        {1024, 192, 1055},
        {1 << 20, 512, 1081343},
        {~0ULL >> 1, 1887, ~0ULL >> 1},
        {~0ULL, 1919, ~0ULL},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(Histogram::bucket_of(row.value), row.bucket) << row.value;
        EXPECT_EQ(Histogram::upper_bound(row.bucket), row.upper) << row.value;
    }
}

TEST(Histogram, BucketsAscendWithoutGaps) {
    for (std::size_t bucket = 0; bucket < 1919; ++bucket) {
        EXPECT_EQ(Histogram::bucket_of(Histogram::upper_bound(bucket)), bucket);
        EXPECT_EQ(Histogram::bucket_of(Histogram::upper_bound(bucket) + 1), bucket + 1);
    }
}

TEST(Histogram, AnEmptyOneIsZero) {
    const Histogram empty;
    EXPECT_EQ(empty.count(), 0U);
    EXPECT_EQ(empty.sum(), 0U);
    EXPECT_EQ(empty.min(), 0U);
    EXPECT_EQ(empty.max(), 0U);
    EXPECT_EQ(empty.percentile(50), 0U);
}

TEST(Histogram, PercentilesByNearestRank) {
    Histogram small; // below 32 every value has its own bucket
    for (std::uint64_t v = 1; v <= 10; ++v) small.add(v);
    struct {
        unsigned percent;
        std::uint64_t value;
    } const rows[] = {{0, 1}, {1, 1}, {10, 1}, {11, 2}, {50, 5}, {51, 6}, {90, 9}, {99, 10}, {100, 10}};
    for (const auto& row : rows) EXPECT_EQ(small.percentile(row.percent), row.value) << row.percent;
    EXPECT_EQ(small.sum(), 55U);

    Histogram one;
    one.add(1000); // bucket up to 1007, but nothing was above 1000
    EXPECT_EQ(one.percentile(50), 1000U);
    EXPECT_EQ(one.min(), 1000U);
}

TEST(Histogram, PercentilesBoundTheSortedValuesWithinABucket) {
    Rng random(17);
    Histogram histogram;
    std::vector<std::uint64_t> values;
    for (unsigned i = 0; i < 5'000; ++i) {
        values.push_back(random.next() >> (20 + random.below(44)));
        histogram.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (unsigned percent = 1; percent <= 100; ++percent) {
        const std::uint64_t exact = values[(values.size() * percent + 99) / 100 - 1];
        EXPECT_GE(histogram.percentile(percent), exact);
        EXPECT_LE(histogram.percentile(percent) - exact, exact / 32);
    }
    EXPECT_EQ(histogram.min(), values.front());
    EXPECT_EQ(histogram.max(), values.back());
}

TEST(Histogram, MergingIsAddingAll) {
    Rng random(19);
    Histogram parts[3];
    Histogram whole;
    for (unsigned i = 0; i < 3'000; ++i) {
        const std::uint64_t value = random.next() >> random.below(64);
        parts[i % 2].add(value); // the third stays empty
        whole.add(value);
    }
    Histogram merged;
    for (const Histogram& part : parts) merged.merge(part);
    EXPECT_EQ(merged.counts(), whole.counts());
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_EQ(merged.sum(), whole.sum());
    EXPECT_EQ(merged.min(), whole.min());
    EXPECT_EQ(merged.max(), whole.max());
}

TEST(Histogram, WhatCameSinceIsTheDifference) {
    Rng random(23);
    Histogram whole, later;
    for (unsigned i = 0; i < 1'000; ++i) whole.add(random.below(100'000));
    const Histogram before = whole;
    for (unsigned i = 0; i < 500; ++i) {
        const std::uint64_t value = 40'000 + random.below(200'000);
        whole.add(value);
        later.add(value);
    }
    const Histogram since = whole.since(before);
    EXPECT_EQ(since.count(), later.count());
    EXPECT_EQ(since.sum(), later.sum());
    EXPECT_EQ(since.percentile(50), later.percentile(50));
    EXPECT_EQ(since.max(), whole.max());
    EXPECT_LE(since.min(), later.min());
    EXPECT_GE(since.min() + since.min() / 32, later.min());
    EXPECT_EQ(whole.since(whole).count(), 0U);
    EXPECT_EQ(whole.since(whole).min(), 0U);
}

TEST(Histogram, ThousandthsAreNearestRanks) {
    Histogram few;
    EXPECT_EQ(few.per_mille(999), 0U);
    for (std::uint64_t i = 1; i <= 20; ++i) few.add(i);
    EXPECT_EQ(few.per_mille(999), 20U);
    EXPECT_EQ(few.per_mille(950), 19U);
    EXPECT_EQ(few.per_mille(951), 20U);
    for (unsigned percent = 0; percent <= 100; ++percent)
        EXPECT_EQ(few.percentile(percent), few.per_mille(10 * percent)) << percent;
    Histogram many; // 999 thousandths of 2,000 values are 1,998 of them
    for (int i = 0; i < 1998; ++i) many.add(5);
    for (int i = 0; i < 2; ++i) many.add(31);
    EXPECT_EQ(many.per_mille(999), 5U);
    many.add(31);
    EXPECT_EQ(many.per_mille(999), 31U);
}

} // namespace
} // namespace numavp
