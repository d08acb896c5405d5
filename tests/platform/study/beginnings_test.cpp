/// Points that share a beginning: which do, and that their results are those of whole runs.
#include <algorithm>
#include <csignal>
#include <set>

#include <fmt/format.h>

#include "platform/study/study_beginnings.h"
#include "platform/study/study_estimates.h"
#include "tests/platform/study/study_fixture.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// An axis over the first change of changing.json.
constexpr const char* kThreeChanges =
    R"({"name": "change", "path": "changes.at[0].set",
        "values": ["link.balancer=static", "link.sample_cycles=200", "socket.partition.controller=fixed"]})";

class StudyBeginnings : public StudyTest {
  protected:
    void SetUp() override {
        StudyTest::SetUp();
        make_inputs(3, 4, 32);
    }
    /// A system whose settings change at a launch, the same without changes, and work of some launches.
    void make_inputs(unsigned kernel, unsigned launches, unsigned rows) const {
        const char* const plain = R"("extends": "numa-aware-2", "socket": {"sms": 4},
            "link": {"lane_gbps": 0.5, "sample_cycles": 500}, "dispatch": {"launch_cycles": 100})";
        dir_.write("plain.json", fmt::format(R"({{"name": "plain", {}}})", plain));
        dir_.write("changing.json", fmt::format(R"({{"name": "changing", {}, "changes": {{"at": [
                                     {{"kernel": {}, "set": "link.balancer=static"}}]}}}})",
                                                plain, kernel));
        dir_.write("steps.json", fmt::format(R"({{"kernels": [{{"pattern": "stencil_2d", "parameters": {{"nx": 512,
            "ny": {}, "tile_x": 64, "tile_y": 8, "iterations": {}}}}}]}})",
                                             rows, launches));
    }
    static std::string study(const std::string& systems, const std::string& axes, const std::string& more = "") {
        return fmt::format(R"({{"workloads": ["steps.json"], "metrics": [{{"name": "time"}}], "systems": [{}],
                                "axes": [{}]{}}})",
                           systems, axes, more);
    }
    static std::string changed_study() { return study(R"({"system": "changing.json"})", kThreeChanges); }

    std::vector<SharedBeginning> beginnings(const std::string& text) {
        dir_.write("b.json", text);
        load("b.json");
        return shared_beginnings(plan().points);
    }
    json run(const std::string& db, const Args& more = {}) const {
        Args words = {"run", "s.json", "--db", db, "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.err, "");
        return ended.out.empty() ? json() : json::parse(ended.out);
    }
    /// Key and results.json of each point.
    std::vector<std::pair<std::string, std::string>> results_in(const std::string& db) const {
        const StudyStore store(dir_.path(db), StudyStore::Access::read);
        std::vector<std::pair<std::string, std::string>> all;
        for (const StoredRun& one : store.runs()) all.emplace_back(one.key, store.results(one.key));
        std::sort(all.begin(), all.end());
        return all;
    }
    void expect_same_as_whole(const std::string& db) const {
        ASSERT_EQ(numavp({"run", "s.json", "--db", db + "-whole", "--no-branches", "--quiet"}).status, 0);
        EXPECT_EQ(results_in(db), results_in(db + "-whole"));
        EXPECT_EQ(exported("s.json", db), exported("s.json", db + "-whole"));
    }
};

TEST_F(StudyBeginnings, AreThoseBeforeTheFirstDifference) {
    const auto shared = beginnings(changed_study());
    ASSERT_EQ(shared.size(), 1U);
    EXPECT_EQ(shared[0].kernel, 3U);
    EXPECT_EQ(shared[0].points.size(), 3U);
    const SharedBeginning sent = beginning_of(beginning_text(shared[0]));
    EXPECT_EQ(sent.kernel, 3U);
    ASSERT_EQ(sent.points.size(), 3U);
    EXPECT_EQ(job_text(*sent.points[2]), job_text(*shared[0].points[2]));
}

