/// What a person looks at: the explanation of a network, where its routers stand, and the report of its load.
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "named_networks.h"
#include "platform/cli/cli_network.h"
#include "platform/explain/explain.h"
#include "platform/explain/explain_network.h"
#include "platform/explain/network_layout.h"
#include "platform/network/network_facts.h"
#include "platform/report/network_report.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kSfbfly = R"(  gpu[0]     gpu[1]     gpu[2]     gpu[3]

  cube[0]----cube[4]----cube[8]----cube[12]
  cube[1]----cube[5]----cube[9]----cube[13]
  cube[2]----cube[6]----cube[10]---cube[14]
  cube[3]----cube[7]----cube[11]---cube[15]
  and 12 channels between routers that are not neighbours in the drawing
)";

TEST(NetworkExplained, InText) {
    const std::string text = explain_network_text(network("sfbfly-4g16h"));
    EXPECT_THAT(text, HasSubstr("16 routers at 1.25 GHz, 24 channels between them\n"));
    EXPECT_THAT(text, HasSubstr("0.750 hops between routers in the mean, 1 at most\n"));
    // 1 + 4 + 4 R + 4 (R - 1) + 1 + 9 - 1 cycles through R routers of three stages and the switch.
    EXPECT_THAT(text, HasSubstr("144 B (9 flits) that meets nobody: 18 cycles (14.4 ns) to the gpu's own cubes, "
                                "26 cycles (20.8 ns) to others\n"));
    EXPECT_THAT(text, HasSubstr("bisection: 16 channels, 320 GB/s each way, between the halves of the gpus\n"));
    EXPECT_THAT(text, HasSubstr(kSfbfly));
    EXPECT_THAT(text, HasSubstr("to routers and requesters: 5, and 4 to its vaults\n"));
}

TEST(NetworkExplained, LargeAndRoundNetworksHaveNoDrawing) {
    EXPECT_THAT(explain_network_text(network("ring-4g16h")), Not(HasSubstr("not neighbours")));
    EXPECT_THAT(explain_network_text(network("mesh-8x8")), HasSubstr("\n  56---57---58---59---60---61---62---63\n"));
}

TEST(NetworkExplained, InJson) {
    const NetworkSystem system = network("sfbfly-4g16h");
    const ordered_json told = explain_network_json(system);
    std::vector<std::string> keys;
    for (const auto& [key, value] : told.items()) keys.push_back(key);
    EXPECT_THAT(
        keys, ElementsAre("routers", "channels", "terminals", "ports", "hops", "idle_latency", "bisection", "layout"));
    EXPECT_EQ(told["routers"][5], "cube[5]");
    EXPECT_EQ(told["ports"][5], ordered_json({{"to_routers", 3}, {"to_requesters", 2}, {"to_vaults", 4}}));
    EXPECT_EQ(told["channels"].size(), 48U);
    EXPECT_EQ(told["terminals"][0],
              ordered_json({{"what", "gpu to cube"}, {"count", 32}, {"gbps", 20.0}, {"latency_cycles", 4}}));
    EXPECT_EQ(told["layout"]["channels"].size(), 48U);
    EXPECT_THAT(explain_csv(system.config), HasSubstr("\"network, gpu to cube\",32,640.0,4\n"
                                                      "\"network, cube to its vaults\",64,1280.0,1\n"));
}

TEST(NetworkFacts, BisectionIsTheLeastCut) {
    const auto cut = [](const char* name, const std::vector<std::string>& settings = {}) {
        return network_facts(network(name, settings), 144).bisection_channels;
    };
    EXPECT_EQ(cut("mesh-8x8"), 8U);
    EXPECT_EQ(cut("torus-8x8"), 16U);
    EXPECT_EQ(cut("ring-4g16h"), 2U);
    EXPECT_EQ(cut("ddfly-4g16h"), 4U);
    // Leaves of a tree are cut at the root, whose routers have no nodes.
    const std::vector<std::string> tree{"network.topology=tree", "network.dimensions=[2,4]", "network.concentration=8"};
    EXPECT_EQ(cut("mesh-8x8", tree), 1U);
}

