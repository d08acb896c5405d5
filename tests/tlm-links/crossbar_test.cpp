/// A crossbar by itself: order of a source, turns of the inputs, and what waits behind a closed output.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/units.h"
#include "tests/tlm-links/traffic_ends.h"
#include "tlm-links/crossbar/crossbar.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

constexpr unsigned kLine = kLineBytes;

struct CrossbarBench {
    CrossbarBench(CrossbarConfig config, unsigned inputs, unsigned outputs, unsigned last_queue_depth = 0)
        : clock(clockwork.domain(1'000'000)) {
        config.latency_cycles = 1;
        CrossbarShape shape;
        shape.ingress = inputs;
        shape.egress = outputs;
        shape.last_queue_depth = last_queue_depth;
        shape.request_bytes_per_s = shape.response_bytes_per_s = bytes_per_s(8, clock.khz());
        crossbar = std::make_unique<Crossbar>(
            "crossbar", config, shape,
            Crossbar::Resources{clock, route, Rank{2, kRankNocRequest, 0}, Rank{2, kRankNocResponse, 0}});
        for (unsigned i = 0; i < inputs; ++i) {
            senders.push_back(std::make_unique<Sender>(("sender" + std::to_string(i)).c_str(), clock, pool, i));
            senders.back()->socket().bind(crossbar->ingress(i));
        }
        for (unsigned i = 0; i < outputs; ++i) {
            takers.push_back(std::make_unique<Taker>(("taker" + std::to_string(i)).c_str(), clock, i));
            crossbar->egress(i).bind(takers.back()->socket());
        }
    }
    void run(Cycle cycles) { sc_core::sc_start(sc_core::sc_time::from_value(clock.edge_ps(cycles))); }

    struct Route final : RouteIf {
        unsigned egress(unsigned, const Txn& txn) const override { return txn.slice; }
    } route;
    Clockwork clockwork{"clockwork"};
    ClockDomain& clock;
    TxnPool pool;
    std::unique_ptr<Crossbar> crossbar;
    std::vector<std::unique_ptr<Sender>> senders;
    std::vector<std::unique_ptr<Taker>> takers;
};

class Inputs : public ::testing::TestWithParam<unsigned> {};

TEST_P(Inputs, TakeTurnsAndKeepTheirOrder) {
    constexpr unsigned kEach = 10;
    const unsigned inputs = GetParam();
    CrossbarBench bench(CrossbarConfig{}, inputs, 2);
    for (auto& sender : bench.senders)
        for (unsigned n = 0; n < 2 * kEach; ++n) sender->plan({0, std::uint64_t{n} * kLine, 16, 16, n % 2});
    bench.run(50'000);
    for (unsigned output = 0; output < 2; ++output) {
        const std::vector<Taker::Taken>& taken = bench.takers[output]->taken;
        ASSERT_EQ(taken.size(), std::size_t{kEach} * inputs);
        std::vector<unsigned> sent(inputs, 0);
        for (std::size_t i = 0; i < taken.size(); ++i) {
            EXPECT_EQ(taken[i].line, (2 * sent[taken[i].source] + output) * std::uint64_t{kLine})
                << "records of a source overtake";
            ++sent[taken[i].source];
            if (i < inputs) continue;
            const auto [fewest, most] = std::minmax_element(sent.begin(), sent.end());
            ASSERT_LE(*most - *fewest, 2U) << "output " << output << " after " << i + 1 << " records";
        }
    }
    for (const auto& sender : bench.senders) EXPECT_EQ(sender->answered.size(), 2 * kEach);
    EXPECT_EQ(bench.pool.in_flight(), 0U);
}
INSTANTIATE_TEST_SUITE_P(All, Inputs, ::testing::Values(1U, 3U, 64U, 129U));

/// One input's records for a closed output fill its queue; another's pass.
Cycle passes_at(const CrossbarConfig& config, unsigned ahead) {
    CrossbarBench bench(config, 2, 2);
    bench.takers[0]->close_until(2000);
    for (unsigned n = 0; n < ahead; ++n) bench.senders[1]->plan({0, std::uint64_t{n} * kLine, 8, 8, 0});
    bench.senders[0]->plan({500, 0, 8, 8, 0});
    bench.senders[0]->plan({500, kLine, 8, 8, 1});
    bench.run(6000);
    EXPECT_EQ(bench.pool.in_flight(), 0U);
    EXPECT_EQ(bench.takers[1]->taken.size(), 1U);
    return bench.takers[1]->taken.empty() ? 0 : bench.takers[1]->taken[0].at;
}

constexpr unsigned kBeyondAllQueues = 64 + 32 + 1; ///< a taker's queue, a wire, and the one that the wire offers

TEST(Crossbar, ARecordPassesOneThatWaitsForAnotherOutput) {
    EXPECT_LT(passes_at(CrossbarConfig{}, kBeyondAllQueues), 520U);
}

/// Edge at which a record leaves whose input, the last or the one before it, has 20 records for a closed output.
Cycle cycles_behind_others(unsigned input) {
    constexpr unsigned kLastDepth = 64; // the other has 16 places
    CrossbarBench bench(CrossbarConfig{}, 2, 2, kLastDepth);
    bench.takers[0]->close_until(2000);
    for (unsigned n = 0; n < kBeyondAllQueues + 20; ++n)
        bench.senders[input]->plan({0, std::uint64_t{n} * kLine, 8, 8, 0});
    bench.senders[input]->plan({500, 0, 8, 8, 1});
    bench.run(6000);
    EXPECT_EQ(bench.pool.in_flight(), 0U);
    EXPECT_EQ(bench.takers[1]->taken.size(), 1U);
    return bench.takers[1]->taken.empty() ? 0 : bench.takers[1]->taken[0].at;
}

TEST(Crossbar, TheLastInputHasPlacesOfItsOwnNumber) { EXPECT_LT(cycles_behind_others(1), 520U); }
TEST(Crossbar, OtherInputsHaveTheCommonNumberOfPlaces) { EXPECT_GT(cycles_behind_others(0), 2000U); }

TEST(Crossbar, InAFifoItWaitsForTheOneBeforeIt) {
    CrossbarConfig config;
    config.packet_cycles = 1;
    config.input_fifo = true;
    EXPECT_GT(passes_at(config, kBeyondAllQueues), 2000U);
}

} // namespace
} // namespace numavp::test
