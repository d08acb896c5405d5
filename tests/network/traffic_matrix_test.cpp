/// Bytes between each GPU and each cube, as statistics.
#include <gtest/gtest.h>

#include "tests/network/small_fabric.h"

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

} // namespace
} // namespace numavp::test
