/// A network in the summary of a run: channels by the names of their ends, with use and energy that are the
/// statistics'.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/inputs/workload_record.h"
#include "platform/explain/explain.h"
#include "platform/results/results.h"
#include "platform/summary/summary_text.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two GPUs and a memory behind a hub, by links of two kinds.
SystemConfig hub_system() {
    SystemConfig c = fabric_system(3, FabricKind::wires);
    c.parts = {{"gpu", 2, PartKind::socket}, {"memory", 1, PartKind::socket}, {"hub", 1, PartKind::router}};
    c.network.links = {{"fast", 32.0, 2.0, 1.0, 0.5}, {"slow", 8.0, 3.0, 4.0, 0.0}};
    c.network.wires = {{"gpu", "hub", "", "fast", 1}, {"memory", "hub", "", "slow", 1}};
    c.placement.policy = PlacementKind::first_touch;
    return c;
}

/// Results after block 0 has read lines that block 2, of the memory's socket, has placed.
ordered_json read_over_the_hub(const SystemConfig& config, unsigned lines = 20) {
    return ordered_json::parse(
        run_apart([&config, lines] {
            const CodeOf place = [lines](std::uint64_t block, unsigned) {
                WarpCode code;
                for (unsigned i = 0; block == 2 && i < lines; ++i) code.push_back(store(kHandBase + i * kLineBytes));
                return code;
            };
            const CodeOf read = [lines](std::uint64_t block, unsigned) {
                WarpCode code;
                for (unsigned i = 0; block == 0 && i < lines; ++i)
                    code.push_back(load(kHandBase + i * kLineBytes, static_cast<std::uint8_t>(2 + i % 16)));
                return code;
            };
            const Workload workload =
                hand_workload({hand_launch("place", 3, 1, place), hand_launch("read", 3, 1, read)});
            System system(config, workload);
            system.run();
            return nlohmann::json(results_json(system, record_of(workload, std::nullopt, 1.0)).dump());
        }).get<std::string>());
}

TEST(NetworkShown, HasChannelsByNameWithUseAndEnergy) {
    const SystemConfig config = hub_system();
    const ordered_json results = read_over_the_hub(config);
    const RunSummary summary = summarise(config, results);
    ASSERT_TRUE(summary.network.has_value());
    const NetworkSummary& network = *summary.network;
    EXPECT_EQ(network.packets, 40U) << "20 requests and their responses";
    EXPECT_DOUBLE_EQ(network.routers.value_or(0), 3.0);
    ASSERT_EQ(network.hops.size(), 3U);
    EXPECT_EQ(network.hops[2].packets, 40U);
    EXPECT_EQ(network.hops[0].packets + network.hops[1].packets, 0U);
    EXPECT_EQ(network.hops[2].latency_ns, network.latency_ns);
    ASSERT_EQ(network.kinds.size(), 2U);
    const ChannelKindSummary &fast = network.kinds[0], &slow = network.kinds[1];
    EXPECT_EQ(fast.from + fast.to + fast.link, "gpuhubfast");
    EXPECT_EQ(slow.from + slow.to + slow.link, "memoryhubslow");
    EXPECT_EQ(fast.channels, 2U);
    EXPECT_EQ(slow.channels, 1U);
    EXPECT_NEAR(fast.gbps, 32.0, 1e-3);
    EXPECT_NEAR(slow.gbps, 8.0, 1e-3);
    // Requests are a flit of 64 B, responses 3.
    const double ns = results.at("time_ns").get<double>(), there = 20 * 64 / ns, back = 20 * 3 * 64 / ns;
    EXPECT_NEAR(fast.carried_gbps, (there + back) / 4, 1e-4) << "of two channels both ways the mean";
    EXPECT_NEAR(slow.carried_gbps, (there + back) / 2, 1e-4);
    EXPECT_EQ(slow.busiest, "memory[0] to hub[0]");
    EXPECT_NEAR(slow.busiest_use, back / 8.0, 1e-4);
    EXPECT_EQ(fast.busiest, "hub[0] to gpu[0]");
    EXPECT_NEAR(fast.energy_pj + slow.energy_pj,
                results.at("statistics").at("network").at("energy_pj").get<double>() +
                    results.at("statistics").at("network").at("idle_energy_pj").get<double>(),
                1e-3 * fast.energy_pj);
    const std::string text = summary_text(summary, {}, "somewhere", {});
    EXPECT_THAT(text, ContainsRegex("memory and hub +slow +1 +8\\.0"));
    EXPECT_THAT(text, ContainsRegex("\n  gpu\\[1\\] "));
    EXPECT_EQ(summary_json(summary)["network"]["channels"][1]["busiest"], "memory[0] to hub[0]");
    EXPECT_EQ(summary_json(summary)["sockets"][2]["part"], "memory[0]");
}

