/// Systems whose links end at routers: values, times and order of sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/derived.h"
#include "common/system/network_alone.h"
#include "rtl/blocks.h"
#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"
#include "tlm-links/packet/network_interface.h"

namespace numavp::test {
namespace {

struct FabricRow {
    FabricKind topology;
    unsigned sockets;
    unsigned concentration;
    std::vector<unsigned> dimensions;
    std::vector<NetworkWire> wires;
    const char* name;
    std::vector<NetworkLink> links = {};
    NetworkDress dress = {};
    RoutingKind routing = RoutingKind::minimal;
};

NetworkWire shaped(const char* all, WireShape shape, std::vector<unsigned> dimensions = {}) {
    return {"", "", all, "", 1, shape, std::move(dimensions)};
}

/// A kind of link of 3 GB/s.
NetworkLink dressed(const char* name, const NetworkDress& dress) {
    NetworkLink link;
    link.name = name;
    link.gbytes_per_s = 3;
    link.dress = dress;
    return link;
}

/// A cut with relays, of RTL where that is built.
LinkCutKind any_relay() { return rtl::missing().empty() ? LinkCutKind::flits_rtl : LinkCutKind::flits; }

const std::vector<FabricRow>& fabric_rows() {
    static const std::vector<FabricRow> rows{
        {FabricKind::star, 4, 4, {}, {}, "one_router"},
        {FabricKind::star, 4, 1, {4}, {}, "star"},
        {FabricKind::ring, 2, 1, {}, {}, "ring_of_2"},
        {FabricKind::ring, 5, 1, {}, {}, "ring_of_5"},
        {FabricKind::ring, 8, 2, {}, {}, "ring_of_4_with_2"},
        {FabricKind::line, 3, 1, {}, {}, "line"},
        {FabricKind::mesh, 6, 1, {}, {}, "mesh_2x3"},
        {FabricKind::torus, 8, 1, {2, 2, 2}, {}, "cube"},
        {FabricKind::torus, 9, 1, {3, 3}, {}, "torus_3x3"},
        {FabricKind::tree, 4, 1, {2, 2}, {}, "tree"},
        {FabricKind::flattened_butterfly, 9, 1, {3, 3}, {}, "flattened_butterfly"},
        {FabricKind::dragonfly, 6, 1, {2, 3}, {}, "dragonfly"},
        {FabricKind::butterfly, 6, 1, {2, 3}, {}, "butterfly"},
        {FabricKind::wires, 4, 1, {}, {wire(0, 1), wire(1, 2, 2), wire(2, 0), wire(2, 3)}, "wires"},
        {FabricKind::wires,
         5,
         1,
         {},
         {{"", "", "socket[0..2]", "fast", 1},
          {"socket[2]", "socket[3]", "", "slow", 2},
          {"socket[3..4]", "socket[0..1]", "", "slow", 1}},
         "unequal_wires",
         {{"fast", 6.0, 2.0, 2.0, 0.0}, {"slow", 0.7, 20.0, 2.0, 0.0}}},
        {FabricKind::mesh, 6, 1, {}, {}, "mesh_with_overhead", {}, {12, 4, LinkCutKind::none}},
        {FabricKind::torus, 8, 1, {2, 2, 2}, {}, "cube_of_cut_channels", {}, {0, 0, LinkCutKind::flits}},
        {FabricKind::wires,
         4,
         1,
         {},
         {{"socket[0..1]", "socket[2..3]", "", "pins", 1}, {"socket[0]", "socket[1]", "", "plain", 1}},
         "some_channels_cut",
         {dressed("pins", {20, 8, any_relay()}), dressed("plain", {})}},
        {FabricKind::wires,
         8,
         1,
         {},
         {shaped("socket[0..3]", WireShape::ring),
          shaped("socket[4..7]", WireShape::mesh),
          {"socket[1..2]", "socket[4..5]", "", "", 1}},
         "ring_and_mesh"},
        {FabricKind::wires,
         9,
         1,
         {},
         {shaped("socket[0..5]", WireShape::torus, {3, 2}), shaped("socket[5..8]", WireShape::dragonfly, {2, 2})},
         "torus_and_dragonfly"},
        {FabricKind::mesh, 6, 1, {2, 3}, {}, "mesh_ugal", {}, {}, RoutingKind::ugal},
        {FabricKind::flattened_butterfly, 6, 1, {2, 3}, {}, "flattened_butterfly_ugal", {}, {}, RoutingKind::ugal},
        {FabricKind::dragonfly, 6, 1, {2, 3}, {}, "dragonfly_ugal", {}, {}, RoutingKind::ugal},
    };
    return rows;
}

SystemConfig system_of(const FabricRow& row) {
    SystemConfig c = fabric_system(row.sockets, row.topology);
    c.network.concentration = row.concentration;
    c.network.dimensions = row.dimensions;
    c.network.wires = row.wires;
    c.network.links = row.links;
    c.network.dress = row.dress;
    c.network.routing = row.routing;
    c.network.ugal_threshold = 0; // it often goes around
    return c;
}

class Fabric : public ::testing::TestWithParam<FabricRow> {};
void PrintTo(const FabricRow& row, std::ostream* out) { *out << row.name; }

TEST_P(Fabric, GivesTheValuesOfASequentialExecutionAtEveryDepth) {
    const std::uint64_t seeds = of_seeds(8);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const nlohmann::json wrong = run_apart([seed] {
            Rng rng(seed, 77);
            SystemConfig c = system_of(GetParam());
            c.socket.l2.organisation = static_cast<L2Organisation>(rng.below(4));
            c.network.noc_khz = 400'000 + static_cast<unsigned>(rng.below(2'000'000));
            c.network.virtual_channels = 2 + static_cast<unsigned>(rng.below(5));
            if (c.network.routing == RoutingKind::ugal) c.network.virtual_channels = 6;
            c.network.flit_bytes = 16U << rng.below(3);
            c.network.parallel_channels = 1 + static_cast<unsigned>(rng.below(2));
            c.network.channel_ns = 1.0 + static_cast<double>(rng.below(100));
            c.link.latency_cycles = 1 + static_cast<unsigned>(rng.below(60));
            c.network.records_per_cycle = 1 + static_cast<unsigned>(rng.below(4));
            if (rng.below(2) == 0) set_least_depths(c);
            c.checks.protocol = cuts_a_link(c); // monitors look at all pins
            RandomProgramShape shape;
            shape.kernels = 6;
            shape.blocks = 2 * c.sockets;
            shape.phases = 1 + static_cast<unsigned>(rng.below(2));
            shape.accesses = 12;
            shape.lines = 16U << rng.below(4);
            return nlohmann::json(run_values(c, seed, shape));
        });
        EXPECT_EQ(wrong, "") << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(All, Fabric, ::testing::ValuesIn(fabric_rows()),
                         [](const auto& test) { return std::string(test.param.name); });

/// Pairs of parts with routers between them, by links of two speeds.
SystemConfig named_system() {
    SystemConfig c = fabric_system(4, FabricKind::wires);
    c.parts = {{"gpu", 3, PartKind::socket}, {"hub", 2, PartKind::router}, {"cpu", 1, PartKind::socket}};
    c.network.links = {{"fast", 32.0, 2.0, 1.0, 0.5}, {"slow", 25.6, 3.0, 4.0, 0.0}};
    c.network.wires = {
        {"gpu[0..1]", "hub", "", "fast", 1}, {"hub[1]", "gpu[2]", "", "fast", 2}, {"hub", "cpu", "", "slow", 1}};
    return c;
}

TEST(NamedParts, AreWiredByName) {
    const SystemConfig c = named_system();
    c.validate(Place("named"));
    const SystemNetwork made = system_network(c, Place("named"));
    const NetworkGraph& graph = made.topology.graph;
    EXPECT_EQ(graph.routers, (std::vector<std::string>{"gpu[0]", "gpu[1]", "gpu[2]", "cpu[0]", "hub[0]", "hub[1]"}));
    ASSERT_EQ(graph.endpoints.size(), 4U);
    EXPECT_EQ(graph.endpoints[3].name, "cpu[0]");
    std::string wires;
    for (std::size_t i = 0; i < graph.channels.size(); i += 2)
        wires += graph.routers[graph.channels[i].from] + "-" + graph.routers[graph.channels[i].to] + " " +
                 made.links[graph.channels[i].link].name + "; ";
    EXPECT_EQ(wires, "gpu[0]-hub[0] fast; gpu[1]-hub[1] fast; hub[1]-gpu[2] fast; hub[1]-gpu[2] fast; "
                     "hub[0]-cpu[0] slow; hub[1]-cpu[0] slow; ");
    EXPECT_EQ(network_words(c), "wires of 6 routers, 4 fast of 32 GB/s, 2 slow of 25.6 GB/s each way");
    EXPECT_NEAR(network_of(c, Place("named")).gbps(8), 25.6, 1e-4);
}

/// Channels of shapes over lists of parts: those of the topologies with the same names.
TEST(ShapedWires, AreTheChannelsOfTheirTopology) {
    SystemConfig c = fabric_system(10, FabricKind::wires);
    c.network.wires = {shaped("socket[0..3]", WireShape::ring),
                       shaped("socket[4..9]", WireShape::mesh, {3, 2}),
                       {"socket[3]", "socket[4]", "", "", 1}};
    c.validate(Place("shaped"));
    const NetworkGraph graph = system_network(c, Place("shaped")).topology.graph;
    std::string pairs;
    for (std::size_t i = 0; i < graph.channels.size(); i += 2) {
        const auto [low, high] = std::minmax(graph.channels[i].from, graph.channels[i].to);
        pairs += std::to_string(low) + "-" + std::to_string(high) + " ";
    }
    EXPECT_EQ(pairs, "0-1 1-2 2-3 0-3 4-5 5-6 7-8 8-9 4-7 5-8 6-9 3-4 ");
}

struct CubeRow {
    FabricKind topology;
    unsigned gpus, cubes, parts;
    EntryKind entry;
    const char* name;
    RoutingKind routing = RoutingKind::minimal;
};

class CubeFabric : public ::testing::TestWithParam<CubeRow> {};
void PrintTo(const CubeRow& row, std::ostream* out) { *out << row.name; }

TEST_P(CubeFabric, GivesTheValuesOfASequentialExecutionAtEveryDepth) {
    const std::uint64_t seeds = of_seeds(4);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const nlohmann::json wrong = run_apart([seed] {
            const CubeRow& row = GetParam();
            Rng rng(seed, 78);
            SystemConfig c = cube_system(row.gpus, row.cubes, row.topology, row.parts);
            c.network.entry = row.entry;
            c.network.routing = row.routing;
            if (row.routing == RoutingKind::ugal) c.network.ugal_threshold = 0; // it often goes around
            c.network.channels_per_cube = 1 + static_cast<unsigned>(rng.below(2));
            c.network.noc_khz = 400'000 + static_cast<unsigned>(rng.below(2'000'000));
            c.network.flit_bytes = 16U << rng.below(3);
            c.own_sockets.all[0].config.l2.write_policy = static_cast<WritePolicy>(rng.below(2));
            if (seed % 2 == 0) set_least_depths(c);
            c.validate(Place("cubes"));
            RandomProgramShape shape;
            shape.kernels = 5;
            shape.blocks = 2 * row.gpus;
            shape.accesses = 12;
            shape.lines = 16U << rng.below(4);
            return nlohmann::json(run_values(c, seed, shape));
        });
        EXPECT_EQ(wrong, "") << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(
    All, CubeFabric,
    ::testing::Values(
        CubeRow{FabricKind::sfbfly, 3, 2, 2, EntryKind::slice, "sfbfly"},
        CubeRow{FabricKind::sfbfly, 2, 4, 1, EntryKind::nearest, "sfbfly_alone"},
        CubeRow{FabricKind::dfbfly, 3, 2, 2, EntryKind::random, "dfbfly_random"},
        CubeRow{FabricKind::ddfly, 3, 4, 4, EntryKind::nearest, "ddfly"},
        CubeRow{FabricKind::smesh, 4, 2, 2, EntryKind::slice, "smesh"},
        CubeRow{FabricKind::storus, 4, 2, 1, EntryKind::slice, "storus"},
        CubeRow{FabricKind::cube_ring, 2, 2, 2, EntryKind::random, "cube_ring"},
        CubeRow{FabricKind::sfbfly, 6, 1, 1, EntryKind::slice, "sfbfly_ugal", RoutingKind::ugal},
        CubeRow{FabricKind::dfbfly, 3, 2, 2, EntryKind::slice, "dfbfly_ugal", RoutingKind::ugal},
        CubeRow{FabricKind::ddfly, 3, 4, 4, EntryKind::nearest, "ddfly_ugal", RoutingKind::ugal},
        CubeRow{FabricKind::sfbfly, 3, 2, 2, EntryKind::slice, "sfbfly_entry", RoutingKind::adaptive_entry},
        CubeRow{FabricKind::dfbfly, 3, 4, 4, EntryKind::random, "dfbfly_entry", RoutingKind::adaptive_entry},
        CubeRow{FabricKind::ddfly, 3, 4, 2, EntryKind::random, "ddfly_entry", RoutingKind::adaptive_entry},
        CubeRow{FabricKind::cube_ring, 3, 2, 1, EntryKind::random, "cube_ring_entry", RoutingKind::adaptive_entry}),
    [](const auto& test) { return std::string(test.param.name); });

struct OrderRow {
    FabricKind topology;
    unsigned khz;
    RoutingKind routing = RoutingKind::minimal;
};
void PrintTo(const OrderRow& row, std::ostream* out) {
    *out << kFabrics.name(row.topology) << " " << row.khz << " kHz";
}
class FabricOrder : public ::testing::TestWithParam<OrderRow> {};

TEST_P(FabricOrder, OfConstructionAndOfDeliveriesChangesNothing) {
    const auto run = [row = GetParam()](std::uint64_t build, std::optional<std::uint64_t> deliveries) {
        return run_apart([=] {
            const bool cubes = has_cubes(row.topology);
            SystemConfig c = cubes ? cube_system(2, 2, row.topology, 2) : fabric_system(6, row.topology);
            c.network.noc_khz = row.khz;
            c.network.routing = row.routing;
            if (cubes) c.network.entry = EntryKind::random;
            if (row.topology == FabricKind::wires) c.network.wires = {{"", "", "part", "", 1}};
            if (row.topology == FabricKind::butterfly) c.network.dimensions = {2, 3};
            if (row.topology != FabricKind::mesh && !cubes) c.parts = {{"part", 6, PartKind::socket, 4}}; // terminals
            RandomProgramShape shape;
            shape.blocks = 24;
            RandomProgram program(5, shape);
            SystemOptions options;
            options.hooks = &program;
            options.order_seed = build;
            options.shuffle_seed = deliveries;
            System system(c, program.workload(), options);
            system.run();
            return nlohmann::json(system.stats().values());
        });
    };
    const nlohmann::json first = run(0, std::nullopt);
    EXPECT_EQ(first, run(3, std::nullopt));
    EXPECT_EQ(first, run(0, 1));
    EXPECT_EQ(first, run(0, 2));
}
INSTANTIATE_TEST_SUITE_P(Clocks, FabricOrder,
                         ::testing::Values(OrderRow{FabricKind::mesh, 1'000'000}, OrderRow{FabricKind::mesh, 700'000},
                                           OrderRow{FabricKind::mesh, 1'500'000},
                                           OrderRow{FabricKind::wires, 1'000'000},
                                           OrderRow{FabricKind::butterfly, 1'500'000},
                                           OrderRow{FabricKind::dfbfly, 700'000, RoutingKind::adaptive_entry}));

TEST(OrderKeys, SpreadLinesOverAllVirtualChannelsAndWays) {
    for (unsigned choices = 2; choices <= 7; ++choices) {
        std::vector<unsigned> channels(choices, 0), ways(choices, 0);
        for (std::uint64_t line = 0; line < 700 * kLineBytes; line += kLineBytes) {
            const std::uint32_t key = NetworkInterface::order_key(line_hash(line));
            ASSERT_NE(key, 0U);
            ++channels[key % choices];
            ++ways[(key >> 16) % choices];
        }
        for (unsigned i = 0; i < choices; ++i) {
            EXPECT_GT(channels[i], 500 / choices) << choices;
            EXPECT_GT(ways[i], 500 / choices) << choices;
        }
    }
}

} // namespace
} // namespace numavp::test
