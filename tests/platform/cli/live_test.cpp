/// A run that is watched: its page, `numavp attach`, and what stays as it is.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <thread>

#include "platform/live/live_client.h"
#include "tests/platform/cli/live_fixture.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;
using nlohmann::ordered_json;

class Live : public LiveCli {
  protected:
    /// A run that takes minutes.
    std::unique_ptr<Process> start_long(const std::string& out, const Args& more = {"--live"}) const {
        Args words{"run", "numa-aware-2", "spmv-powerlaw", "--quiet", "--set", "socket.sms=8", "--out", out};
        words.insert(words.end(), more.begin(), more.end());
        return start(words);
    }
    /// The state of a run once its SMs have had answers.
    static ordered_json running_state(const std::string& address) {
        for (int i = 0; i < 500; ++i) {
            const auto text = live_state_at(live_address(address), 20s);
            if (!text) break;
            ordered_json state = ordered_json::parse(*text);
            if (state.at("status") == "running" && !state.at("accesses").at("last").empty()) return state;
            std::this_thread::sleep_for(10ms);
        }
        ADD_FAILURE() << "no run at " << address;
        return {};
    }
};

/// Somebody reads all the time, and results and timeline are those of a run that nobody watches.
TEST_F(Live, ChangesNoByte) {
    ASSERT_EQ(small_run({"--out", "plain"}).status, 0);
    const Watched run = watched(
        [](const std::string& name) {
            return small_run_words({"--out", name, "--live"});
        },
        [](const ordered_json& last) { return last.at("progress").at("cycle") > 0; });
    ASSERT_FALSE(run.last.is_null());
    EXPECT_THAT(run.last.at("status"), AnyOf("ended", "running"))
        << "the end reaches who waits for data at that moment";
    EXPECT_EQ(text_of(run.name + "/results.json"), text_of("plain/results.json"));
    EXPECT_EQ(text_of(run.name + "/timeline.json"), text_of("plain/timeline.json"));
    EXPECT_EQ(names_in(run.name), names_in("plain"));
    EXPECT_THAT(text_of(run.name + "/run.json"), Not(HasSubstr(live_address(run.address).token)));
    EXPECT_THAT(names_in("runtime/numavp"), IsEmpty());
}

/// What the view shows is what the run records: a link's use of its lanes, memory, kernels.
TEST_F(Live, ShowsWhatTheRunRecords) {
    const auto run = start_long("out");
    const std::string address = address_of(*run);
    const ordered_json state = running_state(address);
    EXPECT_EQ(state.at("system"), "numa-aware-2");
    EXPECT_EQ(state.at("results"), "out");
    EXPECT_EQ(state.at("process"), run->pid());
    EXPECT_GT(state.at("progress").at("blocks_total"), 0);
    EXPECT_EQ(state.at("kernels").at("running").size(), 1U);
    for (const ordered_json& socket : state.at("sockets")) {
        double slots = 0;
        for (const auto& [cause, share] : socket.at("slots").items()) slots += share.get<double>();
        EXPECT_NEAR(slots, 1.0, 0.001) << "each slot has one cause";
        EXPECT_LE(socket.at("memory_use"), 1.0);
        EXPECT_LE(socket.at("link_out_use"), 1.0);
        EXPECT_LE(socket.at("lanes_out").get<int>() + socket.at("lanes_in").get<int>(), 16) << "less while one turns";
        EXPECT_GE(socket.at("lanes_out").get<int>(), 1);
    }
    EXPECT_THAT(state.at("waits").dump(), HasSubstr(R"("verb":"waits for")"));

    const Ended shown = attach({address});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("spmv-powerlaw on numa-aware-2, process " + std::to_string(run->pid()) +
                                           ", results go to out\nrunning: ["),
                                 HasSubstr("kernel 1 of 6"), HasSubstr("\n  socket 1  "),
                                 HasSubstr("Who waits for what"), HasSubstr("Last accesses (of one in 1,000)")));
    EXPECT_THAT(shown.out, Not(HasSubstr("\033"))) << "a pipe is no terminal";
    EXPECT_EQ(attach({}).out.substr(0, 40), shown.out.substr(0, 40)) << "the only run needs no address";
}

/// Two at once; one is killed while a reader waits, and another takes its port.
TEST_F(Live, RunsDieAndOthersCome) {
    const auto first = start_long("a"), second = start_long("b");
    const std::string one = address_of(*first), two = address_of(*second);
    EXPECT_NE(one, two);
    running_state(one);
    EXPECT_EQ(running_state(two).at("results"), "b");
    const Ended both = attach({});
    EXPECT_EQ(both.status, 2);
    EXPECT_THAT(both.err, AllOf(HasSubstr("2 runs are live"), HasSubstr(one), HasSubstr(two)));

    std::atomic<bool> told{false};
    std::thread reader([&] {
        while (live_state_at(live_address(one), 20s)) {}
        told = true;
    });
    std::this_thread::sleep_for(20ms);
    first->send(SIGKILL);
    EXPECT_EQ(first->wait().signal, SIGKILL);
    reader.join();
    EXPECT_TRUE(told) << "a reader does not wait for a run that is dead";
    EXPECT_THAT(attach({one}).err, HasSubstr("nothing answers at port"));

    const std::string port = std::to_string(live_address(one).port);
    const auto third = start_long("c", {"--live", port});
    EXPECT_EQ(live_address(address_of(*third)).port, live_address(one).port);
    EXPECT_THAT(attach({one}).err, HasSubstr("another run is there now, which has another token"));
    Args taken = small_run_words({"--out", "d", "--live", port});
    const Ended refused = run_process(program(taken), live_environment(), dir_.path(""));
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.err, "numavp: --live: port " + port +
                               " of 127.0.0.1 is in use; another port, or none for any that is free, is expected\n");
    second->send(SIGINT);
    EXPECT_EQ(second->wait().status, 128 + SIGINT) << "as without --live";
}

TEST_F(Live, WordsOfTheCommandLine) {
    expect_fault({"run", "numa-4", "spmv-mesh", "--scale", "0.01", "--live", "70000"},
                 "--live: '70000' is not a port from 0 to 65535");
    expect_fault({"run", "--live", "no-such-system"}, "unknown system 'no-such-system'"); // and no port
    expect_fault({"attach", "8123"}, "'8123' is no address of a run");
    const Ended none = attach({});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("no run of yours is live here"));
}

} // namespace
} // namespace numavp::test
