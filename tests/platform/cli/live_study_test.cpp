/// A study that is watched: its page lists the pages of its points, and its results keep their bytes.
#include <csignal>
#include <map>

#include "base/values/error.h"
#include "platform/live/live_client.h"
#include "platform/study/study_store.h"
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

class LiveStudyCommand : public LiveCli {
  protected:
    void SetUp() override {
        // Three points that take minutes each, and two that take a moment.
        dir_.write("long.json", R"({"workloads": ["spmv-powerlaw"], "set": {"socket.sms": 8},
            "systems": [{"label": "aware", "system": "numa-aware-2"}], "metrics": [{"name": "time"}],
            "axes": [{"name": "latency", "path": "link.latency_cycles", "values": [56, 57, 58]}]})");
        dir_.write("short.json", R"({"workloads": ["spmv-mesh", "table-lookup"], "scale": 0.004,
            "set": {"socket.sms": 2, "results.interval_cycles": 500},
            "systems": [{"system": "numa-aware-2"}], "metrics": [{"name": "time"}]})");
    }
    /// results.json of each point by its key.
    std::map<std::string, std::string> results_in(const std::string& db) const {
        const StudyStore store(dir_.path(db), StudyStore::Access::read);
        std::map<std::string, std::string> all;
        for (const StoredRun& run : store.runs()) all[run.key] = store.results(run.key);
        return all;
    }
};

/// Somebody reads all the time, and each point's results are those of a study that nobody watches.
TEST_F(LiveStudyCommand, ChangesNoByte) {
    const Ended plain = numavp({"study", "run", "short.json", "--db", "plain", "--quiet"});
    ASSERT_EQ(plain.status, 0) << plain.err;
    const Watched study = watched(
        [](const std::string& name) { return Args{"study", "run", "short.json", "--db", name, "--quiet", "--live"}; },
        [](const ordered_json& last) { return last.at("progress").at("points") == 2; });
    ASSERT_FALSE(study.last.is_null());
    EXPECT_THAT(study.last.at("status"), AnyOf("ended", "running")) << "the end reaches who waits at that moment";
    EXPECT_EQ(study.last.at("progress").at("points"), 2);
    const auto results = results_in("plain");
    ASSERT_EQ(results.size(), 2U);
    EXPECT_THAT(results.begin()->second, HasSubstr("\"cycles\""));
    EXPECT_EQ(results_in(study.name), results);
    EXPECT_THAT(names_in("runtime/numavp"), IsEmpty()) << "neither study nor points are listed any more";
}

TEST_F(LiveStudyCommand, ListsThePagesOfItsPoints) {
    const auto study = start({"study", "run", "long.json", "--jobs", "2", "--db", "d", "--quiet", "--live"});
    const std::string address = address_of(*study);
    const ordered_json state = state_with(address, "running", "running", "address", 2);
    ASSERT_EQ(state.at("running").size(), 2U);
    EXPECT_EQ(state.at("study"), "long");
    EXPECT_EQ(state.at("results"), "d");
    EXPECT_EQ(state.at("process"), study->pid());
    EXPECT_EQ(state.at("progress").at("points"), 3);
    EXPECT_EQ(state.at("progress").at("running"), 2);
    EXPECT_EQ(state.at("progress").at("waiting"), 1);
    EXPECT_EQ(state.at("waiting").size(), 1U);
    const std::string first = state.at("running").at(0).at("address"), second = state.at("running").at(1).at("address");
    EXPECT_NE(first, second);

    const ordered_json point = state_with(first, "running", "sockets", "name", 2);
    EXPECT_EQ(point.at("workload"), "spmv-powerlaw");
    EXPECT_EQ(point.at("results"), "d") << "the file of the study";
    EXPECT_NE(point.at("process"), study->pid());
    EXPECT_THROW(live_state_at({live_address(address).port, live_address(first).token}, 20s), ConfigError)
        << "each page has a token of its own";

    const Ended shown = attach({});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(
        shown.out,
        AllOf(HasSubstr("study long, process " + std::to_string(study->pid()) + ", results go to d\nrunning: ["),
              HasSubstr("0 of 3 points, 2 running"), HasSubstr(", 1 waiting\n"), HasSubstr("Points that run"),
              HasSubstr(first), HasSubstr(second), HasSubstr("Points that wait (the next)")))
        << "the points are no runs to choose from";
    EXPECT_THAT(attach({first}).out, HasSubstr("spmv-powerlaw on numa-aware-2, process"));

    const auto run = start({"run", "numa-aware-2", "spmv-powerlaw", "--quiet", "--out", "r", "--live"});
    const std::string other = address_of(*run);
    const Ended both = attach({});
    EXPECT_EQ(both.status, 2);
    EXPECT_THAT(both.err, AllOf(HasSubstr("2 runs are live"), HasSubstr(address + " (study long, process "),
                                HasSubstr(other), Not(HasSubstr(first))));

    study->send(SIGINT);
    EXPECT_EQ(study->wait().status, 128 + SIGINT) << "as without --live";
    for (const std::string& gone : {address, first, second})
        EXPECT_THAT(attach({gone}).err, HasSubstr("nothing answers at port"));
}

TEST_F(LiveStudyCommand, ShowsWhyAPointFailed) {
    // So many that a reader comes before the last has failed.
    dir_.write("many.json", R"({"workloads": ["spmv-powerlaw"], "set": {"socket.sms": 8},
        "systems": [{"system": "numa-aware-2"}], "metrics": [{"name": "time"}],
        "axes": [{"name": "latency", "path": "link.latency_cycles",
                  "values": [56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75]}]})");
    const auto study =
        start({"study", "run", "many.json", "--jobs", "1", "--time-limit", "0.3", "--db", "d", "--quiet", "--live"});
    const ordered_json state = state_with(address_of(*study), "running", "failed", "message");
    EXPECT_THAT(state.at("failed").at(0).at("message").get<std::string>(),
                HasSubstr("it was ended after its time limit of 0.3 s"))
        << "and nothing of its page's address";
    EXPECT_GE(state.at("progress").at("failed"), 1);
    study->send(SIGKILL);
}

TEST_F(LiveStudyCommand, WordsOfTheCommandLine) {
    expect_fault({"study", "status", "short.json", "--live"},
                 "--live is not an option of 'study status'; it is allowed with 'study run'");
    expect_fault({"study", "run", "short.json", "--live", "70000"}, "--live: '70000' is not a port from 0 to 65535");
}

} // namespace
} // namespace numavp::test
