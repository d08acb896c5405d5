/// What the driver's placement policies do to bandwidth, in kind as Figure 11 of the NUBA paper: Local-And-Balanced is
/// like first touch where pages are private, and like round robin where all sockets share them.
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

const std::string kPlacementConfigs = source_dir() + "/configs/";

/// Cycles of the kernel of that name under each policy, on a sixteenth of the 4-socket system with pages of 4 KiB.
std::map<std::string, double> cycles_under_policies(const std::string& workload, const std::string& kernel) {
    std::map<std::string, double> cycles;
    for (const char* policy : {"first_touch", "round_robin", "lab"}) {
        const nlohmann::json figures = run_apart([&] {
            WorkloadOptions options;
            options.scale = 1.0 / 16;
            const ConfigDocument document =
                load_document(fmt::format("{}workloads/{}.json", kPlacementConfigs, workload));
            const Workload work = read_workload(document.value, document.place(), options);
            System machine(load_system(kPlacementConfigs + "systems/numa-4.json",
                                       {"socket.sms=4", "socket.l2.size_kib=256", "socket.l2.slices=2",
                                        "socket.memory.channels=2", "socket.memory.bandwidth_gbps=48",
                                        "link.lane_gbps=0.5", "placement.page_kib=4", "translation.mode=full",
                                        "driver.execution=native", std::string("driver.policy=") + policy}),
                           work);
            machine.run();
            return nlohmann::json(kernel_cycles(machine, kernel));
        });
        cycles[policy] = figures.get<double>();
        ::testing::Test::RecordProperty(std::string("cycles_") + policy, std::to_string(cycles[policy]));
    }
    return cycles;
}

TEST(LocalAndBalanced, IsLikeFirstTouchWherePagesArePrivate) {
    auto cycles = cycles_under_policies("table-lookup-local", "lookup");
    EXPECT_GT(cycles["round_robin"], 1.3 * cycles["first_touch"]);
    EXPECT_LT(cycles["lab"], 1.1 * cycles["first_touch"]);
}

TEST(LocalAndBalanced, IsLikeRoundRobinWherePagesAreShared) {
    if (!kFastBuild) GTEST_SKIP() << kSameCycles;
    auto cycles = cycles_under_policies("table-prologue", "lookup");
    EXPECT_GT(cycles["first_touch"], 1.3 * cycles["round_robin"]);
    EXPECT_LT(cycles["lab"], 1.1 * cycles["round_robin"]);
}

} // namespace
} // namespace numavp::test
