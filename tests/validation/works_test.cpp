/// What the works stand for, on small machines and samples: which system is ahead of which. The margins are those of
/// samples, not the works' numbers (docs/papers/claims).
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/inputs/named_workload.h"
#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

struct SmallRun {
    std::string system, workload, scale;
    std::vector<std::string> settings{};
};

struct SmallOutcome {
    double cycles = 0.0, kernels = 0.0, lane_turns = 0.0;
};

SmallOutcome outcome_of(const SmallRun& run) {
    const nlohmann::json found = run_apart([&] {
        const SystemConfig config = load_system(run.system, run.settings);
        const NamedWorkload loaded = load_named_workload(run.workload, "", run.scale, "");
        System machine(config, loaded.workload);
        machine.run();
        std::uint64_t kernels = 0, turns = 0;
        for (const TimelineEvent& event : machine.timeline()) {
            if (event.what == "kernel" && event.socket < 0) kernels += event.end - event.cycle;
            if (event.what == "lanes") ++turns;
        }
        return nlohmann::json{machine.cycles(), kernels, turns};
    });
    return {found[0].get<double>(), found[1].get<double>(), found[2].get<double>()};
}

double cycles_of_run(const SmallRun& run) { return outcome_of(run).cycles; }

/// A sixteenth of Table 1 of the NUMA-aware paper (mechanisms_test.cpp).
SmallRun numa(const std::string& system, const std::string& workload) {
    return {system,
            workload,
            "0.0625",
            {"socket.sms=4", "socket.l2.size_kib=256", "socket.l2.slices=2", "socket.memory.channels=2",
             "socket.memory.bandwidth_gbps=48", "link.lane_gbps=0.5"}};
}

/// A workload, and by what factor the winner is at least ahead. Below 1: where one mechanism has nothing to gain, the
/// other must not lose more than a hundredth by it.
struct Ahead {
    const char* workload;
    double caches; ///< NUMA-aware ones, of static and of coherent ones
    double both;   ///< of lanes alone and of caches alone
};
/// A table that all read, gathers, and sums into one socket, where lanes alone gain.
constexpr Ahead kNumaWorkloads[] = {
    {"table-lookup", 1.02, 0.99}, {"spmv-powerlaw", 1.02, 1.2}, {"reduction", 0.99, 0.99}};

class NumaWorks : public ::testing::TestWithParam<Ahead> {};

/// Section 5.2: "it is the highest performing cache configuration".
TEST_P(NumaWorks, NumaAwareCachesAreAtLeastStaticAndCoherentOnes) {
    const char* const workload = GetParam().workload;
    const double ahead = GetParam().caches;
    const double aware = cycles_of_run(numa("numa-4-caches", workload));
    EXPECT_GE(cycles_of_run(numa("numa-4-static", workload)), ahead * aware);
    EXPECT_GE(cycles_of_run(numa("numa-4-coherent", workload)), ahead * aware);
}

/// Section 6: "best performance is clearly obtained when applying both features in unison".
TEST_P(NumaWorks, BothMechanismsAreAtLeastEach) {
    const char* const workload = GetParam().workload;
    const double ahead = GetParam().both;
    const double both = cycles_of_run(numa("numa-aware-4", workload));
    EXPECT_GE(cycles_of_run(numa("numa-4-lanes", workload)), ahead * both);
    EXPECT_GE(cycles_of_run(numa("numa-4-caches", workload)), ahead * both);
}

INSTANTIATE_TEST_SUITE_P(All, NumaWorks, ::testing::ValuesIn(rows_of_build(kNumaWorkloads)), [](const auto& param) {
    std::string name = param.param.workload;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

/// Section 4: turns cost little where both directions carry the same. A stencil turns no lane, and would show nothing.
TEST(NumaLanes, TurnAndDoNotHarmGathers) {
    for (const char* workload : {"spmv-powerlaw", "table-lookup"}) {
        const SmallOutcome lanes = outcome_of(numa("numa-4-lanes", workload));
        EXPECT_GE(lanes.lane_turns, 4.0) << workload << ": nothing to be harmed by";
        EXPECT_LE(lanes.cycles, 1.03 * cycles_of_run(numa("numa-4", workload))) << workload;
    }
}

/// Memory networks, section VI.B: kernels of both networks gain over PCIe, where three of four pages lie behind it.
TEST(MemoryNetworkWorks, KernelsOfBothNetworksAreAbovePcie) {
    for (const char* workload : {"mn-vectoradd", "mn-scan"}) {
        const std::vector<std::string> no_copies = {"copies.mode=free"};
        const double pcie = outcome_of({"pcie", workload, "0.01", no_copies}).kernels;
        const double gmn = outcome_of({"gmn", workload, "0.01", no_copies}).kernels;
        const double umn = outcome_of({"umn", workload, "0.01"}).kernels;
        EXPECT_GE(pcie, 2 * gmn) << workload;
        EXPECT_GE(pcie, 2 * umn) << workload;
    }
}

/// NUBA, section 7.3: where all read the same lines, replicas put NUBA above UBA.
TEST(NubaWorks, NubaIsAboveUbaWhereSmsShareLines) {
    for (const char* workload : {"nuba-an", "nuba-rn"}) {
        const double uba = cycles_of_run({"uba-memory-side", workload, "0.02"});
        EXPECT_GE(uba, 1.1 * cycles_of_run({"nuba", workload, "0.02"})) << workload;
    }
}

} // namespace
} // namespace numavp::test
