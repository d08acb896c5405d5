/// Estimated times of points: from runs of their workload, else from the accesses that it declares.
#include "platform/study/study_estimates.h"
#include "platform/study/study_progress.h"
#include "tests/platform/study/study_fixture.h"

namespace numavp::test {
namespace {

class Estimates : public StudyTest {
  protected:
    std::shared_ptr<const PointJob> job(const std::string& configuration, const std::string& workload,
                                        const std::string& scale) {
        dir_.write("s.json", two_systems());
        load("s.json", scale);
        const StudyPlan now = plan();
        return now.points[now.figures[0].cell(configuration, workload)->point];
    }
    static PointOutcome took(double seconds) {
        PointOutcome outcome;
        outcome.done = true;
        outcome.wall_s = seconds;
        return outcome;
    }
};

TEST_F(Estimates, AreThoseOfAWorkloadThenOfItsAccesses) {
    const StudyStore store(dir_.path("r.sqlite"), StudyStore::Access::write);
    StudyEstimates estimates(store);
    const auto small = job("one", "stream-triad", "0.004"), large = job("one", "stream-triad", "0.04");
    const double unknown = estimates.of(*large).seconds;
    EXPECT_FALSE(estimates.of(*large).measured);
    EXPECT_FALSE(estimates.of(*large).known) << "it orders points, and is not told to anybody";
    EXPECT_GT(unknown, estimates.of(*small).seconds);

    estimates.learn(*small, took(7));
    EXPECT_TRUE(estimates.of(*small).measured);
    EXPECT_DOUBLE_EQ(estimates.of(*small).seconds, 7.0);
    EXPECT_DOUBLE_EQ(estimates.of(*job("four", "stream-triad", "0.004")).seconds, 7.0) << "on another system";
    EXPECT_FALSE(estimates.of(*large).measured);
    EXPECT_TRUE(estimates.of(*large).known);
    EXPECT_NEAR(estimates.of(*large).seconds, 70.0, 7.0) << "ten times as many accesses";

    // Of another workload first what one access of all so far took, then its own.
    const auto other = job("one", "table-lookup", "0.1"), more = job("one", "table-lookup", "1");
    estimates.learn(*other, took(0.5));
    const double by_its_own = estimates.of(*more).seconds; // its tables are as large at any scale
    EXPECT_GT(by_its_own, 2.0);
    EXPECT_LT(by_its_own, 5.1);
    EXPECT_NEAR(estimates.of(*large).seconds, 70.0, 7.0) << "it keeps its own";
    PointOutcome failed;
    failed.wall_s = 1000;
    estimates.learn(*more, failed);
    EXPECT_EQ(estimates.of(*more).seconds, by_its_own) << "a point that failed says nothing";
}

TEST(StudyProgress, SaysNothingOfTheTimeLeftUntilItIsKnown) {
    StudyProgress progress;
    progress.points = 12;
    progress.running = 2;
    progress.elapsed_s = 3.0;
    EXPECT_EQ(study_progress_text(progress, false), "0 of 12 points, 2 running, 3 s");
    progress.left_s = 90.0;
    EXPECT_THAT(study_progress_text(progress, false), ::testing::HasSubstr("about 1 min 30 s left"));
}

} // namespace
} // namespace numavp::test