TEST_F(StudyBeginnings, AreSharedWithASystemThatDoesNotChange) {
    const auto shared = beginnings(
        study(R"({"system": "plain.json", "axes": []}, {"label": "c", "system": "changing.json"})", kThreeChanges));
    ASSERT_EQ(shared.size(), 1U);
    EXPECT_EQ(shared[0].points.size(), 4U);
}

TEST_F(StudyBeginnings, AreApartWhereSeedsOrSettingsDiffer) {
    const std::string sms = R"({"name": "SMs", "path": "socket.sms", "values": [2, 4]})";
    const auto shared =
        beginnings(study(R"({"system": "changing.json"})", sms + ", " + kThreeChanges, R"(, "seeds": [1, 2])"));
    ASSERT_EQ(shared.size(), 4U);
    for (const SharedBeginning& one : shared) {
        EXPECT_EQ(one.points.size(), 3U);
        for (const auto& job : one.points) {
            EXPECT_EQ(job->seed, one.points[0]->seed);
            EXPECT_EQ(job->system["socket"]["sms"], one.points[0]->system["socket"]["sms"]);
        }
    }
}

TEST_F(StudyBeginnings, BeforeTheFirstLaunchThereIsNone) {
    make_inputs(1, 4, 32);
    EXPECT_THAT(beginnings(changed_study()), IsEmpty());
    EXPECT_THAT(beginnings(two_systems()), IsEmpty()) << "without changes";
}

/// Two changes at launch 3 times three at launch 9: 5 * 2 launches are spared from launch 3 on, 2 * 2 * 8 from
/// launch 9.
TEST_F(StudyBeginnings, SpareAsManyLaunchesAsTheyCan) {
    const std::string at = R"({"name": "at", "path": "changes.at[0].set", "values": [
        "link.balancer=static", "link.sample_cycles=200"]}, {"name": "later", "variants": [
        {"label": "a", "set": {"changes.at[1].set": "socket.partition.controller=fixed"}},
        {"label": "b", "set": {"changes.at[1].set": "socket.partition.sample_cycles=900"}},
        {"label": "c", "set": {"changes.at[1].set": "socket.partition.sample_cycles=700"}}]})";
    const auto with_later = [&](unsigned kernel) {
        dir_.write("changing.json", fmt::format(R"({{"extends": "numa-aware-2", "changes": {{"at": [
            {{"kernel": 3, "set": "link.balancer=static"}},
            {{"kernel": {}, "set": "socket.partition.controller=fixed"}}]}}}})",
                                                kernel));
        return beginnings(study(R"({"system": "changing.json"})", at));
    };
    const auto late = with_later(9);
    ASSERT_EQ(late.size(), 2U);
    for (const SharedBeginning& one : late) {
        EXPECT_EQ(one.kernel, 9U);
        ASSERT_EQ(one.points.size(), 3U);
        for (const auto& job : one.points)
            EXPECT_EQ(job->system["changes"]["at"][0], one.points[0]->system["changes"]["at"][0]);
    }
    // Five times two launches are more than four times two.
    const auto together = with_later(3);
    ASSERT_EQ(together.size(), 1U);
    EXPECT_EQ(together[0].kernel, 3U);
    EXPECT_EQ(together[0].points.size(), 6U);
}

TEST_F(StudyBeginnings, GiveTheRowsOfWholeRuns) {
    dir_.write("s.json", study(R"({"system": "plain.json", "axes": []}, {"label": "c", "system": "changing.json"})",
                               kThreeChanges));
    const json report = run("r", {"--jobs", "2"});
    EXPECT_EQ(report["beginnings"], 1);
    EXPECT_EQ(report["shared"], 4);
    EXPECT_EQ(report["ran"], 4);
    EXPECT_EQ(report["done"], 4);
    expect_same_as_whole("r");
    std::set<std::uint64_t> cycles;
    for (const auto& [key, results] : results_in("r"))
        cycles.insert(json::parse(results)["cycles"].get<std::uint64_t>());
    EXPECT_GT(cycles.size(), 1U) << "the changes do nothing";
}

