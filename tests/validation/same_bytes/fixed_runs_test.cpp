/// Statistics, series and timeline of fixed runs are those that were committed, whatever the order of deliveries.
///
/// After a change that is meant to change results, renew them and commit them with it; their differences say which
/// statistic of which system has moved:
///
///     NUMAVP_RENEW_OUTCOMES=1 build/release/tests/test_same_bytes --gtest_filter='*CommittedBytes*'
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"
#include "tests/validation/same_bytes/fixed_runs.h"

namespace numavp::test {
namespace {

/// Runs whose machines press another meeting place of workers each.
const std::vector<std::string> kWorkersInGate = {"small-numa-aware", "small-depth-1", "small-stealing", "small-clocks",
                                                 "small-ugal",       "small-torus",   "gmn-4-sfbfly"};

/// Those that the thread sanitizer sees besides: with a directory, blocks that move, 16 sockets, ideal translation.
const std::vector<std::string> kWorkersWatched = {"small-directory", "small-round-robin", "numa-aware-16",
                                                  "small-ideal-translation", "gmn-zc"};

bool holds(const std::vector<std::string>& names, const FixedRun& run) {
    return std::find(names.begin(), names.end(), run.name) != names.end();
}

std::vector<FixedRun> runs_of_build() {
    if (!kThreadSanitizer) return rows_of_build(fixed_runs());
    std::vector<FixedRun> runs = fixed_runs();
    runs.erase(
        std::remove_if(runs.begin(), runs.end(),
                       [](const FixedRun& run) { return !holds(kWorkersInGate, run) && !holds(kWorkersWatched, run); }),
        runs.end());
    return runs;
}

class FixedRuns : public ::testing::TestWithParam<FixedRun> {};

TEST_P(FixedRuns, GiveTheCommittedBytes) {
    NUMAVP_NEEDS(!has_firmware(GetParam()) || firmware_missing().empty(), firmware_missing());
    const std::string outcome = outcome_of(GetParam());
    if (std::getenv("NUMAVP_RENEW_OUTCOMES") != nullptr) return commit_outcome(GetParam(), outcome);
    EXPECT_EQ(expected_outcome(GetParam()), outcome)
        << "If results were meant to change, the head of " << __FILE__ << " says how to renew them.";
}

TEST_P(FixedRuns, DoNotDependOnTheOrderOfDeliveries) {
    NUMAVP_NEEDS(!has_firmware(GetParam()) || firmware_missing().empty(), firmware_missing());
    if (!kFastBuild) GTEST_SKIP() << "what depends on the order does so in every build";
    for (std::uint64_t seed = 1; seed <= (whole_run() ? 2 : 1); ++seed)
        EXPECT_EQ(expected_outcome(GetParam()), outcome_of(GetParam(), seed)) << "shuffled by " << seed;
}

/// Each with more packages than one, with `--all`; in the gate those of which each presses another meeting place.
TEST_P(FixedRuns, DoNotDependOnTheNumberOfWorkers) {
    NUMAVP_NEEDS(!has_firmware(GetParam()) || firmware_missing().empty(), firmware_missing());
    if (!whole_run() && !kThreadSanitizer && !holds(kWorkersInGate, GetParam()))
        GTEST_SKIP() << "the gate has seven of them";
    std::vector<unsigned> numbers = {2};
    if (whole_run()) numbers = {2, 3, 4};
    if (kThreadSanitizer) numbers = {2, 4};
    for (const unsigned workers : numbers)
        EXPECT_EQ(expected_outcome(GetParam()), outcome_of(GetParam(), workers, workers)) << workers << " workers";
}

TEST(FixedRunsOfTheGate, AreThere) {
    const std::vector<FixedRun> all = fixed_runs();
    for (const auto* list : {&kWorkersInGate, &kWorkersWatched})
        for (const std::string& name : *list)
            EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const FixedRun& run) { return run.name == name; }))
                << name;
}

std::string name_of_run(const ::testing::TestParamInfo<FixedRun>& run) {
    std::string name = run.param.name;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, FixedRuns, ::testing::ValuesIn(runs_of_build()), name_of_run);

} // namespace
} // namespace numavp::test
