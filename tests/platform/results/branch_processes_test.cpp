/// Processes in which a run goes on: what they print and how they end comes to the process that has forked.
#include <csignal>
#include <cstdio>
#include <fstream>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/values/error.h"
#include "platform/branches/branch_processes.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// How branches end that each call `body` and leave with its result.
template <class Body>
std::map<std::size_t, BranchEnd> ends_of(std::size_t branches, std::size_t jobs, const Body& body,
                                         const BranchHooks& hooks = {}) {
    std::map<std::size_t, BranchEnd> ends;
    const auto on_end = [&](std::size_t branch, const BranchEnd& end) {
        EXPECT_TRUE(ends.emplace(branch, end).second) << "branch " << branch << " ended twice";
    };
    BranchProcesses processes(branches, jobs, on_end, hooks);
    try {
        const std::size_t branch = processes.fork_all();
        const int status = body(branch);
        std::fflush(nullptr);
        ::_exit(status);
    } catch (const BranchesEnded&) {
        EXPECT_FALSE(processes.branch());
    }
    return ends;
}

TEST(BranchProcesses, TellWhatTheyPrint) {
    const auto ends = ends_of(3, 2, [](std::size_t branch) {
        std::printf("%zu\n", branch);
        return 0;
    });
    ASSERT_EQ(ends.size(), 3U);
    for (const auto& [branch, end] : ends) {
        EXPECT_EQ(end.status, 0);
        EXPECT_EQ(end.said, std::to_string(branch) + "\n");
        EXPECT_EQ(end.complaint, "");
    }
}

/// A line that the hook takes comes while the branch goes on, and is no part of what it said.
TEST(BranchProcesses, GiveLinesWhileTheyGoOn) {
    std::vector<std::string> seen;
    BranchHooks hooks;
    hooks.before_fork = [&seen] { seen.emplace_back("before"); };
    hooks.after_fork = [&seen](std::size_t branch) { seen.push_back("after " + std::to_string(branch)); };
    hooks.take_line = [&seen](std::size_t branch, const std::string& line) {
        seen.push_back(std::to_string(branch) + " " + line);
        return line == "mine";
    };
    const auto body = [](std::size_t) {
        std::fputs("one\nmine\n", stdout);
        std::fflush(stdout);
        std::fputs("two\nthree", stdout); // no whole line
        return 0;
    };
    const auto ends = ends_of(1, 1, body, hooks);
    EXPECT_EQ(ends.at(0).said, "one\ntwo\nthree");
    EXPECT_EQ(seen, (std::vector<std::string>{"before", "after 0", "0 one", "0 mine", "0 two"}));
}

/// A thread of the process would be missing in its branches.
TEST(BranchProcesses, RefuseThreadsThatAreLeft) {
    std::promise<void> over;
    std::thread other([&over] { over.get_future().wait(); });
    std::vector<std::string> seen;
    BranchHooks hooks;
    hooks.before_fork = [&seen] { seen.emplace_back("before"); };
    hooks.after_fork = [&seen](std::size_t branch) { seen.push_back("after " + std::to_string(branch)); };
    try {
        BranchProcesses(
            1, 1, [](std::size_t, const BranchEnd&) {}, hooks)
            .fork_all();
        ADD_FAILURE() << "it has forked";
    } catch (const ConfigError& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("the process has 1 threads besides its own"));
    }
    over.set_value();
    other.join();
    EXPECT_EQ(seen, (std::vector<std::string>{"before", "after 0"})) << "a page that was paused goes on";
}

/// A fault beside a fork ends the branch with the rest.
TEST(BranchProcesses, LeaveNoBranchBehindAFault) {
    BranchHooks hooks;
    hooks.after_fork = [](std::size_t) { throw ConfigError("page", "gone"); };
    {
        BranchProcesses processes(
            1, 1, [](std::size_t, const BranchEnd&) {}, hooks);
        try {
            processes.fork_all();
            ::pause(); // the branch
        } catch (const ConfigError&) {}
    }
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

/// One that fails, and one that crashes, leave the others.
TEST(BranchProcesses, FailEachForItself) {
    const auto ends = ends_of(3, 3, [](std::size_t branch) {
        if (branch == 0) std::fputs("numavp: no room\n", stderr);
        if (branch == 1) std::raise(SIGKILL);
        return branch == 0 ? 2 : 0;
    });
    EXPECT_EQ(ends.at(0).status, 2);
    EXPECT_EQ(ends.at(0).complaint, "no room");
    EXPECT_EQ(ends.at(1).status, 128 + SIGKILL);
    EXPECT_THAT(ends.at(1).complaint, StartsWith("it was ended by signal 9"));
    EXPECT_EQ(ends.at(2).status, 0);
}

/// What stands in a buffer is written once.
TEST(BranchProcesses, BeginWithFlushedStreams) {
    const TempDir folder;
    const std::string path = folder.path("log");
    std::FILE* const log = std::fopen(path.c_str(), "w");
    std::fputs("before\n", log);
    ends_of(2, 2, [log](std::size_t) { return std::fputs("", log) < 0 ? 1 : 0; });
    std::fclose(log);
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text, "before\n");
}

/// With one job the second begins when the first has ended.
TEST(BranchProcesses, AreNoMoreThanJobs) {
    const TempDir folder;
    const std::string mark = folder.path("mark");
    const auto ends = ends_of(3, 1, [&mark](std::size_t) {
        const bool alone = !std::ifstream(mark).good();
        std::ofstream(mark) << "here";
        ::usleep(20'000);
        std::remove(mark.c_str());
        return alone ? 0 : 1;
    });
    for (const auto& [branch, end] : ends) EXPECT_EQ(end.status, 0) << branch;
}

} // namespace
} // namespace numavp::test