/// Of a point of a quadratic curve between two routers, as pages draw it.
LayoutPoint on_curve(const NetworkLayout& layout, const NetworkChannel& channel, double bend, double t) {
    const LayoutPoint a = layout.routers[channel.from], b = layout.routers[channel.to];
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    const LayoutPoint middle{(a.x + b.x) / 2 - dy / length * 2 * bend, (a.y + b.y) / 2 + dx / length * 2 * bend};
    const double p = (1 - t) * (1 - t), q = 2 * t * (1 - t), r = t * t;
    return {p * a.x + q * middle.x + r * b.x, p * a.y + q * middle.y + r * b.y};
}

TEST(NetworkLayout, RoutersStandApartAndChannelsStayInside) {
    for (const std::string& name : network_names()) {
        const NetworkSystem system = network(name);
        const NetworkGraph& graph = system.topology.graph;
        const NetworkLayout layout = network_layout(graph, system.spec);
        for (std::size_t a = 0; a < layout.routers.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const double x = std::abs(layout.routers[a].x - layout.routers[b].x);
                const double y = std::abs(layout.routers[a].y - layout.routers[b].y);
                EXPECT_TRUE(x >= kRouterWidth || y >= kRouterHeight) << name << ": " << a << " and " << b;
            }
        for (std::size_t c = 0; c < graph.channels.size(); ++c)
            for (const double t : {0.25, 0.5, 0.75}) {
                const LayoutPoint p = on_curve(layout, graph.channels[c], layout.bends[c], t);
                EXPECT_TRUE(p.x > 0 && p.y > 0 && p.x < layout.width && p.y < layout.height) << name << ": " << c;
            }
    }
}

TEST(NetworkLayout, DirectionsOfAChannelTakeTheSameWay) {
    const NetworkSystem system = network("torus-8x8");
    const NetworkGraph& graph = system.topology.graph;
    const NetworkLayout layout = network_layout(graph, system.spec);
    unsigned bent = 0;
    for (std::size_t c = 0; c < graph.channels.size(); ++c) {
        EXPECT_EQ(layout.bends[c], -layout.bends[graph.channels[c].reverse]);
        bent += layout.bends[c] != 0 ? 1 : 0;
    }
    EXPECT_EQ(bent, 32U) << "the wrap channels, both directions";
}

LoadPoint point_of(double rate, bool saturated) {
    LoadPoint point;
    point.rate = rate;
    point.saturated = saturated;
    return point;
}

TEST(NetworkReport, ShowsTheHighestRateThatIsNotSaturated) {
    EXPECT_EQ(shown_point({point_of(0.1, false), point_of(0.5, false), point_of(0.9, true)}), 1U);
    EXPECT_EQ(shown_point({point_of(0.9, true), point_of(0.5, false), point_of(0.1, false)}), 1U);
    EXPECT_EQ(shown_point({point_of(0.95, true), point_of(0.9, true)}), 1U) << "of saturated ones the lowest";
}

TEST(NetworkReport, PowerIsOfPacketsAndOfIdleTime) {
    NetworkSystem system = network("sfbfly-4g16h"); // 16 B, 2.0 and 1.5 pJ/b: at 1.25 GHz 160 bits a ns
    EXPECT_DOUBLE_EQ(channel_load(system, 0, 0.25).packets_mw, 80.0);
    EXPECT_DOUBLE_EQ(channel_load(system, 0, 0.25).idle_mw, 180.0);
    system.topology.graph.channels[0].interval *= 2; // half as fast: full at half a flit a cycle
    EXPECT_DOUBLE_EQ(channel_load(system, 0, 0.25).use, 0.5);
    EXPECT_DOUBLE_EQ(channel_load(system, 0, 0.25).packets_mw, 80.0);
    EXPECT_DOUBLE_EQ(channel_load(system, 0, 0.25).idle_mw, 60.0);
}

/// A system's own network is that of `numavp run`: routers of its parts, a channel of each kind as fast as its link.
TEST(NetworkOfASystem, HasItsRoutersAndLinks) {
    const NetworkSystem system = load_network(source_dir() + "/configs/systems/topologies/gpu-8-cpu-2.json", {});
    const NetworkGraph& graph = system.topology.graph;
    EXPECT_EQ(system.config.name, "gpu-8-cpu-2");
    EXPECT_EQ(graph.routers.size(), 14U);
    EXPECT_EQ(graph.endpoints.size(), 10U);
    EXPECT_EQ(graph.channels.size(), 2U * (16 + 4 + 8 + 1));
    EXPECT_NEAR(system.gbps(0), 20.0, 1e-3);
    EXPECT_NEAR(system.gbps(2 * 16), 15.75 * 0.93, 1e-3);
    EXPECT_NEAR(system.gbps(), 128.0, 1e-9);
    EXPECT_THROW(load_network(source_dir() + "/configs/systems/numa-4.json", {}), ConfigError);
}

