/// Partitions whose pages the driver places: values, and the same tables whoever runs its code.
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "models/mmu/table_memory.h"
#include "tests/platform/nuba/small_nuba.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::literals::operator""_json_pointer;

SystemConfig driven(SystemConfig c, DriverExecution execution) {
    c.translation.mode = TranslationMode::full;
    c.driver.execution = execution;
    c.driver.policy = "lab";
    c.driver.register_cycles = 5;
    c.driver.faults.message_cycles = 10;
    c.driver.latency_us = 0.5;
    c.host.link_latency_cycles = 20;
    return c;
}

class DrivenPartitions : public ::testing::TestWithParam<std::tuple<DriverExecution, ReplicationPolicy>> {};

RandomProgramShape shape() {
    RandomProgramShape s;
    s.kernels = 4;
    s.lines = 1024;
    s.blocks = 16;
    s.accesses = 12;
    s.read_only_lines = 500;
    return s;
}

/// Pages are few, so that the driver's code sends some to the host and brings them back, and moves others, while slices
/// keep replicas of their lines. The ideal driver moves nothing.
TEST_P(DrivenPartitions, GiveTheValuesOfASequentialExecution) {
    const auto [execution, policy] = GetParam();
    NUMAVP_NEEDS(execution != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = driven(small_nuba(4, policy), execution);
    const bool moves = execution != DriverExecution::ideal;
    if (moves) {
        c.driver.fill = PageFill::zeros;
        c.driver.pages = 4;
        c.driver.migration_threshold = 8;
    }
    for (std::uint64_t seed = 0; seed < of_seeds(4); ++seed) {
        const nlohmann::json got = run_apart([&c, seed] {
            RandomProgram program(seed, shape());
            SystemOptions options;
            options.hooks = &program;
            System system(c, program.workload(), options);
            system.run();
            const auto host = system.stats().values().at("host");
            return nlohmann::json{{"wrong", program.wrong_loads()},
                                  {"faults", host.at("faults").at("done")},
                                  {"copies", host.value("/copy_engine/copies"_json_pointer, std::uint64_t{0})}};
        });
        EXPECT_EQ(got["wrong"], "") << "seed " << seed;
        EXPECT_GT(got["faults"], 20) << "seed " << seed;
        if (moves) {
            EXPECT_GT(got["copies"], 10) << "seed " << seed;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, DrivenPartitions,
                         ::testing::Combine(::testing::Values(DriverExecution::ideal, DriverExecution::native,
                                                              DriverExecution::riscv),
                                            ::testing::Values(ReplicationPolicy::full, ReplicationPolicy::model)),
                         [](const auto& row) {
                             return std::string(kDriverExecutions.name(std::get<0>(row.param))) + "_" +
                                    std::string(kReplicationPolicies.name(std::get<1>(row.param)));
                         });

/// Pages of the driver and lines of the slices have replicas at once; stores end both.
class ReplicatedPages : public ::testing::TestWithParam<std::tuple<DriverExecution, bool>> {};

TEST_P(ReplicatedPages, GiveTheValuesOfASequentialExecution) {
    const auto [execution, least] = GetParam();
    NUMAVP_NEEDS(execution != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = driven(small_nuba(4, ReplicationPolicy::full), execution);
    c.translation.shared = true;
    c.driver.fill = PageFill::zeros;
    c.driver.pages = 14;
    c.driver.replication_threshold = 2;
    if (least) {
        set_least_depths(c);
        c.translation.walkers = c.translation.waiting = c.driver.faults.queue_entries = 1;
    }
    for (std::uint64_t seed = 0; seed < of_seeds(4); ++seed) {
        const nlohmann::json got = run_apart([&c, seed] {
            RandomProgramShape many = shape();
            many.kernels = 12;
            many.read_only_lines = 20;
            RandomProgram program(seed, many);
            SystemOptions options;
            options.hooks = &program;
            System system(c, program.workload(), options);
            system.run();
            nlohmann::json found = system.stats().values().at("host").at("faults");
            found["wrong"] = program.wrong_loads();
            return found;
        });
        EXPECT_EQ(got["wrong"], "") << "seed " << seed;
        EXPECT_GT(got["replicas"], 20) << "seed " << seed;
        EXPECT_GT(got["collapses"], 10) << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(All, ReplicatedPages,
                         ::testing::Combine(::testing::Values(DriverExecution::native, DriverExecution::riscv),
                                            ::testing::Bool()),
                         [](const auto& row) {
                             return std::string(kDriverExecutions.name(std::get<0>(row.param))) +
                                    (std::get<1>(row.param) ? "_least_depths" : "_default_depths");
                         });

/// Kernel after kernel, one partition touches a page: the faults come in one order whoever serves them.
Workload one_touch_a_kernel(unsigned kernels) {
    std::vector<Launch> launches;
    for (unsigned k = 0; k < kernels; ++k)
        launches.push_back(hand_launch("touch", 32, 1, [k](std::uint64_t block, unsigned) {
            Rng rng(k, 17);
            const bool skewed = rng.below(3) == 0; // to a few, so that some memories fill up
            WarpCode code;
            if (block == rng.below(skewed ? 3 : 32)) code.push_back(load_past_l1(kHandBase + k * 4096ULL));
            return code;
        }));
    return hand_workload(std::move(launches));
}

nlohmann::json homes(DriverExecution execution) {
    return run_apart([execution] {
        SystemConfig c = driven(fabric_system(32, FabricKind::butterfly), execution);
        c.network.dimensions = {8, 8};
        c.socket.memory.channels = 1;
        c.placement.page_kib = 4;
        constexpr unsigned kPages = 96;
        const Workload workload = one_touch_a_kernel(kPages);
        System system(c, workload);
        system.run();
        nlohmann::json found = nlohmann::json::array();
        for (unsigned page = 0; page < kPages; ++page) {
            const TableWord leaf = system.page_table().leaf(kHandBase / 4096 + page);
            found.push_back(leaf.address() >> system.page_table().region().socket_shift);
        }
        return found;
    });
}

TEST(DriverOfPartitions, MakesTheSameTableNativelyAndOnRiscv) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    const nlohmann::json native = homes(DriverExecution::native);
    EXPECT_EQ(homes(DriverExecution::riscv), native);
    std::map<unsigned, unsigned> used;
    for (const auto& home : native) ++used[home.get<unsigned>()];
    EXPECT_GT(used.size(), 16U);
}

} // namespace
} // namespace numavp::test
