/// Points in processes that can't be had.
#include <fcntl.h>
#include <unistd.h>

#include <sys/resource.h>

#include "platform/study/study_process.h"
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
