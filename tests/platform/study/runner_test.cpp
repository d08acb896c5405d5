/// How a study runs its points, with workers that are made up: what is started, told and counted.
#include <chrono>
#include <set>
#include <thread>

#include "platform/study/study_runner.h"
#include "tests/platform/study/study_fixture.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kWholeSeconds = 10.0;
constexpr double kReached = 0.5;

/// One slot, in which all that is started ends at the next look, the first after `looks` more.
class MadeWorkers final : public PointWorkers {
  public:
    explicit MadeWorkers(bool shares) : shares_(shares) {}
    std::size_t slots() const override { return 1; }
    std::string why_unshared() const override { return shares_ ? "" : "these workers share nothing"; }
    void start(std::size_t, const PointJob& job) override {
        started.emplace_back("point");
        next_ = {};
        next_.outcome.done = true;
        next_.outcome.results = R"({"statistics": {"socket0": {"a": 1}}, "cycles": 10, "time_ns": 10.0,
            "workload": {"footprint_bytes": 1, "launches": 4, "blocks": 3},
            "series": {"cycles": [10], "columns": {"x": {"values": [1]}}}})";
        next_.outcome.wall_s = kWholeSeconds;
        next_.outcome.shared_s = ready_.count(job.key) != 0 ? kReached * kWholeSeconds : 0.0;
    }
    void begin(std::size_t, const SharedBeginning& beginning) override {
        started.emplace_back("beginning");
        next_ = {};
        next_.outcome.wall_s = kReached * kWholeSeconds;
        if (fails)
            next_.run_whole = true;
        else
            next_.reached = kReached;
        next_.outcome.message = fails ? "no room" : "";
        for (const auto& job : beginning.points)
            if (!fails) ready_.insert(job->key);
    }
    std::vector<Ended> wait(int) override {
        if (looks == 0) return {next_};
        --looks;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return {};
    }
    double share(std::size_t) const override { return at; }

    std::vector<std::string> started;
    bool fails = false;
    double at = 0.0;    ///< share that is told of what runs
    unsigned looks = 0; ///< at which nothing has ended yet

  private:
    bool shares_;
    Ended next_;
    std::set<std::string> ready_;
};

class Listener final : public StudyListener {
  public:
    void progress(const StudyProgress& progress) override { seen.push_back(progress); }
    void ended(const PointJob&, const PointOutcome& outcome) override {
        if (!outcome.done) said.push_back(outcome.message);
    }
    void look(const StudyRunner& runner, const StudyProgress&) override {
        for (const RunningPoint& point : runner.running()) elapsed_s.push_back(point.elapsed_s);
    }
    void unshared(std::size_t points, const std::string& why) override {
        said.push_back(std::to_string(points) + " whole: " + why);
    }
    void check() override {}
    std::vector<StudyProgress> seen;
    std::vector<double> elapsed_s; ///< of what runs
    std::vector<std::string> said;
};

/// Three points that part at launch 3 of 4.
class StudyRunning : public StudyTest {
  protected:
    StudyRunReport run(MadeWorkers& workers, const StudyRunOptions& options = {}) {
        dir_.write("steps.json", R"({"kernels": [{"pattern": "stencil_2d", "parameters":
            {"nx": 512, "ny": 32, "tile_x": 64, "tile_y": 8, "iterations": 4}}]})");
        dir_.write("changing.json", R"({"extends": "numa-aware-2", "changes": {"at": [
            {"kernel": 3, "set": "link.balancer=static"}]}})");
        dir_.write("s.json", R"({"workloads": ["steps.json"], "metrics": [{"name": "time"}],
            "systems": [{"system": "changing.json"}], "axes": [{"name": "change", "path": "changes.at[0].set",
            "values": ["link.balancer=static", "link.sample_cycles=200", "link.sample_cycles=300"]}]})");
        load("s.json");
        StudyStore store(dir_.path("r.sqlite"), StudyStore::Access::write);
        return StudyRunner(*planner_, store, workers, listener_, options).run();
    }
    Listener listener_;
};

TEST_F(StudyRunning, CountsABeginningOnce) {
    MadeWorkers workers(true);
    const StudyRunReport report = run(workers);
    EXPECT_THAT(workers.started, ElementsAre("beginning", "point", "point", "point"));
    EXPECT_EQ(report.beginnings, 1U);
    EXPECT_EQ(report.shared, 3U);
    EXPECT_EQ(report.ran, 3U);
    EXPECT_EQ(report.done, 3U);
    EXPECT_DOUBLE_EQ(report.busy_s, (kReached + 3 * (1 - kReached)) * kWholeSeconds) << "not three times the beginning";
    ASSERT_EQ(listener_.seen.size(), 4U);
    // After the beginning: of two runs' worth, half a one, and three halves to come.
    EXPECT_FALSE(listener_.seen[0].left_s);
    EXPECT_DOUBLE_EQ(listener_.seen[0].share, 0.25);
    EXPECT_DOUBLE_EQ(listener_.seen[1].left_s.value_or(0), 10.0) << "two second halves";
    EXPECT_DOUBLE_EQ(listener_.seen[2].left_s.value_or(0), 5.0);
    EXPECT_DOUBLE_EQ(listener_.seen[3].left_s.value_or(-1), 0.0);
    EXPECT_THAT(listener_.said, IsEmpty());
}

/// Half of the run was estimated to be shared. Three quarters have been run, and each of three points has a quarter
/// left: together as much as the time so far.
TEST_F(StudyRunning, ABeginningLongerThanItsEstimateLeavesLessToItsPoints) {
    MadeWorkers workers(true);
    workers.at = 0.75;
    workers.looks = 1;
    run(workers);
    ASSERT_FALSE(listener_.elapsed_s.empty());
    ASSERT_TRUE(listener_.seen[0].left_s);
    EXPECT_GT(*listener_.seen[0].left_s, 0.0);
    EXPECT_LE(*listener_.seen[0].left_s, 1.001 * listener_.elapsed_s[0]) << "looked at a moment later";
}

TEST_F(StudyRunning, PointsAreWholeWithWorkersThatCannotShare) {
    MadeWorkers workers(false);
    const StudyRunReport report = run(workers);
    EXPECT_THAT(workers.started, ElementsAre("point", "point", "point"));
    EXPECT_THAT(listener_.said, ElementsAre("3 whole: these workers share nothing"));
    EXPECT_EQ(report.beginnings, 0U);
    EXPECT_EQ(report.done, 3U);
}

TEST_F(StudyRunning, PointsAreWholeIfThatIsWanted) {
    MadeWorkers workers(true);
    StudyRunOptions options;
    options.share = false;
    run(workers, options);
    EXPECT_THAT(workers.started, ElementsAre("point", "point", "point"));
    EXPECT_THAT(listener_.said, IsEmpty());
}

TEST_F(StudyRunning, PointsAreWholeIfTheirBeginningFails) {
    MadeWorkers workers(true);
    workers.fails = true;
    EXPECT_EQ(run(workers).done, 3U);
    EXPECT_THAT(workers.started, ElementsAre("beginning", "point", "point", "point"));
    EXPECT_THAT(listener_.said, ElementsAre("3 whole: no room"));
}

} // namespace
} // namespace numavp::test
