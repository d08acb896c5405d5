/// Studies over ranks of an MPI job on this machine.
#include <csignal>
#include <filesystem>
#include <fstream>

#include <sys/resource.h>

#include "tests/platform/study/study_fixture.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

class StudyMpi : public StudyTest {
  protected:
    void SetUp() override {
        StudyTest::SetUp();
        NUMAVP_NEEDS(!mpirun_file().empty(), "this build has no MPI");
        // Open MPI asks before it lets root start anything.
        for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) ::setenv(name, "1", 1);
        ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
        ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1); // containers forbid it
    }
    /// A rank that runs a point.
    static pid_t busy_rank(const Process& job) {
        pid_t busy = -1;
        wait_until([&] {
            for (const pid_t rank : children_of(job.pid()))
                if (!children_of(rank).empty()) busy = rank;
            return busy > 0;
        });
        return busy;
    }
    Args ranks(const char* n, const Args& words) const {
        Args all = {mpirun_file(), "-n", n};
        for (const std::string& word : program(words)) all.push_back(word);
        return all;
    }
};

TEST_F(StudyMpi, ThreeRanksGiveTheSameNumbers) {
    dir_.write("s.json", two_systems());
    const Ended ended = run_process(ranks("3", {"run", "s.json", "--db", "m", "--json"}), {}, dir_.path(""));
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("\"done\":6"));
    ASSERT_EQ(numavp({"run", "s.json", "--db", "l", "--quiet"}).status, 0);
    EXPECT_EQ(exported("s.json", "m"), exported("s.json", "l"));
}

TEST_F(StudyMpi, PointsThatShareABeginningRunWhole) {
    dir_.write("steps.json", R"({"kernels": [{"pattern": "stencil_2d", "parameters":
        {"nx": 128, "ny": 16, "tile_x": 64, "tile_y": 8, "iterations": 2}}]})");
    dir_.write("changing.json", R"({"extends": "numa-aware-2", "socket": {"sms": 2}, "changes": {"at": [
        {"kernel": 2, "set": "link.balancer=static"}]}})");
    dir_.write("s.json", R"({"workloads": ["steps.json"], "metrics": [{"name": "time"}],
        "systems": [{"system": "changing.json"}], "axes": [{"name": "change", "path": "changes.at[0].set",
        "values": ["link.balancer=static", "link.sample_cycles=200"]}]})");
    const Ended ended = run_process(ranks("2", {"run", "s.json", "--db", "m"}), {}, dir_.path(""));
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("2 points that could share a beginning run whole: "));
    ASSERT_EQ(numavp({"run", "s.json", "--db", "l", "--quiet"}).status, 0);
    EXPECT_EQ(exported("s.json", "m"), exported("s.json", "l"));
}

// MPICH's launcher gives its processes PMI_SIZE and PMI_RANK, of which Open MPI takes no notice.
TEST_F(StudyMpi, ProcessesOfAnotherMpisLauncherAreRefused) {
    dir_.write("s.json", two_systems());
    const Ended ended = run_process(program({"run", "s.json"}), {"PMI_SIZE=2", "PMI_RANK=0"}, dir_.path(""));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("numavp: study under mpirun: the launcher started 2 processes, of which each is "
                                     "alone: it does not belong to the MPI of this program; the mpirun of "));
    EXPECT_FALSE(std::filesystem::exists(dir_.path("results")));
}

TEST_F(StudyMpi, FaultsEndTheJob) {
    dir_.write("s.json", tiny(R"("systems": [])"));
    const Ended ended = run_process(ranks("2", {"run", "s.json"}), {}, dir_.path(""));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("numavp: s.json: $.systems"));
}

TEST_F(StudyMpi, ARankThatCanStartNothingFailsItsPoints) {
    if (!kFastBuild) GTEST_SKIP() << kSanitizersOpenFiles;
    dir_.write("s.json", slow());
    Process job(ranks("2", {"run", "s.json", "--db", "r"}), {}, dir_.path(""));
    const pid_t rank = busy_rank(job);
    ASSERT_GT(rank, 0);
    const rlimit none{3, 3};
    ASSERT_EQ(::prlimit(rank, RLIMIT_NOFILE, &none, nullptr), 0);
    const Ended ended = job.wait();
    EXPECT_EQ(ended.status, 1) << ended.err;
    EXPECT_EQ(status("s.json", "r")["done"], 1);
    EXPECT_EQ(status("s.json", "r")["failed"], 5);
    EXPECT_THAT(status("s.json", "r")["failures"][0]["message"].get<std::string>(), HasSubstr("Too many open files"));
}

TEST_F(StudyMpi, AKilledRankEndsTheJobAndTheNextRunResumes) {
    dir_.write("s.json", slow());
    Process job(ranks("3", {"run", "s.json", "--db", "r"}), {}, dir_.path(""));
    ASSERT_TRUE(wait_until([&] { return runs_in("r") >= 1; }));
    const pid_t victim = busy_rank(job);
    ASSERT_GT(victim, 0);
    ::kill(victim, SIGKILL);
    EXPECT_NE(job.wait().status, 0);
    const json before = status("s.json", "r");
    EXPECT_LT(before["done"], 6);
    EXPECT_EQ(before["failed"], 0);
    const Ended again = run_process(ranks("3", {"run", "s.json", "--db", "r", "--json"}), {}, dir_.path(""));
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("\"done\":6"));
}

} // namespace
} // namespace numavp::test
