/// Flows that share resources: max-min fair rates, exact bytes, times to a fraction of a nanosecond.
#include <vector>

#include <gtest/gtest.h>

#include "communication/transfer/fluid_network.h"

namespace numavp::test {
namespace {

using Use = FluidNetwork::Use;

struct FluidEnds {
    std::vector<double> at;
    FluidNetwork::Action mark(FluidNetwork& network) {
        const std::size_t i = at.size();
        at.push_back(-1);
        return [this, &network, i] { at[i] = network.now_ns(); };
    }
};

TEST(FluidNetwork, OneFlowTakesItsBytesOverTheSlowestResource) {
    FluidNetwork network;
    const unsigned fast = network.add_resource(40), slow = network.add_resource(10);
    FluidEnds ends;
    network.start({1'000'000, {{fast, 1}, {slow, 1}}, 250, ends.mark(network)});
    EXPECT_NEAR(network.run(), 100'250, 1e-3);
    EXPECT_NEAR(ends.at[0], 100'250, 1e-3);
    EXPECT_EQ(network.carried_bytes(fast), 1'000'000U);
    EXPECT_EQ(network.carried_bytes(slow), 1'000'000U);
}

TEST(FluidNetwork, WeightsAreBytesForAByte) {
    FluidNetwork network;
    const unsigned link = network.add_resource(16);
    network.start({128'000, {{link, 144.0 / 128}}, 0, {}});
    EXPECT_NEAR(network.run(), 9000, 1e-6);
    EXPECT_EQ(network.carried_bytes(link), 128'000U) << "headers are not counted";
}

/// Three flows over a link of 30; one of them is held to 5 elsewhere, so that the others get 12.5 each.
TEST(FluidNetwork, SharesWhatAHeldFlowLeaves) {
    FluidNetwork network;
    const unsigned link = network.add_resource(30), held = network.add_resource(5);
    FluidEnds ends;
    network.start({50'000, {{link, 1}, {held, 1}}, 0, ends.mark(network)});
    network.start({125'000, {{link, 1}}, 0, ends.mark(network)});
    network.start({250'000, {{link, 1}}, 0, ends.mark(network)});
    network.after(1, [&network] { EXPECT_EQ(network.rates(), (std::vector<double>{5, 12.5, 12.5})); });
    network.run();
    EXPECT_NEAR(ends.at[0], 10'000, 1e-3);
    EXPECT_NEAR(ends.at[1], 10'000, 1e-3);
    EXPECT_NEAR(ends.at[2], 10'000 + 125'000 / 30.0, 1e-3);
    EXPECT_EQ(network.carried_bytes(link), 425'000U);
}

TEST(FluidNetwork, FlowsThatComeLaterSlowOthersFromThenOn) {
    FluidNetwork network;
    const unsigned link = network.add_resource(10);
    FluidEnds ends;
    network.start({100'000, {{link, 1}}, 0, ends.mark(network)});
    const auto late = ends.mark(network);
    network.after(4000, [&] { network.start({30'000, {{link, 1}}, 0, late}); });
    network.run();
    EXPECT_NEAR(ends.at[1], 10'000, 1e-3) << "30,000 bytes at 5 a nanosecond";
    EXPECT_NEAR(ends.at[0], 13'000, 1e-3);
}

TEST(FluidNetwork, NothingToCarryTakesTheLatencyAlone) {
    FluidNetwork network;
    FluidEnds ends;
    network.start({0, {}, 7, ends.mark(network)});
    network.start({100, {}, 9, ends.mark(network)});
    EXPECT_EQ(network.run(), 9);
    EXPECT_EQ(ends.at, (std::vector<double>{7, 9}));
}

/// What is due at one time is done in the order in which it was asked for.
TEST(FluidNetwork, KeepsTheOrderOfEquals) {
    FluidNetwork network;
    std::vector<int> order;
    for (int i = 0; i < 8; ++i) network.after(5, [&order, i] { order.push_back(i); });
    network.run();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

/// Bytes of many flows of odd sizes arrive, and the link is never faster than it is.
TEST(FluidNetwork, CountsEveryByte) {
    FluidNetwork network;
    const unsigned link = network.add_resource(3), other = network.add_resource(7);
    std::uint64_t bytes = 0, both = 0;
    for (std::uint64_t i = 1; i <= 200; ++i) {
        const std::uint64_t size = i * 7919 + 1;
        bytes += size;
        const bool two = i % 3 == 0;
        if (two) both += size;
        network.after(static_cast<double>(i * 13), [&network, size, two, link, other] {
            network.start({size, two ? std::vector<Use>{{link, 1}, {other, 2}} : std::vector<Use>{{link, 1}}, 0, {}});
        });
    }
    const double end = network.run();
    EXPECT_EQ(network.carried_bytes(link), bytes);
    EXPECT_EQ(network.carried_bytes(other), both);
    EXPECT_GE(end, static_cast<double>(bytes) / 3 - 1e-3);
    EXPECT_LE(end, static_cast<double>(bytes) / 3 + 13 + 1e-3) << "the link is never idle";
}

TEST(FluidNetwork, LargeCopiesEnd) {
    FluidNetwork network;
    const unsigned link = network.add_resource(0.1);
    network.start({std::uint64_t{1} << 40, {{link, 1.0 / 3}}, 0, {}});
    network.start({1, {{link, 1.0 / 3}}, 0, {}});
    EXPECT_NEAR(network.run() / (1.0995116e12 / 0.3), 1, 1e-6);
}

} // namespace
} // namespace numavp::test
