/// Branches that are watched: the page of the run lists the page of each branch.
#include <csignal>

#include "base/values/error.h"
#include "platform/live/live_client.h"
#include "tests/platform/cli/live_fixture.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;
using nlohmann::ordered_json;

class LiveBranchCommand : public LiveCli {
  protected:
    /// A kernel that takes a moment before those of `second`.
    void write_steps(const std::string& second) const {
        dir_.write("steps.json", R"({"kernels": [
            {"pattern": "stencil_2d", "parameters": {"nx": 256, "ny": 16, "tile_x": 64, "tile_y": 4, "iterations": 1}},
            {"pattern": "stencil_2d", "parameters": )" +
                                     second + "}]}");
    }
    static Args branch_words(const std::string& out, const Args& more) {
        Args words = {"branch",
                      "numa-aware-2",
                      "steps.json",
                      "--set",
                      "socket.sms=4",
                      "--at",
                      "2",
                      "--unchanged",
                      "--change",
                      "link.balancer=static",
                      "--out",
                      out,
                      "--quiet",
                      "--set",
                      "dispatch.launch_cycles=100"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    std::unique_ptr<Process> branch(const std::string& out, const Args& more) const {
        return start(branch_words(out, more));
    }
};

/// Read all the time, with one worker and with two: the results are those of branches that nobody watches.
TEST_F(LiveBranchCommand, ChangesNoByte) {
    write_steps(R"({"nx": 512, "ny": 64, "tile_x": 64, "tile_y": 8, "iterations": 2})");
    ASSERT_EQ(branch("plain", {})->wait().status, 0);
    for (const char* workers : {"1", "2"}) {
        const Watched run = watched(
            [workers](const std::string& name) {
                return branch_words(name + "-" + workers, {"--live", "--workers", workers});
            },
            [](const ordered_json& last) { return last.at("branches").size() == 2; });
        EXPECT_THAT(run.ended.err, AllOf(HasSubstr("numavp: branch unchanged live at http://127.0.0.1:"),
                                         HasSubstr("numavp: branch link.balancer=static live at http://127.0.0.1:")));
        const std::string out = run.name + "-" + workers;
        for (const char* name : {"/unchanged", "/link.balancer-static"})
            for (const char* file : {"/results.json", "/timeline.json"})
                EXPECT_EQ(text_of(out + name + file), text_of(std::string("plain") + name + file)) << name << file;
    }
    EXPECT_THAT(names_in("runtime/numavp"), IsEmpty());
}

TEST_F(LiveBranchCommand, EachHasAPageThatGoesOnFromTheRun) {
    write_steps(R"({"nx": 16384, "ny": 16384, "tile_x": 64, "tile_y": 8, "iterations": 2})");
    const auto run = branch("b", {"--live", "--jobs", "2"});
    const std::string address = address_of(*run);
    const ordered_json state = state_with(address, "branched", "branches", "address", 2);
    ASSERT_EQ(state.at("branches").size(), 2U);
    EXPECT_EQ(state.at("message"), "the launch of kernel 2 was reached, and 2 branches go on");
    EXPECT_EQ(state.at("process"), run->pid());
    EXPECT_EQ(state.at("kernels").at("ended").size(), 1U) << "the figures before the fork stay";
    const ordered_json& changed = state.at("branches").at(1);
    EXPECT_EQ(changed.at("name"), "link.balancer=static");
    EXPECT_EQ(changed.at("status"), "running");
    EXPECT_EQ(changed.at("results"), "b/link.balancer-static");
    const std::string own = changed.at("address"), other = state.at("branches").at(0).at("address");
    EXPECT_EQ(address_of(*run, "numavp: branch link.balancer=static live at "), own);

    const ordered_json shown = state_with(own, "running", "sockets", "name", 2);
    EXPECT_EQ(shown.at("branch"), "link.balancer=static");
    EXPECT_EQ(shown.at("results"), "b/link.balancer-static");
    EXPECT_NE(shown.at("process"), run->pid());
    EXPECT_GT(shown.at("progress").at("cycle"), state.at("progress").at("cycle")) << "it goes on";
    ASSERT_EQ(shown.at("kernels").at("ended").size(), 1U) << "the kernel before the fork is part of its run";
    EXPECT_EQ(shown.at("kernels").at("ended"), state.at("kernels").at("ended"));
    EXPECT_THROW(live_state_at({live_address(own).port, live_address(address).token}, 20s), ConfigError)
        << "each page has a token of its own";

    EXPECT_THAT(attach({}).out, AllOf(HasSubstr("branched: the launch of kernel 2 was reached"), HasSubstr("Branches"),
                                      HasSubstr(own), HasSubstr(other)))
        << "the branches are no runs to choose from";
    EXPECT_THAT(attach({own}).out, HasSubstr("steps on numa-aware-2, branch link.balancer=static, process"));

    run->send(SIGINT);
    EXPECT_EQ(run->wait().status, 128 + SIGINT) << "as without --live";
    for (const std::string& gone : {address, own, other}) {
        Ended ended = attach({gone});
        for (int i = 0; i < 100 && ended.status == 0; ++i) ended = attach({gone}); // the branches are being ended
        EXPECT_THAT(ended.err, HasSubstr("nothing answers at port"));
    }
}

/// One after the other: the next one waits until a branch has ended, whose page is gone then.
TEST_F(LiveBranchCommand, SaysWhichBranchesWait) {
    write_steps(R"({"nx": 16384, "ny": 16384, "tile_x": 64, "tile_y": 8, "iterations": 2})");
    const auto run = branch("b", {"--live", "--jobs", "1"});
    const std::string address = address_of(*run);
    address_of(*run, "numavp: branch unchanged live at ");
    const ordered_json state = state_with(address, "branched", "branches", "status", 2);
    EXPECT_EQ(state.at("branches").at(0).at("status"), "running");
    EXPECT_EQ(state.at("branches").at(1).at("status"), "waiting");
    EXPECT_EQ(state.at("branches").at(1).at("address"), "");
    run->send(SIGKILL);
}

} // namespace
} // namespace numavp::test
