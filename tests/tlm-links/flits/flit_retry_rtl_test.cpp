/// The RTL ends of a line with errors beside the model of such a line, edge for edge, on the pins of credited flits.
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "rtl/blocks.h"
#include "rtl/flit_retry_blocks.h"
#include "tests/support/needs.h"
#include "tests/tlm-links/flits/retry_traffic.h"
#include "tlm-links/retry/retry_line.h"

namespace numavp::test {
namespace {

/// Cycles from the edge at which a flit is taken to the one that sees it on the line: two registers.
constexpr Cycle kToTheLine = 2;

class RtlFlitRetry : public ::testing::TestWithParam<RetryLineShape> {};

/// Flits are taken into the retry buffer, as those show that are on the line for the first time, and have come, in the
/// very cycles that RetryLine gives: it is told at each edge whether a flit waits and has a place at the other end. All
/// packets come as they were sent, and no rule is broken.
TEST_P(RtlFlitRetry, GoesInStepWithTheModel) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const RetryLineShape& shape = GetParam();
    RetryLineConfig config;
    config.clock_khz = 1000000;
    config.units_per_second = 1000000000; // a flit a cycle
    config.bits_per_unit = rtl::kRetryFlitBits;
    config.round_trip_cycles = shape.round_trip();
    config.buffer_units = shape.buffer;
    RetryLine line(config, ErrorDistance(shape.rate, Rng(5)));
    rtl::FlitRetrySenderBlock sender(shape.buffer);
    rtl::FlitRetryReceiverBlock receiver(shape.round_trip() + 1);
    RetryTraffic traffic(sender, receiver, shape);
    std::vector<Cycle> taken, leaves; // of each flit, by the model
    std::size_t come = 0;
    std::uint64_t waiting = 0, places = 0, flits_on_line = 0;
    for (Cycle now = 0; !traffic.done(); ++now) {
        ASSERT_LT(now, 1'000'000U) << "it does not end";
        const bool comes = traffic.channel.above().tx.valid, credit = traffic.relay.answer().credit;
        if (waiting != 0 && places != 0 && line.free_at(now) <= now) {
            taken.push_back(now);
            leaves.push_back(line.take(now, 1));
            --waiting;
            --places;
        }
        waiting += comes ? 1 : 0;
        places += credit ? 1 : 0;
        const std::size_t sent = traffic.sending.sent();
        traffic.edge();
        flits_on_line += sender.to_line().valid ? 1 : 0;
        if (traffic.sending.sent() != sent) {
            ASSERT_LT(sent, taken.size()) << "at " << now;
            ASSERT_EQ(taken[sent] + kToTheLine, now) << "flit " << sent;
        }
        if (!receiver.to_line().acknowledge) continue;
        ASSERT_LT(come, leaves.size()) << "at " << now;
        ASSERT_EQ(leaves[come] + 1 + shape.line_cycles, now) << "flit " << come; // a register drives the line
        ++come;
    }
    traffic.finish();
    EXPECT_EQ(traffic.breach(), "");
    EXPECT_FALSE(traffic.wrong());
    EXPECT_EQ(come, leaves.size());
    EXPECT_EQ(traffic.sending.sent(), leaves.size());
    EXPECT_EQ(flits_on_line, line.busy_units(line.settled_at()));
    EXPECT_EQ(traffic.receiving.requests(), line.counts().errors);
    EXPECT_EQ(traffic.sending.repeated(), line.counts().replayed_items);
    EXPECT_GT(line.counts().errors, 10U) << "a case without errors shows nothing";
}
INSTANTIATE_TEST_SUITE_P(All, RtlFlitRetry,
                         ::testing::Values(RetryLineShape{1e-4, 0, 0, 255, 0, 1'500},
                                           RetryLineShape{1e-3, 5, 7, 200, 40, 600},
                                           RetryLineShape{3e-4, 40, 40, 30, 0, 800},
                                           RetryLineShape{1e-3, 3, 0, 4, 200, 600},
                                           RetryLineShape{3e-3, 1, 2, 1, 128, 300}));

/// A constant pin that would be cut to its bits is refused.
TEST(RtlFlitRetryPins, OutOfRangeAreRefused) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    for (const unsigned flits : {0U, 256U, 257U}) EXPECT_THROW(rtl::FlitRetrySenderBlock{flits}, ModelError) << flits;
    for (const unsigned flits : {1U, 255U}) EXPECT_NO_THROW(rtl::FlitRetrySenderBlock{flits}) << flits;
    for (const unsigned cycles : {0U, 2U, 1024U, 1027U})
        EXPECT_THROW(rtl::FlitRetryReceiverBlock{cycles}, ModelError) << cycles;
    for (const unsigned cycles : {3U, 1023U}) EXPECT_NO_THROW(rtl::FlitRetryReceiverBlock{cycles}) << cycles;
}

} // namespace
} // namespace numavp::test
