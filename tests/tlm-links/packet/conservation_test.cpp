/// Nothing is lost, doubled, stuck or, where order is asked for, overtaken: all networks, down to a flit a buffer.
#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "named_networks.h"
#include "packet_run.h"
#include "tlm-links/topology/graph/dependencies.h"

namespace numavp::test {
namespace {

class Conservation : public ::testing::TestWithParam<std::string> {};

TEST_P(Conservation, EveryPacketArrivesOnce) {
    const NetworkSystem system = network(GetParam());
    EXPECT_EQ(run_packets(system, {}), "");
    EXPECT_EQ(run_packets(system, {500, 1, 9, 4, 0, 7, true}), "");
    PacketRunSpec least{1000, 2, 9, 1, 0, 2};
    EXPECT_EQ(run_packets(system, least), "");
}

TEST_P(Conservation, KeysKeepTheirOrder) {
    const NetworkSystem system = network(GetParam());
    EXPECT_EQ(run_packets(system, {3000, 2, 9, 0, 3, 3}), "");
    EXPECT_EQ(run_packets(system, {1000, 1, 5, 1, 2, 4}), "");
}

INSTANTIATE_TEST_SUITE_P(Networks, Conservation, ::testing::ValuesIn(network_names()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

TEST(ConservationUgal, EveryPacketArrivesOnceAndKeysKeepTheirOrder) {
    for (const char* name : {"flatfly-64", "sfbfly-16g64h", "dfbfly-4g16h", "ddfly-4g16h"}) {
        const NetworkSystem system = network(name, {"routing=ugal"});
        EXPECT_EQ(run_packets(system, {2000, 1, 9, 0, 0, 5}), "") << name;
        EXPECT_EQ(run_packets(system, {1000, 2, 9, 1, 2, 6}), "") << name;
    }
}

/// Packets with keys take other ways than the shortest too: those of all nodes of a row to one other row, which a
/// single channel joins.
TEST(ConservationUgal, PacketsWithKeysGoByWayOfOthers) {
    const NetworkSystem system = network("flatfly-64", {"routing=ugal"});
    const NetworkGraph& graph = system.topology.graph;
    NetworkCore net(graph, *system.topology.routing, system.core(1, 1));
    for (unsigned i = 0; i < 40; ++i)
        for (unsigned node = 0; node < 4; ++node) net.offer({node, 4 + node, 9, 0, 1 + i, 0}, 0);
    unsigned around = 0, arrived = 0;
    while (!net.idle()) {
        net.step();
        for (const NetworkCore::Arrival& a : net.arrivals()) {
            ++arrived;
            around += net.packet(a.packet).routers > 2 ? 1 : 0;
            net.release(a.packet);
        }
    }
    EXPECT_EQ(arrived, 160U);
    EXPECT_GT(around, 40U);
    EXPECT_LT(around, 140U) << "and not all, since then those would be the longer ones";
}

TEST(ConservationOfUnequalChannels, EveryPacketArrivesOnceAndKeysKeepTheirOrder) {
    for (const char* name : {"sfbfly-4g16h", "storus-4g16h", "mesh-8x8"}) {
        NetworkSystem system = network(name);
        Rng rng(11, 3);
        for (NetworkChannel& channel : system.topology.graph.channels)
            channel.interval += static_cast<std::uint32_t>(rng.below(6 * NetworkChannel::kCycle));
        EXPECT_EQ(run_packets(system, {2000, 2, 9, 0, 3, 8}), "") << name;
        EXPECT_EQ(run_packets(system, {500, 1, 9, 1, 2, 9, true}), "") << name;
    }
}

/// One direction around a ring on all virtual channels: what a dateline is for.
class NoDateline final : public Routing {
  public:
    explicit NoDateline(unsigned size) : size_(size) {}
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg) const override {
        if (router == target) return {};
        return {{2 * router, {0, 1}}};
    }
    unsigned hops(unsigned router, unsigned target) const override { return (target + size_ - router) % size_; }
    std::vector<unsigned> intermediates(unsigned, unsigned) const override { return {}; }
    std::vector<unsigned> entries(unsigned endpoint, unsigned) const override { return {endpoint}; }

  private:
    unsigned size_;
};

TEST(Deadlock, ARingWithoutDatelineIsRefusedAndItsReportNamesTheCircle) {
    constexpr unsigned kSize = 4;
    NetworkGraph graph;
    for (unsigned r = 0; r < kSize; ++r) graph.routers.push_back("router[" + std::to_string(r) + "]");
    for (unsigned r = 0; r < kSize; ++r) graph.connect(r, (r + 1) % kSize, 1);
    for (unsigned r = 0; r < kSize; ++r) {
        graph.endpoints.push_back({"node[" + std::to_string(r) + "]", true, r, {}});
        graph.attach(r, r, 1);
    }
    const NoDateline routing(kSize);
    EXPECT_THROW(check_routing(graph, routing, 1, Place("ring.json")), ConfigError);
    NetworkCoreConfig config;
    config.virtual_channels = 1;
    config.buffer_flits = 2;
    const std::string end = run_packets(graph, routing, config, {400, 1, 9, 2, 0, 1});
    EXPECT_NE(end.find("packets wait for each other in a circle: router["), std::string::npos) << end;
    for (unsigned r = 0; r < kSize; ++r) EXPECT_NE(end.find(graph.routers[r]), std::string::npos) << end;
}

} // namespace
} // namespace numavp::test
