/// Kernels of a sample keep their length: on the paper's 4-socket GPU one that does a part of its work lasts 20 samples
/// of lanes and ways, so that these, flushes and launches weigh as in the application. A kernel that is shorter is
/// whole.
///
/// All take some ten minutes: the gate asks those of few accesses, NUMAVP_LONG_TESTS=1 asks all.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"

namespace numavp {
namespace {

constexpr Cycle kSamples = 20;
constexpr std::uint64_t kQuickAccesses = test::kFastBuild ? 2'700'000 : 1'000'000;

std::vector<std::string> folders() { return {test::source_dir() + "/configs/workloads"}; }

bool is_sampled(const WorkloadFile& file) {
    const std::vector<std::string>& cut = file.budget.cut.lines;
    return std::any_of(cut.begin(), cut.end(),
                       [](const std::string& line) { return line.find("one part in") != std::string::npos; });
}

/// Sampled workloads of the set, those of few accesses unless all are asked for.
std::vector<std::string> sampled() {
    const bool all = std::getenv("NUMAVP_LONG_TESTS") != nullptr; // NOLINT(concurrency-mt-unsafe): one thread
    std::vector<std::string> names;
    for (const WorkloadName& listed : list_workloads(folders())) {
        if (listed.path.find("/numa-aware-gpus/") == std::string::npos) continue;
        const auto file = read_config<WorkloadFile>(load_document(listed.path));
        if (!is_sampled(file)) continue;
        if (all || file.budget.line_accesses <= kQuickAccesses) names.push_back(listed.name);
    }
    return names;
}

class KernelLength : public ::testing::TestWithParam<std::string> {};

TEST_P(KernelLength, OfASampleIsTwentySamplesOfLanes) {
    const Workload workload = load_workload(GetParam(), folders(), {});
    System system(load_system("numa-aware-4", {}), workload);
    system.run();
    const Cycle least = kSamples * system.config().link.sample_cycles;
    std::vector<const TimelineEvent*> kernels;
    for (const TimelineEvent& event : system.timeline())
        if (event.what == "kernel") kernels.push_back(&event);
    std::size_t at = 0;
    std::size_t cut = 0;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) continue;
        ASSERT_LT(at, kernels.size());
        const TimelineEvent& event = *kernels[at++];
        if (launch.kernel->shape().share >= 1.0) continue;
        ++cut;
        EXPECT_GE(event.end - event.cycle, least) << launch.kernel->shape().name;
    }
    EXPECT_GT(cut, 0U);
    EXPECT_EQ(at, kernels.size());
}

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Table2, KernelLength, ::testing::ValuesIn(sampled()), name_of);

} // namespace
} // namespace numavp