/// Of lanes that turn: what faced either way adds up to what is wired, and energies to those of the statistics.
TEST(NetworkShown, CountsLanesThatTurnUntilTheEndOfTheWork) {
    SystemConfig config = hub_system();
    NetworkLink& fast = config.network.links.front();
    fast.gbytes_per_s = 3;
    fast.lanes = 4;
    fast.balancer = LaneBalancerKind::dynamic;
    fast.sample_ns = 200;
    fast.switch_ns = 20;
    const ordered_json results = read_over_the_hub(config, 2000);
    EXPECT_GT(results.at("statistics").at("network").at("channel1").at("lane_turns"), 0);
    const NetworkSummary network = summarise_network(config, results).value();
    EXPECT_LE(network.kinds[0].gbps, 3.0001);
    EXPECT_NEAR(network.kinds[0].gbps, 3.0, 0.05) << "less the time in which lanes turn";
    EXPECT_NEAR(network.kinds[0].energy_pj + network.kinds[1].energy_pj,
                network.energy_pj.value_or(0) + network.idle_energy_pj.value_or(0), 1e-3 * network.kinds[0].energy_pj);
}

TEST(NetworkShown, IsDrawnByExplain) {
    SystemConfig ring = fabric_system(5, FabricKind::ring);
    EXPECT_THAT(explain_text(ring, {}), HasSubstr("router[0]---router[1]---router[2]\n"));
    EXPECT_THAT(explain_text(ring, {}), HasSubstr("and 1 channels between routers that are not neighbours"));
    SystemConfig mesh = fabric_system(4, FabricKind::mesh);
    mesh.network.parallel_channels = 2;
    EXPECT_THAT(explain_text(mesh, {}), HasSubstr("router[0]---router[1]\n"));
    EXPECT_THAT(explain_text(mesh, {}), Not(HasSubstr("not neighbours")));
    SystemConfig shaped = fabric_system(8, FabricKind::wires);
    shaped.network.wires = {{"", "", "socket", "", 1, WireShape::mesh, {4, 2}}};
    EXPECT_THAT(explain_text(shaped, {}), ContainsRegex("socket +as a mesh of 4 x 2"));
    const ordered_json json = explain_json(hub_system());
    EXPECT_EQ(json["network"]["routers"][3], "hub[0]");
    const ordered_json& slow = json["network"]["channels"][4];
    EXPECT_EQ(slow["from"], "memory[0]");
    EXPECT_EQ(slow["link"], "slow");
    EXPECT_NEAR(slow["gbps"].get<double>(), 8.0, 1e-3);
    EXPECT_DOUBLE_EQ(slow["latency_ns"].get<double>(), 3.0 + 7.0) << "a flit of 64 B takes 8 cycles of 1 ns";
}

TEST(NetworkShown, IsNotThereWithASwitch) {
    SystemConfig config = fabric_system(2, FabricKind::single_switch);
    EXPECT_FALSE(summarise_network(config, {{"statistics", ordered_json::object()}}).has_value());
    config.network.topology = FabricKind::ring;
    EXPECT_FALSE(summarise_network(config, {{"statistics", ordered_json::object()}}).has_value())
        << "results of earlier versions";
}

/// Of a large machine, a kind with many parts is one row.
TEST(NetworkShown, ManyPartsAreOneRow) {
    SystemConfig config = cube_system(2, 9, FabricKind::sfbfly, 1);
    config.parts = {{"gpu", 2, PartKind::socket}, {"cube", 18, PartKind::socket}};
    const PartNames names = part_names(config);
    EXPECT_EQ(names.what, "part");
    const std::vector<PartRow> rows = part_rows(names);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].name, "gpu[1]");
    EXPECT_EQ(rows[2].name, "cube[0..17], mean");
    EXPECT_EQ(rows[2].mean([](std::size_t i) { return i % 2 == 0 ? std::optional<double>(i) : std::nullopt; }), 10.0);
    EXPECT_EQ(rows[0].mean([](std::size_t) { return std::optional<double>(); }), std::nullopt);
    const PartNames numbered = part_names(fabric_system(3, FabricKind::ring));
    EXPECT_EQ(numbered.what, "socket");
    EXPECT_EQ(part_rows(numbered)[2].name, "2");
    EXPECT_EQ(part_rows(part_names(fabric_system(16, FabricKind::ring))).size(), 16U);
}

} // namespace
} // namespace numavp::test