/// Uniform traffic on sfbfly: a GPU's 8 terminals offer `rate` each, a sixteenth of it to each cube, and 4 of 16 cubes
/// are its own; each of the other 12 is behind a channel that only this GPU's packets take.
TEST(NetworkLoad, UseOfChannelsIsWhatPacketsTake) {
    const NetworkSystem system = network("sfbfly-4g16h");
    LoadSpec load{9, false, 0.0, 60'000}; // all packets, so that each channel carries several hundred
    const auto measured = [&](double rate) {
        return LoadTest(system, flows_of(TrafficKind::uniform, system.topology.graph, "test"), load, 1, 1)
            .measure({rate}, {})
            .front();
    };
    const LoadPoint without = measured(0.4);
    load.channel_use = true;
    const LoadPoint with = measured(0.4);
    EXPECT_TRUE(without.channel_use.empty());
    EXPECT_EQ(without.latency_cycles, with.latency_cycles);
    EXPECT_EQ(without.cycles, with.cycles);
    ASSERT_EQ(with.channel_use.size(), 48U);
    double sum = 0;
    for (const double use : with.channel_use) {
        EXPECT_NEAR(use, 0.4 * 8 / 16, 0.03);
        sum += use;
    }
    EXPECT_NEAR(sum / 48, with.accepted_rate * 8 / 16, 0.003);
    const LoadPoint saturated = measured(0.99);
    ASSERT_TRUE(saturated.saturated);
    double all = 0;
    for (const double use : saturated.channel_use) all += use;
    EXPECT_NEAR(all / 48, saturated.accepted_rate * 8 / 16, 0.01);
}

TEST(NetworkReport, HoldsTheData) {
    const NetworkSystem system = network("sfbfly-4g16h");
    NetworkRun run{network("sfbfly-4g16h"), {9, false, 0.05, 20'000, true}, 144, "uniform", 0, {}};
    const LoadTest test(run.system, flows_of(TrafficKind::uniform, system.topology.graph, "test"), run.load, 1, 1);
    run.points = test.measure({0.1, 0.99, 0.4}, {});
    const ReportPage page = network_report(run, test);
    EXPECT_EQ(page.data["kind"], "network");
    EXPECT_EQ(page.data["use_rate"], 0.4);
    EXPECT_EQ(page.data["idle_cycles"], 24.0);
    EXPECT_FALSE(page.data.contains("saturation")) << "it was not looked for";
    ASSERT_EQ(page.data["points"].size(), 3U);
    EXPECT_FALSE(page.data["points"][1].contains("latency_cycles")) << "saturated";
    ASSERT_EQ(page.data["channels"].size(), 48U);
    EXPECT_EQ(page.data["channels"][0]["use"], run.points[2].channel_use[0]);
    EXPECT_EQ(page.data["layout"]["routers"].size(), 16U);
    for (const std::string& script : page.scripts)
        EXPECT_TRUE(std::ifstream(source_dir() + "/platform/report/web/" + script).good()) << script;
}

TEST(NetworkReport, IsWrittenByTheCommand) {
    const TempDir folder;
    folder.write("echarts.min.js", "var echarts = {};");
    setenv("NUMAVP_ECHARTS", folder.path("echarts.min.js").c_str(), 1);
    NetworkWords words;
    words.system = source_dir() + "/configs/systems/networks/mesh-8x8.json";
    words.rates = "0.01";
    words.packets = "10000";
    words.requests = true;
    words.report = folder.path("page.html");
    EXPECT_THAT(network_command(words), HasSubstr("report in " + words.report + "\n"));
    std::ifstream in(words.report);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, HasSubstr("<title>mesh-8x8 under uniform traffic</title>"));
    EXPECT_THAT(text, HasSubstr("\"reply_cycles\":"));
}

} // namespace
} // namespace numavp::test
