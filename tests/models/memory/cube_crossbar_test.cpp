/// A cube's crossbar by itself, in front of a vault that has room only when the test says so.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/memory/cube/cube_crossbar.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;

class OneVault final : public CubeVaults {
  public:
    bool has_room = false;
    std::vector<std::uint32_t> taken;

  private:
    bool room(const CubePacket&) const override { return has_room; }
    void take(std::uint32_t packet) override { taken.push_back(packet); }
};

/// Two requests wait at the vault, and nothing else is under way: the first one's move must bring the edge at which the
/// second one moves.
TEST(CubeCrossbar, RequestsThatWaitedForAVaultMoveAtSuccessiveEdges) {
    CubeConfig config;
    config.links = config.quadrants = 1;
    std::vector<CubePacket> packets(2);
    OneVault vault;
    CubeCrossbar crossbar(config, 64, packets, vault);
    crossbar.request(0, 0);
    crossbar.request(1, 0);
    Cycle now = 1;
    while (crossbar.edge(now)) ++now;
    EXPECT_EQ(crossbar.next(now), kNever);
    EXPECT_THAT(vault.taken, ElementsAre());
    vault.has_room = true;
    EXPECT_TRUE(crossbar.edge(now + 1));
    EXPECT_THAT(vault.taken, ElementsAre(0));
    EXPECT_TRUE(crossbar.edge(now + 2));
    EXPECT_THAT(vault.taken, ElementsAre(0, 1));
    EXPECT_FALSE(crossbar.edge(now + 3));
}

} // namespace
} // namespace numavp::test
