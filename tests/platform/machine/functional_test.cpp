/// Nothing is lost and every value is right: random race-free programs against a sequential execution.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

void run_and_compare(const SystemConfig& config, std::uint64_t seed, const RandomProgramShape& shape) {
    RandomProgram program(seed, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    EXPECT_GT(program.compared_bytes(), 1000U);
    EXPECT_EQ(system.progress().kernels_done, shape.kernels);
}

/// Draws a system from all organisations, policies and socket counts.
SystemConfig random_system(Rng& rng) {
    SystemConfig c = small_system(1 + static_cast<unsigned>(rng.below(5)));
    c.socket.l2.organisation = static_cast<L2Organisation>(rng.below(4));
    c.socket.l2.write_policy = static_cast<WritePolicy>(rng.below(2));
    c.socket.l2.incoming_allocate = rng.below(4) != 0;
    c.socket.l2.entries = 4 + static_cast<unsigned>(rng.below(12));
    c.socket.l2.reserved_home_entries = 1 + static_cast<unsigned>(rng.below(3));
    c.socket.l2.merges = 1 + static_cast<unsigned>(rng.below(8));
    c.socket.sm.l1.miss_entries = 1 + static_cast<unsigned>(rng.below(16));
    c.socket.sm.l1.merges = 1 + static_cast<unsigned>(rng.below(4));
    constexpr PlacementKind kDrawn[] = {PlacementKind::line_interleave, PlacementKind::page_interleave,
                                        PlacementKind::round_robin, PlacementKind::first_touch};
    c.placement.policy = kDrawn[rng.below(4)];
    c.placement.page_kib = 4;
    c.dispatch.split = static_cast<BlockSplit>(rng.below(kBlockSplits.size()));
    c.link.balancer = static_cast<LaneBalancerKind>(rng.below(2));
    c.dispatch.launch_cycles = static_cast<unsigned>(rng.below(2)) * 50;
    if (rng.below(3) == 0) set_all_depths(c, 1);
    if (rng.below(3) == 0) c.dispatch.message_cycles = 1 + static_cast<unsigned>(rng.below(100));
    return c;
}

/// Many short kernels side by side on few lines: flushes meet what is on its way.
RandomProgramShape side_by_side(Rng& rng) {
    RandomProgramShape shape;
    shape.streams = 2 + static_cast<unsigned>(rng.below(3));
    shape.kernels = 24;
    shape.blocks = 4 + static_cast<unsigned>(rng.below(8));
    shape.warps = 1 + static_cast<unsigned>(rng.below(2));
    shape.phases = 1 + static_cast<unsigned>(rng.below(2));
    shape.accesses = 8;
    shape.lines = 8U << rng.below(3);
    return shape;
}

/// A seed, and what caches fetch: 0 for whole lines.
struct Draw {
    int seed;
    unsigned sector_bytes;
};
std::vector<Draw> in_both_forms(std::uint64_t seeds) {
    std::vector<Draw> draws;
    for (const unsigned bytes : {0U, kSectorBytes})
        for (int seed = 0; seed < static_cast<int>(seeds); ++seed) draws.push_back({seed, bytes});
    return draws;
}
std::string name_of(const ::testing::TestParamInfo<Draw>& draw) {
    return std::to_string(draw.param.seed) + (draw.param.sector_bytes == 0 ? "" : "_sectors");
}

class RandomPrograms : public ::testing::TestWithParam<Draw> {};

TEST_P(RandomPrograms, SeeTheValuesOfASequentialExecution) {
    const auto seed = static_cast<std::uint64_t>(GetParam().seed);
    Rng rng(seed, 3);
    SystemConfig config = random_system(rng);
    config.sector_bytes = GetParam().sector_bytes;
    RandomProgramShape shape;
    shape.kernels = 2 + static_cast<unsigned>(rng.below(4));
    shape.blocks = 4 + static_cast<unsigned>(rng.below(12));
    shape.warps = 1 + static_cast<unsigned>(rng.below(4));
    shape.phases = 1 + static_cast<unsigned>(rng.below(3));
    shape.accesses = 20;
    shape.lines = 64U << rng.below(5);
    shape.width = 1U << rng.below(3);
    if (rng.below(2) == 0) { // many short kernels side by side on few lines: flushes meet what is on its way
        shape.streams = 2 + static_cast<unsigned>(rng.below(2));
        shape.kernels = 24;
        shape.phases = 1;
        shape.accesses = 8;
        shape.lines = 8U << rng.below(3);
    }
    run_and_compare(config, seed, shape);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, ::testing::ValuesIn(in_both_forms(of_seeds(60))), name_of);

/// What an SM, its unit, the crossbar and the slices have as settings: each drawn.
SystemConfig with_mechanisms(SystemConfig c, Rng& rng) {
    c.socket.sm.units = static_cast<Architecture>(rng.below(7));
    c.socket.sm.dependent_cycles = static_cast<unsigned>(rng.below(8));
    c.socket.sm.shared_banks = static_cast<unsigned>(rng.below(2)) * 32;
    c.socket.sm.l1.miss_cycles = 20; // so that what goes past the L1 could overtake
    c.socket.sm.l1.bypass_cycles = static_cast<unsigned>(rng.below(3));
    c.socket.sm.l1.lines_per_cycle = 1 + static_cast<unsigned>(rng.below(4));
    c.socket.sm.l1.instructions_per_cycle = static_cast<unsigned>(rng.below(3));
    c.socket.sm.l1.serial_atomics = rng.below(2) != 0;
    c.socket.l2.lookup_cycles = static_cast<unsigned>(rng.below(3)) * 40;
    c.socket.l2.interleave_lines = 1U << rng.below(3);
    if (c.socket.l2.slices % 2 == 0 && rng.below(2) != 0)
        c.socket.l2.pair_lines = c.socket.l2.interleave_lines << (1 + rng.below(3));
    c.socket.sm.first_block_cycles = static_cast<unsigned>(rng.below(200));
    c.socket.l2.write_cycles = static_cast<unsigned>(rng.below(3));
    c.socket.l2.atomic_cycles = static_cast<unsigned>(rng.below(3));
    if (c.sectored()) c.socket.l2.fetch_bytes = static_cast<unsigned>(rng.below(3)) * 2 * kSectorBytes;
    c.socket.noc.packet_cycles = static_cast<unsigned>(rng.below(3));
    c.socket.noc.input_fifo = c.socket.noc.packet_cycles != 0 && rng.below(2) != 0;
    c.dispatch.blocks_per_cycle = 4;
    c.dispatch.one_block_an_sm = rng.below(2) != 0;
    if (c.sectored()) c.socket.l2.partial_lines = static_cast<unsigned>(rng.below(4));
    if (c.socket.noc.latency_cycles >= 2 && rng.below(3) == 0) set_two_stages(c);
    return c;
}

class RandomMechanisms : public ::testing::TestWithParam<Draw> {};

TEST_P(RandomMechanisms, ChangeNoValue) {
    const auto seed = static_cast<std::uint64_t>(GetParam().seed);
    Rng rng(seed, 31);
    SystemConfig drawn = random_system(rng);
    drawn.sector_bytes = GetParam().sector_bytes;
    const SystemConfig config = with_mechanisms(drawn, rng);
    run_and_compare(config, seed, side_by_side(rng));
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomMechanisms, ::testing::ValuesIn(in_both_forms(of_seeds(24))), name_of);

const std::uint64_t kSeedsOfSystems = of_seeds(40);

class RandomStreams : public ::testing::TestWithParam<Draw> {};

TEST_P(RandomStreams, SeeTheValuesOfASequentialExecutionOverSlowLinks) {
    for (std::uint64_t i = 0; i < kSeedsOfSystems; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam().seed) * 40 + i;
        const nlohmann::json wrong = run_apart([seed] {
            Rng rng(seed, 9);
            SystemConfig config = random_system(rng);
            config.sector_bytes = GetParam().sector_bytes;
            config.switch_.latency_cycles = 16 + static_cast<unsigned>(rng.below(400));
            config.link.latency_cycles = 1 + static_cast<unsigned>(rng.below(200));
            const RandomProgramShape shape = side_by_side(rng);
            RandomProgram program(seed, shape);
            SystemOptions options;
            options.hooks = &program;
            System system(config, program.workload(), options);
            system.run();
            return nlohmann::json(program.wrong_in(system));
        });
        EXPECT_EQ(wrong, "") << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(Groups, RandomStreams, ::testing::ValuesIn(in_both_forms(6)), name_of);

struct DepthOne {
    L2Organisation organisation;
    unsigned sockets;
    unsigned sector_bytes = 0;
    bool two_stages = false;
};
class DepthOneSystems : public ::testing::TestWithParam<DepthOne> {};

TEST_P(DepthOneSystems, DoNotBlockWhileAllSocketsReadAndWriteEachOther) {
    SystemConfig c = small_system(GetParam().sockets);
    c.sector_bytes = GetParam().sector_bytes;
    if (c.sectored()) c.socket.l2.partial_lines = 1;
    if (GetParam().two_stages) set_two_stages(c);
    c.socket.l2.organisation = GetParam().organisation;
    c.placement.policy = PlacementKind::line_interleave;
    c.socket.l2.entries = 2;
    c.socket.l2.reserved_home_entries = 1;
    c.socket.l2.merges = 1;
    c.socket.sm.l1.miss_entries = 1;
    c.socket.sm.l1.merges = 1;
    set_all_depths(c, 1);
    RandomProgramShape shape;
    shape.blocks = 16;
    shape.accesses = 20;
    shape.lines = 1024;
    run_and_compare(c, 7, shape);
}
/// Shapes beyond powers of two and the paper's sizes.
struct Wide {
    const char* name;
    void (*shape)(SystemConfig&);
};

class WideSystems : public ::testing::TestWithParam<Wide> {};

TEST_P(WideSystems, KeepEveryValue) {
    SystemConfig c = small_system(2);
    c.socket.l2.organisation = L2Organisation::numa_aware;
    GetParam().shape(c);
    RandomProgramShape shape;
    shape.blocks = 2 * c.sockets;
    shape.lines = 2048;
    run_and_compare(c, 11, shape);
}
INSTANTIATE_TEST_SUITE_P(All, WideSystems,
                         ::testing::Values(Wide{"40_sockets", [](SystemConfig& c) { c.sockets = 40; }},
                                           Wide{"70_slices",
                                                [](SystemConfig& c) {
                                                    c.socket.l2.slices = c.socket.memory.channels = 70;
                                                    c.socket.l2.size_kib = 70;
                                                }},
                                           Wide{"24_ways_of_3_sets",
                                                [](SystemConfig& c) {
                                                    c.socket.l2.ways = 24;
                                                    c.socket.l2.size_kib = 18;
                                                    c.socket.sm.l1.ways = 8;
                                                    c.socket.sm.l1.size_kib = 3;
                                                }},
                                           Wide{"sectors_without_l2",
                                                [](SystemConfig& c) {
                                                    c.sector_bytes = kSectorBytes;
                                                    c.socket.l2.organisation = L2Organisation::memory_side;
                                                    c.socket.l2.size_kib = 0;
                                                }},
                                           Wide{"64_ways",
                                                [](SystemConfig& c) {
                                                    c.socket.l2.ways = 64;
                                                    c.socket.sm.l1.ways = 64;
                                                    c.socket.sm.l1.size_kib = 8;
                                                }}),
                         [](const auto& param) { return std::string("of_") + param.param.name; });

INSTANTIATE_TEST_SUITE_P(
    All, DepthOneSystems,
    ::testing::Values(DepthOne{L2Organisation::memory_side, 2}, DepthOne{L2Organisation::memory_side, 4},
                      DepthOne{L2Organisation::static_split, 4}, DepthOne{L2Organisation::coherent, 2},
                      DepthOne{L2Organisation::coherent, 4}, DepthOne{L2Organisation::numa_aware, 4},
                      DepthOne{L2Organisation::numa_aware, 16}, DepthOne{L2Organisation::memory_side, 4, kSectorBytes},
                      DepthOne{L2Organisation::static_split, 4, kSectorBytes},
                      DepthOne{L2Organisation::coherent, 4, kSectorBytes},
                      DepthOne{L2Organisation::numa_aware, 4, kSectorBytes},
                      DepthOne{L2Organisation::memory_side, 4, 0, true}, DepthOne{L2Organisation::coherent, 4, 0, true},
                      DepthOne{L2Organisation::numa_aware, 4, 0, true}),
    [](const auto& param) {
        return std::string(kL2Organisations.name(param.param.organisation)) + "_on_" +
               std::to_string(param.param.sockets) + (param.param.sector_bytes == 0 ? "" : "_by_sector") +
               (param.param.two_stages ? "_in_two_stages" : "");
    });

} // namespace
} // namespace numavp::test
