/// The host of a driver beside every fabric but networks of cubes: a part of any name, which packets reach.
#include <gtest/gtest.h>

#include "common/system/derived.h"
#include "tests/support/fast_build.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

std::vector<FabricKind> fabrics_with_hosts() {
    std::vector<FabricKind> all;
    for (const auto& entry : kFabrics)
        if (!has_cubes(entry.value)) all.push_back(entry.value);
    return all;
}

/// Four sockets, and the host called b.
SystemConfig driven_fabric(FabricKind topology) {
    SystemConfig c = fabric_system(4, topology);
    c.parts = {{"a", 4}, {"b", 1, PartKind::host}};
    if (topology == FabricKind::wires) c.network.wires = {{"", "", "a", "", 1}, {"a[1]", "b", "", "", 1}};
    if (topology == FabricKind::butterfly) c.network.dimensions = {2, 2};
    c.placement.policy = PlacementKind::first_touch;
    c.placement.page_kib = 4;
    c.translation.mode = TranslationMode::full;
    c.driver.execution = DriverExecution::native;
    c.driver.register_cycles = 5;
    c.driver.fill = PageFill::zeros;
    c.driver.pages = 3; // a socket, of some thirty: most go to the host's memory and come back
    c.driver.policy = "round_robin";
    c.host.link_latency_cycles = 20;
    return c;
}

class DrivenFabric : public ::testing::TestWithParam<FabricKind> {};

TEST_P(DrivenFabric, ServesFaultsAndKeepsEveryByte) {
    const SystemConfig c = driven_fabric(GetParam());
    c.validate(Place("m"));
    EXPECT_EQ(WiredParts(c).label(host_number(c).value), "b");
    RandomProgramShape shape;
    shape.kernels = 3;
    shape.lines = 1024; // 32 pages of 4 KiB
    shape.blocks = 8;
    RandomProgram program(11, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    const auto host = system.stats().values().at("host");
    EXPECT_GE(host.at("faults").at("done"), system.stats().values().at("system").at("pages"));
    EXPECT_GT(host.at("copy_engine").at("copies").get<unsigned>(), 5U);
}

INSTANTIATE_TEST_SUITE_P(All, DrivenFabric, ::testing::ValuesIn(rows_of_build(fabrics_with_hosts())),
                         [](const auto& test) { return std::string(kFabrics.name(test.param)); });

/// A grid whose routers the sockets fill has the host at the first router, beside a socket; another has a place for it.
TEST(DrivenFabrics, HaveTheHostWhereThereIsRoom) {
    SystemConfig c = driven_fabric(FabricKind::mesh);
    const NetworkGraph own = system_network(c, Place("m")).topology.graph;
    EXPECT_EQ(own.routers.size(), 5U);
    c.network.dimensions = {2, 2};
    const NetworkGraph guest = system_network(c, Place("m")).topology.graph;
    EXPECT_EQ(guest.routers.size(), 4U);
    ASSERT_EQ(guest.endpoints.size(), 5U);
    EXPECT_EQ(guest.endpoints[4].name, "b");
    EXPECT_EQ(guest.terminals[guest.endpoints[4].terminals.front()].router, 0U);
    c.network.dimensions = {3};
    EXPECT_THROW(system_network(c, Place("m")), ConfigError);
}

} // namespace
} // namespace numavp::test