TEST_F(StudyBeginnings, AreToldAndCanBeSwitchedOff) {
    dir_.write("s.json", changed_study());
    const Ended shared = numavp({"run", "s.json", "--db", "a"});
    EXPECT_THAT(shared.out, HasSubstr("3 points went on from 1 beginning, simulated once for all that share it"));
    const Ended whole = numavp({"run", "s.json", "--db", "b", "--no-branches"});
    EXPECT_EQ(whole.status, 0);
    EXPECT_THAT(whole.out, Not(HasSubstr("beginning")));
    const Ended status = numavp({"status", "s.json", "--db", "b", "--no-branches"});
    EXPECT_EQ(status.status, 2);
    EXPECT_THAT(status.err, HasSubstr("--no-branches is not an option of 'study status'"));
}

/// A change at a launch that the work does not have: said as a whole run says it, and the others go on.
TEST_F(StudyBeginnings, ABranchThatFailsCostsItsPoint) {
    dir_.write("s.json", study(R"({"system": "changing.json"})", R"({"name": "change", "variants": [
        {"label": "a", "set": {"changes.at[0].set": "link.balancer=static"}},
        {"label": "b", "set": {"changes.at[0].set": "link.sample_cycles=200"}},
        {"label": "c", "set": {"changes.at[0].set": "link.sample_cycles=300", "changes.at[0].kernel": 9}}]})"));
    const Ended ended = numavp({"run", "s.json", "--db", "r", "--json"});
    EXPECT_EQ(ended.status, 1) << ended.err;
    EXPECT_EQ(json::parse(ended.out)["beginnings"], 1);
    EXPECT_EQ(json::parse(ended.out)["done"], 2);
    EXPECT_EQ(numavp({"run", "s.json", "--db", "w", "--no-branches", "--quiet"}).status, 1);
    const json failures = status("s.json", "r")["failures"];
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_THAT(failures[0]["message"].get<std::string>(), HasSubstr("the run has no launch 9 of a kernel; 4 are"));
    EXPECT_EQ(failures, status("s.json", "w")["failures"]);
    EXPECT_EQ(results_in("r"), results_in("w"));
}

/// A beginning that can't be run says so; each of its points says for itself what is wrong with it.
TEST_F(StudyBeginnings, APointWhoseBeginningFailsRunsWhole) {
    make_inputs(9, 4, 32);
    dir_.write("s.json", study(R"({"system": "plain.json", "axes": []}, {"label": "c", "system": "changing.json"})",
                               kThreeChanges));
    const Ended ended = numavp({"run", "s.json", "--db", "r"});
    EXPECT_EQ(ended.status, 1);
    EXPECT_THAT(ended.err, HasSubstr("4 points that could share a beginning run whole: changes.at: the run has no "
                                     "launch 9 of a kernel"));
    EXPECT_EQ(status("s.json", "r")["done"], 1);
    EXPECT_EQ(status("s.json", "r")["failed"], 3);
}

TEST_F(StudyBeginnings, OfAPointThatIsDoneAreLeftToTheOthers) {
    dir_.write("s.json", study(R"({"system": "changing.json"})", R"({"name": "change", "path": "changes.at[0].set",
        "values": ["link.balancer=static"]})"));
    EXPECT_EQ(run("r")["beginnings"], 0) << "a point alone shares nothing";
    dir_.write("s.json", changed_study());
    const json more = run("r");
    EXPECT_EQ(more["ran"], 2);
    EXPECT_EQ(more["shared"], 2);
    EXPECT_EQ(more["done"], 3);
    expect_same_as_whole("r");
}

/// Work of about half a second for each point.
class SlowBeginnings : public StudyBeginnings {
  protected:
    void SetUp() override {
        StudyBeginnings::SetUp();
        make_inputs(3, 12, 256);
        dir_.write("s.json", changed_study());
    }
    /// The process that has run the beginning, once branches of it run.
    static pid_t forking(const Process& study) {
        pid_t found = -1;
        wait_until([&] {
            for (const pid_t child : children_of(study.pid()))
                if (!children_of(child).empty()) found = child;
            return found > 0;
        });
        return found;
    }
};

