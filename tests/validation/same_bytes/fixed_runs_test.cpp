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
    const std::vector<std::string> few = {"numa-aware", "depth-1", "stealing", "clocks"};
    if (!whole_run() && std::find(few.begin(), few.end(), GetParam().name) == few.end())
        GTEST_SKIP() << "the gate has four of them";
    for (unsigned workers = 2; workers <= (whole_run() ? 4 : 2); ++workers)
        EXPECT_EQ(expected_outcome(GetParam()), outcome_of(GetParam(), workers, workers)) << workers << " workers";
}

std::string name_of_run(const ::testing::TestParamInfo<FixedRun>& run) {
    std::string name = run.param.name;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, FixedRuns, ::testing::ValuesIn(rows_of_build(fixed_runs())), name_of_run);

} // namespace
} // namespace numavp::test
