/// A study's live state, as JSON and for a terminal.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "platform/live/live_registry.h"
#include "platform/live/live_study_state.h"
#include "platform/live/live_study_text.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

PointJob job_on(const std::string& workload, std::optional<std::uint64_t> seed = {}) {
    PointJob job;
    job.workload_name = workload;
    job.shown_system = "lanes / 16";
    job.seed = seed;
    return job;
}

PointOutcome outcome_of_point(bool done, double seconds, const std::string& message = "") {
    PointOutcome outcome;
    outcome.done = done;
    outcome.wall_s = seconds;
    outcome.message = message;
    return outcome;
}

TEST(LiveStudyText, TellsWhatHasEndedAndWhatFailed) {
    LiveStudyState study({"mechanisms", "m.json", "results/m.sqlite"});
    EXPECT_EQ(study.now().at("status"), "preparing");
    study.ended(job_on("spmv"), outcome_of_point(true, 3.5));
    study.ended(job_on("lookup", 7), outcome_of_point(false, 61.0, "it was ended\nby \033[31msignal 9"));
    StudyProgress last;
    last.points = 5;
    last.done = 1;
    last.failed = 1;
    last.elapsed_s = 65.0;
    last.share = 0.25;
    const std::string text = live_study_text(study.become("ended", "the results are in m", last), Style{});
    EXPECT_THAT(text,
                AllOf(HasSubstr("study mechanisms, process "), HasSubstr(", results go to results/m.sqlite\nended: ["),
                      HasSubstr("1 of 5 points, 1 failed, 0 running"), HasSubstr("; the results are in m\n"),
                      HasSubstr("spmv"), HasSubstr("lanes / 16  3.5 s"), HasSubstr("lookup, seed 7"),
                      HasSubstr("it was ended\\x0aby \\x1b[31msignal 9"), Not(HasSubstr("Points that run"))));
    EXPECT_EQ(study.now().at("ended").at(0).at("seed"), nullptr);
    EXPECT_EQ(study.now().at("failed").at(0).at("seconds"), 61.0);
}

/// The latest are shown first, and no more than a reader looks at.
TEST(LiveStudyText, KeepsTheLatest) {
    LiveStudyState study({"s", "s.json", "s.sqlite"});
    for (std::size_t i = 0; i <= LiveStudyState::kEnded; ++i)
        study.ended(job_on("w" + std::to_string(i)), outcome_of_point(true, 1.0));
    const ordered_json& ended = study.become("ended", "", {}).at("ended");
    ASSERT_EQ(ended.size(), LiveStudyState::kEnded);
    EXPECT_EQ(ended.front().at("workload"), "w" + std::to_string(LiveStudyState::kEnded));
    EXPECT_EQ(ended.back().at("workload"), "w1");
}

TEST(LiveStudyText, RefusesAnotherVersionsState) {
    EXPECT_TRUE(is_study_state({{"study", "s"}}));
    EXPECT_FALSE(is_study_state({{"system", "numa-4"}}));
    EXPECT_THROW(live_study_text({{"study", "s"}}, Style{}), ConfigError);
}

/// What a study or a run before its branches lists is not to be chosen besides it; it is when its owner is gone.
TEST(LiveRegistry, RootsAreWhatNoOtherLists) {
    const std::vector<LiveEntry> entries = {
        {10, "a", "study s", 0}, {11, "b", "x on y", 10}, {12, "c", "x on y", 9}, {13, "d", "x on z", 0}};
    EXPECT_THAT(live_roots(entries), ElementsAre(Field(&LiveEntry::process, 10), Field(&LiveEntry::process, 12),
                                                 Field(&LiveEntry::process, 13)));
}

} // namespace
} // namespace numavp::test
