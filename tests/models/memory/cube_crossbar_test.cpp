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

/// Two links of one quadrant. Of heads that have waited equally long the lower link's goes first; the request behind
/// it has waited at the head since then, so that the other link is next.
TEST(CubeCrossbar, AQuadrantTakesWhoHasWaitedLongestAtTheHead) {
    CubeConfig config;
    config.links = 2;
    config.quadrants = 1;
    std::vector<CubePacket> packets(4);
    packets[2].link = packets[3].link = 1;
    OneVault vault;
    vault.has_room = true;
    CubeCrossbar crossbar(config, 64, packets, vault);
    crossbar.request(0, 0);
    crossbar.request(1, 0);
    crossbar.request(2, 0);
    crossbar.request(3, 0);
    for (Cycle now = 1; now < 8; ++now) crossbar.edge(now);
    EXPECT_THAT(vault.taken, ElementsAre(0, 2, 1, 3));
}

/// A write of 64 bytes is a header and four flits of 16: it takes its link five clocks, and the quadrant's port too.
TEST(CubeCrossbar, AWriteTakesItsFlits) {
    CubeConfig config;
    config.links = 2;
    config.quadrants = 1;
    config.flit_bytes = 16;
    std::vector<CubePacket> packets(2);
    packets[0].write = true;
    packets[1].link = 1;
    OneVault vault;
    vault.has_room = true;
    CubeCrossbar crossbar(config, 64, packets, vault);
    crossbar.request(0, 0); // at the crossbar at 5, at its vault at 10
    crossbar.request(1, 5); // at 6, when the port is busy until 10
    for (Cycle now = 1; now < 10; ++now) crossbar.edge(now);
    EXPECT_THAT(vault.taken, ElementsAre());
    crossbar.edge(10);
    EXPECT_THAT(vault.taken, ElementsAre(0));
    crossbar.edge(11);
    EXPECT_THAT(vault.taken, ElementsAre(0, 1));
}

/// Responses of two quadrants to one link: the quadrants take turns, clock by clock.
TEST(CubeCrossbar, QuadrantsTakeTurnsAtALink) {
    CubeConfig config;
    config.links = 1;
    config.quadrants = 2;
    std::vector<CubePacket> packets(4);
    for (unsigned p = 0; p < 4; ++p) {
        packets[p].quadrant = p / 2;
        packets[p].write = true; // answered by a header alone
    }
    OneVault vault;
    CubeCrossbar crossbar(config, 64, packets, vault);
    for (std::uint32_t p = 0; p < 4; ++p) crossbar.response(p, 0);
    for (Cycle now = 1; now <= 4; ++now) EXPECT_TRUE(crossbar.edge(now));
    std::vector<std::uint32_t> delivered;
    while (!crossbar.delivered(0).empty()) delivered.push_back(crossbar.delivered(0).pop());
    EXPECT_THAT(delivered, ElementsAre(0, 2, 1, 3));
}

/// A vault gets nothing while answers fill its quadrant's queue.
TEST(CubeCrossbar, AnswersThatWaitHoldUpTheirQuadrant) {
    CubeConfig config;
    config.links = config.quadrants = config.queue_depth = 1;
    std::vector<CubePacket> packets(2);
    OneVault vault;
    vault.has_room = true;
    CubeCrossbar crossbar(config, 64, packets, vault);
    crossbar.request(0, 0);
    crossbar.edge(1); // to its quadrant
    crossbar.response(1, 1);
    crossbar.edge(2); // the answer leaves behind the look at the vaults
    EXPECT_THAT(vault.taken, ElementsAre());
    crossbar.edge(3);
    EXPECT_THAT(vault.taken, ElementsAre(0));
}

/// Data that fill no whole flit, or not the last one, take a whole one: one flit of 64 bytes for 32, two of 48 for 64.
TEST(CubeCrossbar, DataTakeWholeFlits) {
    struct Row {
        unsigned access_bytes, flit_bytes, data_flits;
    };
    for (const Row& row : {Row{32, 64, 1}, Row{64, 64, 1}, Row{64, 48, 2}, Row{64, 60, 2}, Row{128, 256, 1}}) {
        SCOPED_TRACE(row.flit_bytes);
        CubeConfig config;
        config.links = config.quadrants = 1;
        config.flit_bytes = row.flit_bytes;
        const Cycle packet = 1 + row.data_flits; // the header
        std::vector<CubePacket> packets(3);
        packets[0].write = true;
        OneVault vault;
        vault.has_room = true;
        CubeCrossbar crossbar(config, row.access_bytes, packets, vault);
        crossbar.request(0, 0); // at the crossbar after its flits, at its vault after as many again
        for (Cycle now = 1; now < 2 * packet; ++now) crossbar.edge(now);
        EXPECT_THAT(vault.taken, ElementsAre());
        crossbar.edge(2 * packet);
        EXPECT_THAT(vault.taken, ElementsAre(0));
        crossbar.response(1, 2 * packet);
        crossbar.response(2, 2 * packet);
        for (Cycle now = 2 * packet + 1; now < 5 * packet; ++now) crossbar.edge(now);
        const Cycle begin = 2 * packet + 1;
        EXPECT_EQ(packets[1].ready, begin + packet) << "what is read is answered with it";
        EXPECT_EQ(packets[2].ready, begin + 2 * packet);
    }
}

} // namespace
} // namespace numavp::test
