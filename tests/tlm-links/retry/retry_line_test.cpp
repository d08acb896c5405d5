/// The sending side of a line with errors: against go-back-N cycle by cycle, and against the closed forms of replays
/// and throughput.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/tlm-links/retry/go_back_line.h"
#include "tlm-links/retry/retry_line.h"

namespace numavp::test {
namespace {

constexpr unsigned kBitsPerUnit = 8;

RetryLineConfig line_of(Cycle round_trip, unsigned largest, std::uint64_t buffer, unsigned units_per_cycle = 1) {
    RetryLineConfig c;
    c.clock_khz = 1000000;
    c.units_per_second = units_per_cycle * c.clock_khz * 1000;
    c.bits_per_unit = kBitsPerUnit;
    c.round_trip_cycles = round_trip;
    c.largest_units = largest;
    c.buffer_units = buffer;
    return c;
}

/// First edge from `from` on at which the line takes an item.
Cycle when_free(const RetryLine& line, Cycle from) {
    for (Cycle at = line.free_at(from); at > from; at = line.free_at(from)) from = at;
    return from;
}

struct Case {
    double rate;
    Cycle round_trip;
    std::uint64_t buffer;
    unsigned most_idle; ///< cycles between two items
};

class AsGoBackN : public ::testing::TestWithParam<Case> {};

/// Each item is taken, and has left, in the very cycle in which a sender and a receiver would.
TEST_P(AsGoBackN, TakesAndSendsInTheSameCycles) {
    constexpr unsigned kLargest = 9, kItems = 4000;
    const Case& tested = GetParam();
    Rng draws(11);
    std::vector<GoBackItem> items(kItems);
    Cycle comes = 0;
    for (GoBackItem& item : items) {
        comes += tested.most_idle == 0 ? 0 : draws.below(tested.most_idle + 1);
        item = {comes, static_cast<unsigned>(1 + draws.below(kLargest))};
    }
    GoBackLine reference(items, tested.round_trip, kLargest, tested.buffer, kBitsPerUnit,
                         ErrorDistance(tested.rate, Rng(5)));
    reference.run();
    RetryLine line(line_of(tested.round_trip, kLargest, tested.buffer), ErrorDistance(tested.rate, Rng(5)));
    Cycle now = 0;
    for (unsigned i = 0; i < kItems; ++i) {
        now = when_free(line, std::max(now, items[i].comes));
        ASSERT_EQ(now, reference.taken_at[i]) << "item " << i;
        ASSERT_EQ(line.take(now, items[i].units), reference.left_at[i]) << "item " << i;
    }
    const Cycle end = reference.left_at.back();
    EXPECT_EQ(line.counts().errors, reference.errors_seen);
    EXPECT_EQ(line.counts().replayed_items, reference.starts - kItems);
    EXPECT_EQ(line.busy_units(end), reference.busy);
    if (tested.most_idle == 0) { // else the buffer may be full while no item waits
        EXPECT_EQ(line.counts().stall_cycles, reference.stalls);
    }
    EXPECT_GT(reference.errors_seen, kItems * tested.rate) << "a case without errors shows nothing";
}
INSTANTIATE_TEST_SUITE_P(All, AsGoBackN,
                         ::testing::Values(Case{1e-3, 30, 1000, 0}, Case{1e-2, 30, 1000, 0}, Case{1e-2, 100, 40, 0},
                                           Case{1e-3, 200, 64, 0}, Case{1e-2, 30, 1000, 12}, Case{1e-3, 7, 20, 30},
                                           Case{1e-2, 1, 9, 3}));

/// Sends `packets` of 128 B at 16 B a cycle as fast as the line takes them.
struct Saturated {
    static constexpr unsigned kBytes = 128, kBytesPerCycle = 16, kRoundTrip = 112;
    Saturated(double rate, unsigned packets, std::uint64_t seed)
        : line(line_of(kRoundTrip, kBytes, std::uint64_t{1} << 30, kBytesPerCycle), ErrorDistance(rate, Rng(seed))) {
        for (unsigned n = 0; n < packets; ++n) {
            now = when_free(line, now);
            end = line.take(now, kBytes);
        }
    }
    RetryLine line;
    Cycle now = 0, end = 0;
};

struct Load {
    double rate;
    unsigned packets;
};
class ClosedForm : public ::testing::TestWithParam<Load> {};

/// A packet of n bits is sent until it arrives: with w = 1 - (1 - rate)^n it comes wrong w / (1 - w) times in the mean,
/// w / (1 - w)^2 is the variance. Each time costs its own time and the round trip.
TEST_P(ClosedForm, ReplaysAndThroughput) {
    const auto [rate, packets] = GetParam();
    const double wrong = -std::expm1(Saturated::kBytes * 8 * std::log1p(-rate)), each = wrong / (1 - wrong);
    const Saturated run(rate, packets, 17);
    const auto errors = static_cast<double>(run.line.counts().errors);
    EXPECT_GE(errors, 2500.0);
    EXPECT_NEAR(errors, packets * each, 3 * std::sqrt(packets * wrong) / (1 - wrong));
    const double cycles = double{Saturated::kBytes} / Saturated::kBytesPerCycle;
    const double replay = cycles + Saturated::kRoundTrip;
    const double loss = 1 - cycles / (cycles + each * replay);
    const double seen = 1 - packets * cycles / static_cast<double>(run.end);
    if (rate >= 1e-5) { // 1e-6 is rarer than 2 % can be told
        EXPECT_NEAR(seen, loss, 0.02 * loss);
    }
    EXPECT_EQ(run.end, static_cast<Cycle>(packets * cycles + errors * replay)) << "nothing else takes time";
}
INSTANTIATE_TEST_SUITE_P(All, ClosedForm,
                         ::testing::Values(Load{1e-4, 400000}, Load{1e-5, 3000000}, Load{1e-6, 3000000}));

TEST(RetryLine, WithoutErrorsIsItsBandwidth) {
    RetryLineConfig config = line_of(100, 300, 100000);
    config.units_per_second = 24700000000;
    RetryLine line(config, ErrorDistance(1e-18, Rng(1)));
    AdjustableServer plain(config.units_per_second, config.clock_khz);
    Rng draws(2);
    Cycle now = 0;
    for (unsigned n = 0; n < 20000; ++n) {
        if (draws.below(4) == 0) now += draws.below(40);
        if (n % 1000 == 999) {
            line.set_speed(config.units_per_second * (1 + n % 3));
            plain.set_capacity(config.units_per_second * (1 + n % 3));
        }
        now = std::max(now, plain.free_at());
        ASSERT_LE(line.free_at(now), now);
        const auto units = static_cast<unsigned>(1 + draws.below(300));
        ASSERT_EQ(line.take(now, units), plain.take(now, units));
        ASSERT_EQ(line.settled_at(), plain.free_at());
        ASSERT_EQ(line.busy_units(now + n % 7), plain.busy_bytes(now + n % 7));
    }
    EXPECT_EQ(line.counts().errors + line.counts().replayed_units + line.counts().stall_cycles, 0U);
}

/// A buffer for less than a round trip bounds the throughput: one packet of 8 cycles each 8 + 112.
TEST(RetryLine, AFullBufferStallsTheSender) {
    RetryLine line(line_of(112, 8, 8), ErrorDistance(1e-18, Rng(1)));
    Cycle now = 0;
    for (unsigned n = 0; n < 10; ++n) {
        now = when_free(line, now);
        EXPECT_EQ(now, n * Cycle{120});
        line.take(now, 8);
    }
    EXPECT_EQ(line.counts().stall_cycles, 9U * 112);
    EXPECT_THROW(line.take(now + 8, 8), ModelError);
}

} // namespace
} // namespace numavp::test
