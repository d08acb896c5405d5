/// The mechanisms of the NUMA-aware GPU do what the paper says, on a sixteenth of Table 1.
///
/// A socket with 4 SMs, and L2, memory bandwidth, lanes and the problem divided by 16 too: each SM has the work that
/// it has at full scale, and bandwidths are to one another as there. docs/papers/NUMA_AWARE_GPUS.md has the whole
/// systems.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/config/config_file.h"
#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

const std::string kConfigs = source_dir() + "/configs/";
constexpr double kSixteenth = 1.0 / 16;

SystemConfig sixteenth_of(const std::string& system) {
    return load_system(kConfigs + "systems/" + system + ".json",
                       {"socket.sms=4", "socket.l2.size_kib=256", "socket.l2.slices=2", "socket.memory.channels=2",
                        "socket.memory.bandwidth_gbps=48", "link.lane_gbps=0.5",
                        kFastBuild ? "checks.protocol=true" : "checks.protocol=false"});
}

/// The workload on a sixteenth of the problem; `assignments` set what the scale does not.
Workload sixteenth_workload(const std::string& workload, const std::vector<std::string>& assignments) {
    ConfigDocument document = load_document(kConfigs + "workloads/" + workload + ".json");
    for (const std::string& assignment : assignments) set_path(document, assignment);
    WorkloadOptions options;
    options.scale = kSixteenth;
    return read_workload(document.value, document.place(), options);
}

double cycles_of(const std::string& system, const std::string& workload, const std::vector<std::string>& assignments) {
    const nlohmann::json figures = run_apart([&] {
        const Workload work = sixteenth_workload(workload, assignments);
        System machine(sixteenth_of(system), work);
        machine.run();
        return nlohmann::json(machine.cycles());
    });
    return figures.get<double>();
}

/// How many times faster `system` runs the workload than `than` does.
double gain(const std::string& system, const std::string& than, const std::string& workload,
            const std::vector<std::string>& assignments = {}) {
    const double before = cycles_of(than, workload, assignments);
    const double after = cycles_of(system, workload, assignments);
    ::testing::Test::RecordProperty("cycles_" + than, std::to_string(before));
    ::testing::Test::RecordProperty("cycles_" + system, std::to_string(after));
    return before / after;
}

TEST(DynamicLanes, GainOnAReduction) {
    const double times = gain("numa-4-lanes", "numa-4", "reduction");
    EXPECT_GE(times, 1.5);
    EXPECT_LE(times, 15.0 / 8); // lanes in of 16, at least one goes the other way
}

// A table of 3 MiB fits an L2 of 4 MiB; here both are a sixteenth.
TEST(NumaAwareCaches, GainIfRemoteDataFitsThem) {
    EXPECT_GE(gain("numa-4-caches", "numa-4", "table-lookup", {"kernels[0].parameters.table_bytes=196608"}), 1.5);
}

TEST(NumaAwareCaches, DoNotHarmALocalStream) {
    if (!kFastBuild) GTEST_SKIP() << kSameCycles;
    EXPECT_GE(gain("numa-4-caches", "numa-4", "stream-triad"), 0.98);
}

class FirstTouchWithContiguousBlocks : public ::testing::TestWithParam<const char*> {};
constexpr const char* kLocalWorkloads[] = {"stencil-2d", "stream-triad", "stencil-3d"};

TEST_P(FirstTouchWithContiguousBlocks, BeatsTraditionalPolicies) {
    EXPECT_GE(gain("numa-4", "numa-4-traditional", GetParam()), 1.5);
}
INSTANTIATE_TEST_SUITE_P(All, FirstTouchWithContiguousBlocks, ::testing::ValuesIn(rows_of_build(kLocalWorkloads)),
                         [](const auto& param) {
                             std::string name = param.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

} // namespace
} // namespace numavp::test
