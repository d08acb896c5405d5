/// Bytes between each GPU and each cube, as statistics.
#include <gtest/gtest.h>

#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

/// Who asks whom: a read of a line of 128 B, 8 B there and 136 back, and the sums that the interfaces count.
TEST(TrafficMatrix, HasTheBytesBetweenGpusAndTheirCubes) {
    SystemConfig c = cube_system(2, 2, FabricKind::sfbfly, 2);
    c.placement.policy = PlacementKind::page_interleave;
    c.network.traffic_matrix = true;
    const CodeOf read = [](std::uint64_t block, unsigned) { // page 1, which is GPU 1's: lines go round its two cubes
        return block == 0 ? WarpCode{load(kHandBase + 4096, 2), load(kHandBase + 4096 + 128, 3)} : WarpCode{};
    };
    System system(c, hand_workload({hand_launch("read", 2, 1, read)}));
    system.run();
    const auto statistics = system.stats().values()["network"];
    for (const char* gpu : {"traffic0", "traffic1", "served"})
        for (const char* memory : {"memory0", "memory1"})
            for (const char* part : {"part0", "part1"}) {
                const bool read_from = std::string(gpu) != "traffic1" && std::string(memory) == "memory1";
                EXPECT_EQ(statistics[gpu][memory][part]["bytes"], read_from ? 144 : 0) << gpu << memory << part;
            }
    EXPECT_EQ(statistics.count("traffic2"), 0U) << "a cube asks nobody";
}

/// Sockets that ask each other: each byte counts once, in the row of the one that asked.
TEST(TrafficMatrix, CountsTheBytesOfSocketsThatAskEachOtherOnce) {
    SystemConfig c = fabric_system(3, FabricKind::ring);
    c.network.dimensions = {3};
    c.network.traffic_matrix = true;
    c.placement.policy = PlacementKind::page_interleave;
    c.placement.page_kib = 4;
    const auto page_of = [](std::uint64_t memory) { return (kHandBase / 4096 / 3 * 3 + memory) * 4096; };
    const CodeOf read = [=](std::uint64_t block, unsigned) { // block 0 reads from 1 twice, block 1 from 0 once
        if (block == 0) return WarpCode{load(page_of(1), 2), load(page_of(1) + 128, 3)};
        return block == 1 ? WarpCode{load(page_of(0), 2)} : WarpCode{};
    };
    System system(c, hand_workload({hand_launch("read", 3, 1, read)}));
    system.run();
    const auto statistics = system.stats().values()["network"];
    const auto bytes = [&](const char* who, unsigned memory) {
        return statistics[who]["memory" + std::to_string(memory)]["part0"]["bytes"].get<unsigned>();
    };
    EXPECT_EQ(bytes("traffic0", 1), 2 * 144U);
    EXPECT_EQ(bytes("traffic1", 0), 144U);
    EXPECT_EQ(bytes("traffic0", 2) + bytes("traffic2", 0) + bytes("traffic1", 2) + bytes("traffic2", 1), 0U);
    EXPECT_EQ(bytes("served", 0), 144U);
    EXPECT_EQ(bytes("served", 1), 2 * 144U);
    EXPECT_EQ(bytes("served", 2), 0U);
}

} // namespace
} // namespace numavp::test
