/// Points in processes: what can't be had, and how they end.
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <thread>
#include <unistd.h>

#include <sys/resource.h>

#include "common/files/child_pipe.h"
#include "platform/study/study_process.h"
#include "platform/study/study_worker.h"
#include "tests/platform/study/study_fixture.h"
#include "tests/support/fast_build.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

std::size_t open_files() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

/// No descriptors but the first `room` of those that are free.
class FewFiles {
  public:
    explicit FewFiles(std::size_t room) {
        std::vector<int> next;
        while (next.size() <= room) next.push_back(::open("/dev/null", O_RDONLY));
        for (const int file : next) ::close(file);
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit now{static_cast<rlim_t>(next.back()), before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &now);
    }
    ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    FewFiles(const FewFiles&) = delete;
    FewFiles& operator=(const FewFiles&) = delete;

  private:
    rlimit before_{};
};

/// A process whose output and end the test makes.
class MadePoint final : public PointProcess {
  public:
    explicit MadePoint(double time_limit_s) : PointProcess(time_limit_s, 0.0) {
        ChildPipe output("to a test");
        ChildPipe errors("to a test");
        output_ = std::move(output.write);
        read_from(std::move(output.read), std::move(errors.read));
    }
    void tell(const std::string& line) const {
        ASSERT_EQ(::write(output_.value(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    /// With a status; without one nobody knows how.
    void end(std::optional<int> status) {
        output_.close();
        over_ = true;
        status_ = status;
    }
    bool is_killed() const { return killed_; }

  protected:
    void kill() override { killed_ = true; }
    void look_for_end() override {
        if (!over_) return;
        if (status_)
            has_ended(*status_);
        else
            is_lost("its host is gone");
    }

  private:
    Descriptor output_;
    bool killed_ = false, over_ = false;
    std::optional<int> status_;
};

constexpr double kShortLimit = 0.001;
constexpr double kLongLimit = 1000.0;

TEST(PointProcess, IsKilledAfterItsTimeLimit) {
    MadePoint point(kShortLimit);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_FALSE(point.advance());
    EXPECT_TRUE(point.is_killed());
}

/// It may wait for readers of its page.
TEST(PointProcess, HasTimeToEndOnceItHasToldItsResults) {
    MadePoint point(kShortLimit);
    PointOutcome outcome;
    outcome.done = true;
    point.tell(ordered_json({{"outcome", outcome_text(outcome)}}).dump() + "\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_FALSE(point.advance());
    EXPECT_FALSE(point.is_killed());
    point.end(0);
    EXPECT_TRUE(point.advance());
    EXPECT_TRUE(point.ended().outcome.done) << point.ended().outcome.message;
}

TEST(PointProcess, RunsWholeAgainIfItIsLost) {
    MadePoint point(kLongLimit);
    point.end(std::nullopt);
    EXPECT_TRUE(point.advance());
    EXPECT_TRUE(point.ended().run_whole);
    EXPECT_EQ(point.ended().outcome.message, "its host is gone");
}

TEST(PointWorkers, ShareBeginningsUnlessPointsHavePages) {
    EXPECT_EQ(LocalWorkers(1).why_unshared(), "");
    EXPECT_EQ(LocalWorkers(1, {"--live", "--db", "r"}).why_unshared(),
              "with --live each has a page of its own from its start");
}

TEST(PointWorkers, APointWithoutAProcessFailsAloneAndLeavesNothingOpen) {
    if (!kFastBuild) GTEST_SKIP() << kSanitizersOpenFiles;
    const std::size_t before = open_files();
    LocalWorkers workers(2);
    // Room for the job, for the first pipe, and not for the second one.
    for (const std::size_t room : {0U, 1U, 2U, 3U, 4U}) {
        {
            const FewFiles few(room);
            workers.start(1, PointJob());
        }
        const std::vector<PointWorkers::Ended> ended = workers.wait(10000);
        ASSERT_EQ(ended.size(), 1U) << room;
        EXPECT_EQ(ended[0].slot, 1U);
        EXPECT_FALSE(ended[0].outcome.done);
        EXPECT_THAT(ended[0].outcome.message, HasSubstr("Too many open files"));
        EXPECT_EQ(open_files(), before) << room;
        EXPECT_TRUE(workers.wait(0).empty());
    }
}

} // namespace
} // namespace numavp::test