/// A branch may end before the signal comes: then another study loses one.
TEST_F(SlowBeginnings, AKilledBranchCostsItsPoint) {
    std::string db;
    Ended ended;
    for (int attempt = 0; attempt < 10 && ended.status != 1; ++attempt) {
        db = "r" + std::to_string(attempt);
        const auto study = start({"run", "s.json", "--jobs", "2", "--db", db});
        const pid_t beginning = forking(*study);
        const std::vector<pid_t> branches = beginning > 0 ? children_of(beginning) : std::vector<pid_t>();
        if (!branches.empty()) ::kill(branches.front(), SIGKILL);
        ended = study->wait();
    }
    EXPECT_EQ(ended.status, 1);
    EXPECT_THAT(ended.err, HasSubstr("failed: it was ended by signal 9 (Killed)"));
    EXPECT_EQ(status("s.json", db)["done"], 2);
    const Ended again = numavp({"run", "s.json", "--db", db, "--retry-failed", "--quiet"});
    EXPECT_EQ(again.status, 0) << again.err;
    expect_same_as_whole(db);
}

TEST_F(SlowBeginnings, PointsOfAKilledBeginningRunWhole) {
    const auto study = start({"run", "s.json", "--jobs", "2", "--db", "r"});
    const pid_t beginning = forking(*study);
    ASSERT_GT(beginning, 0);
    ::kill(beginning, SIGKILL);
    const Ended ended = study->wait();
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("that could share a beginning run"));
    expect_same_as_whole("r");
}

TEST_F(SlowBeginnings, AnInterruptedStudyKeepsItsPointsAndLeavesNoProcess) {
    const auto study = start({"run", "s.json", "--jobs", "1", "--db", "r"});
    const pid_t beginning = forking(*study);
    ASSERT_GT(beginning, 0);
    ASSERT_TRUE(wait_until([&] { return runs_in("r") >= 1; }));
    std::vector<pid_t> processes = children_of(beginning);
    processes.push_back(beginning);
    study->send(SIGKILL);
    EXPECT_EQ(study->wait().signal, SIGKILL);
    for (const pid_t one : processes)
        EXPECT_TRUE(wait_until([&] { return ::kill(one, 0) != 0; }, 5.0)) << "a process outlived its study";
    const auto before = status("s.json", "r")["done"].get<unsigned>();
    EXPECT_LT(before, 3U);
    EXPECT_EQ(run("r")["ran"], 3 - before);
    expect_same_as_whole("r");
}

/// The limit is that of the whole run: the beginning counts.
TEST_F(SlowBeginnings, APointThatTakesTooLongIsEnded) {
    make_inputs(3, 4000, 256);
    const Ended ended = numavp({"run", "s.json", "--db", "r", "--time-limit", "0.5"});
    EXPECT_EQ(ended.status, 1);
    const json failed = status("s.json", "r");
    EXPECT_EQ(failed["failed"], 3);
    for (const json& one : failed["failures"])
        EXPECT_THAT(one["message"].get<std::string>(), HasSubstr("it was ended after its time limit of"));
}

TEST_F(StudyBeginnings, AShareFollowsFromDeclaredAccesses) {
    const auto shared = beginnings(changed_study());
    ASSERT_EQ(shared.size(), 1U);
    const StudyStore store(dir_.path("e"), StudyStore::Access::write);
    StudyEstimates estimates(store);
    const PointJob& job = *shared[0].points[0];
    EXPECT_DOUBLE_EQ(estimates.share_before(job, 1), 0.0);
    EXPECT_DOUBLE_EQ(estimates.share_before(job, 3), 0.5) << "two sweeps of four";
    EXPECT_DOUBLE_EQ(estimates.share_before(job, 99), 1.0);
}

} // namespace
} // namespace numavp::test
