/// A process that forks branches on request, seen from the process that asks.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <poll.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/values/error.h"
#include "common/files/child_pipe.h"
#include "platform/branches/branch_server.h"
#include "platform/branches/forked_branch.h"

namespace numavp::test {
namespace {

constexpr int kServerEnds = 7;
constexpr std::uint32_t kSleeper = 9; ///< a branch that does not end by itself

class BranchServing : public ::testing::Test {
  protected:
    void SetUp() override {
        BranchSocket socket;
        server_ = ::fork();
        if (server_ == 0) serve(socket);
        client_ = std::make_unique<BranchClient>(std::move(socket.client));
    }
    void TearDown() override {
        if (server_ <= 0) return;
        ::kill(server_, SIGKILL);
        ::waitpid(server_, nullptr, 0);
    }
    BranchMessage next() const {
        for (;;) {
            if (const auto message = client_->take()) return *message;
            if (client_->closed()) return {};
            pollfd input{client_->input(), POLLIN, 0};
            ::poll(&input, 1, -1);
        }
    }
    /// Starts a branch whose output goes nowhere else.
    Descriptor start(std::uint32_t branch) const {
        ChildPipe output("to a branch");
        client_->start(branch, output.write.value(), output.write.value());
        return std::move(output.read);
    }
    static std::string all_of(Descriptor output) {
        std::string text;
        while (output.value() >= 0) {
            pollfd input{output.value(), POLLIN, 0};
            ::poll(&input, 1, -1);
            drain(output, text);
        }
        return text;
    }

    pid_t server_ = -1;
    std::unique_ptr<BranchClient> client_;

  private:
    [[noreturn]] static void serve(BranchSocket& socket) {
        socket.client.close();
        BranchServer server(::dup(socket.server.value()));
        socket.server.close();
        try {
            const std::size_t branch = server.serve(0.25, 2.0);
            if (branch == kSleeper) ::pause();
            if (branch == 3) std::abort();
            end_branch("branch " + std::to_string(branch) + "\n");
        } catch (const BranchesEnded&) {}
        ::_exit(kServerEnds);
    }
};

TEST_F(BranchServing, ForksWhenItIsAsked) {
    const BranchMessage reached = next();
    EXPECT_EQ(reached.kind, BranchMessage::Kind::reached);
    EXPECT_EQ(reached.share, 0.25);
    EXPECT_EQ(reached.seconds, 2.0);
    for (const std::uint32_t branch : {5U, 2U, 5U}) {
        EXPECT_EQ(all_of(start(branch)), "branch " + std::to_string(branch) + "\n");
        const BranchMessage ended = next();
        EXPECT_EQ(ended.kind, BranchMessage::Kind::ended);
        EXPECT_EQ(ended.branch, branch);
        EXPECT_TRUE(WIFEXITED(ended.status));
        EXPECT_EQ(WEXITSTATUS(ended.status), 0);
    }
}

TEST_F(BranchServing, TellsHowABranchCrashed) {
    next();
    EXPECT_EQ(all_of(start(3)), "");
    const BranchMessage ended = next();
    EXPECT_TRUE(WIFSIGNALED(ended.status));
    EXPECT_EQ(WTERMSIG(ended.status), SIGABRT);
}

TEST_F(BranchServing, KillsTheBranchThatIsNamed) {
    next();
    const Descriptor output = start(kSleeper);
    EXPECT_EQ(all_of(start(1)), "branch 1\n");
    EXPECT_EQ(next().branch, 1U) << "the other one runs on";
    client_->kill(kSleeper);
    const BranchMessage ended = next();
    EXPECT_EQ(ended.branch, kSleeper);
    EXPECT_EQ(WTERMSIG(ended.status), SIGKILL);
}

TEST_F(BranchServing, EndsItsBranchesWithTheOtherEnd) {
    next();
    Descriptor output = start(kSleeper);
    EXPECT_EQ(all_of(start(1)), "branch 1\n");
    client_.reset();
    int status = 0;
    ASSERT_EQ(::waitpid(server_, &status, 0), server_);
    server_ = -1;
    EXPECT_EQ(WEXITSTATUS(status), kServerEnds);
    EXPECT_EQ(all_of(std::move(output)), "") << "the branch has closed it";
}

/// Whoever asked is told, and later branches are forked again.
TEST_F(BranchServing, TellsThatABranchHasNoRoomForItsOutput) {
    next();
    rlimit before{};
    ASSERT_EQ(::prlimit(server_, RLIMIT_NOFILE, nullptr, &before), 0);
    const rlimit few{1, before.rlim_max};
    ASSERT_EQ(::prlimit(server_, RLIMIT_NOFILE, &few, nullptr), 0);
    EXPECT_EQ(all_of(start(4)), "");
    const BranchMessage ended = next();
    EXPECT_EQ(ended.kind, BranchMessage::Kind::ended);
    EXPECT_EQ(ended.branch, 4U);
    EXPECT_EQ(ended.no_fork, EMFILE);
    ASSERT_EQ(::prlimit(server_, RLIMIT_NOFILE, &before, nullptr), 0);
    EXPECT_EQ(all_of(start(1)), "branch 1\n");
}

/// What can't be sent is no end of the server.
TEST_F(BranchServing, GoesOnAfterARequestThatCannotBeSent) {
    next();
    EXPECT_THROW(client_->start(4, -1, -1), ModelError);
    EXPECT_FALSE(client_->closed());
    EXPECT_EQ(all_of(start(1)), "branch 1\n");
}

/// Its branches end too, and the other end sees it.
TEST_F(BranchServing, IsSeenToEnd) {
    next();
    Descriptor output = start(kSleeper);
    EXPECT_EQ(all_of(start(1)), "branch 1\n");
    next();
    ::kill(server_, SIGKILL);
    EXPECT_EQ(all_of(std::move(output)), "");
    EXPECT_EQ(next().kind, BranchMessage::Kind::reached) << "nothing was told";
    EXPECT_TRUE(client_->closed());
}

} // namespace
} // namespace numavp::test
