/// Systems of more sockets than one switch joins.
#include <gtest/gtest.h>

#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

TEST(LargeFabric, KeepsValuesAndCountsBytesOfEachSocket) {
    const nlohmann::json wrong = run_apart([] {
        SystemConfig c = fabric_system(289, FabricKind::torus);
        c.network.dimensions = {17, 17};
        c.validate(Place("large"));
        RandomProgramShape shape;
        shape.kernels = 2;
        shape.blocks = 289;
        shape.accesses = 4;
        shape.lines = 1024;
        return nlohmann::json(run_values(c, 5, shape));
    });
    EXPECT_EQ(wrong, "");
    const nlohmann::json sent = run_apart([] {
        SystemConfig c = fabric_system(kMaxPairedSockets + 1, FabricKind::ring);
        c.placement.policy = PlacementKind::first_touch;
        return nlohmann::json(statistics_of_a_read(c)["switch"]);
    });
    EXPECT_EQ(sent["from0"], nlohmann::json({{"bytes", 8}})) << "a request";
    EXPECT_EQ(sent["from1"], nlohmann::json({{"bytes", 136}})) << "a line and its header";
    EXPECT_EQ(sent["from2"], nlohmann::json({{"bytes", 0}}));
}

TEST(LargeFabric, IsRefusedWithASwitch) {
    SystemConfig c = fabric_system(kMaxPairedSockets, FabricKind::single_switch);
    EXPECT_NO_THROW(c.validate(Place("large")));
    c.sockets = kMaxPairedSockets + 1;
    EXPECT_THROW(c.validate(Place("large")), ConfigError);
}

} // namespace
} // namespace numavp::test
