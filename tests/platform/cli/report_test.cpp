/// Reports and machine-readable tables as users ask for them.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Report : public Cli {
  protected:
    /// With a library that only stands for ECharts.
    Ended with_library(const Args& words) const {
        dir_.write("lib/echarts.min.js", "var echarts = {};");
        Args all = environment();
        all.push_back("NUMAVP_ECHARTS=" + dir_.path("lib/echarts.min.js"));
        return run_process(program(words), all, dir_.path(""));
    }
    static std::string line_of(const std::string& text, std::size_t number) {
        std::size_t at = 0;
        for (; number > 0; --number) at = text.find('\n', at) + 1;
        return text.substr(at, text.find('\n', at) - at);
    }
};

TEST_F(Report, LiesBesideTheResults) {
    ASSERT_EQ(with_library(small_run_words({"--out", "out", "--report"})).status, 0);
    EXPECT_THAT(names_in("out"), ElementsAre("report.html", "results.json", "run.json", "timeline.json"));
    EXPECT_THAT(text_of("out/report.html"), StartsWith("<!DOCTYPE html>"));
}

TEST_F(Report, ReplacesNoFileOfTheUsers) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    dir_.write("out/report.html", "my notes");
    const Ended run = with_library(small_run_words({"--out", "out", "--report"}));
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("--report: the folder out has a file report.html that no run wrote"));
    const Ended report = with_library({"report", "out"});
    EXPECT_EQ(report.status, 2);
    EXPECT_THAT(report.err, HasSubstr("this file is no report of numavp; --out with another name is expected"));
    EXPECT_EQ(text_of("out/report.html"), "my notes");
    dir_.write("out/report.html", "");
    EXPECT_EQ(with_library({"report", "out", "--out", "other.html"}).status, 0);
    ASSERT_EQ(std::remove(dir_.path("out/report.html").c_str()), 0);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(with_library({"report", "out"}).status, 0) << "one of numavp's is replaced";
}

/// What was simulated is kept if the page can't be made.
TEST_F(Report, ThatFailsLeavesTheResults) {
    Args all = environment();
    all.push_back("NUMAVP_ECHARTS=/proc/self/mem"); // a file that is there and can't be read
    const Ended ended = run_process(program(small_run_words({"--out", "out", "--report"})), all, dir_.path(""));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("--report: /proc/self/mem: it can't be read"),
                                 HasSubstr("the results without it are in out")));
    EXPECT_THAT(names_in("out"), ElementsAre("results.json", "run.json", "timeline.json"));
    EXPECT_EQ(numavp({"check", "out"}).status, 0);
}

/// One socket without SMs, one without memory: nothing of them is divided by what they lack.
TEST_F(Report, IsOfSocketsThatDifferToo) {
    const Args words = {"run",
                        "numa-aware-4",
                        "spmv-powerlaw",
                        "--scale",
                        "0.01",
                        "--set",
                        "socket.sms=4",
                        "--set",
                        "socket[0].sms=0",
                        "--set",
                        "socket[2].memory.capacity_gib=0",
                        "--set",
                        "results.interval_cycles=500",
                        "--out",
                        "out",
                        "--report"};
    const Ended ended = with_library(words);
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("Issue slots of the warp schedulers"));
    EXPECT_EQ(numavp({"check", "out"}).status, 0);
    const auto timeline = json_of("out/timeline.json");
    for (const auto& event : timeline.at("traceEvents")) {
        if (event["ph"] != "C") continue;
        for (const auto& value : event["args"]) ASSERT_TRUE(value.is_number()) << event;
    }
    // What the record says of the machine can be changed as the first run's settings could.
    const Args changed = {"--set", "socket.noc.latency_cycles=40", "--quiet"};
    Args again = {"run", "out", "--out", "again"};
    again.insert(again.end(), changed.begin(), changed.end());
    ASSERT_EQ(numavp(again).status, 0);
    EXPECT_GT(json_of("again/results.json").at("cycles"), json_of("out/results.json").at("cycles"));
}

TEST_F(Report, IsMadeLaterToo) {
    ASSERT_EQ(with_library(small_run_words({"--out", "out", "--report"})).status, 0);
    const Ended ended = with_library({"report", "out", "--out", "again.html"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.out, "report in again.html\n");
    EXPECT_EQ(text_of("again.html"), text_of("out/report.html"));
    EXPECT_EQ(with_library({"report", "out"}).out, "report in out/report.html\n");
}

TEST_F(Report, OfAStudysRows) {
    const std::string rows = source_dir() + "/tests/platform/report/rows.json";
    const Ended ended = with_library({"report", rows, "--out", "study.html"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(text_of("study.html"), HasSubstr("Figure 11"));
}

TEST_F(Report, SaysWhatIsMissingBeforeItSimulates) {
    const Args none = {environment()[0], "NUMAVP_ECHARTS=" + dir_.path("none.js")};
    const Ended ended = run_process(program(small_run_words({"--out", "out", "--report"})), none, dir_.path(""));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("NUMAVP_ECHARTS: there is no file"));
    EXPECT_FALSE(exists("out"));
}

TEST_F(Report, OfDamagedResultsIsASentenceWithItsPlace) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const auto whole = json_of("out/results.json");
    const auto said_of = [&](const std::function<void(nlohmann::json&)>& damage) {
        nlohmann::json damaged = whole;
        damage(damaged);
        dir_.write("out/results.json", damaged.dump());
        const Ended ended = with_library({"report", "out"});
        EXPECT_EQ(ended.status, 2) << ended.err;
        EXPECT_THAT(ended.err, Not(HasSubstr("exception")));
        return ended.err;
    };
    EXPECT_THAT(said_of([](auto& r) {
                    r["statistics"].erase("socket1");
                    r.erase("ratios");
                    r.erase("kernels");
                }),
                AllOf(HasSubstr("$.statistics.socket1"), HasSubstr("all 2 sockets of the configuration are expected")));
    EXPECT_THAT(said_of([](auto& r) { r["cycles"] = "many"; }), HasSubstr("results.json: $.cycles"));
    EXPECT_THAT(said_of([](auto& r) { r.erase("workload"); }), HasSubstr("the key 'workload' is missing"));
    EXPECT_THAT(said_of([](auto& r) { r = nlohmann::json::array({1, 2}); }), HasSubstr("this is not an object"));
}

TEST_F(Report, RefusesWhatHasNoResults) {
    expect_fault({"report", "nothing"}, "there are no results");
    expect_fault({"report", "."}, "there are no results");
    expect_fault({"report"}, "RESULTS is required");
    const std::pair<const char*, const char*> rows[] = {
        {"{}", "rows.json: rows of a study: this is not a list; a list of rows is expected"},
        {"[5]", "rows.json: rows of a study: $[0]: this is not an object"}};
    for (const auto& [text, sentence] : rows) {
        dir_.write("rows.json", text);
        const Ended ended = with_library({"report", "rows.json"});
        EXPECT_EQ(ended.status, 2);
        EXPECT_THAT(ended.err, HasSubstr(sentence));
    }
}

TEST_F(Report, SummaryAsCsv) {
    const Ended ended = small_run({"--out", "out", "--csv"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, StartsWith("path,value\nsystem,numa-aware-2\nworkload,spmv-powerlaw\n"));
    EXPECT_THAT(ended.out, HasSubstr("\ncycles," + json_of("out/results.json")["cycles"].dump() + "\n"));
    EXPECT_THAT(ended.out, HasSubstr("\nsockets.1.l1_hit_rate,0."));
    expect_fault({"run", "--csv", "--json"}, "--json");
}

TEST_F(Report, ListsAndConnectionsAsCsv) {
    const Ended list = numavp({"list", "settings", "--csv"});
    expect_fault({"list", "settings", "--csv", "--json"}, "--csv does not go with --json");
    EXPECT_EQ(line_of(list.out, 0), "setting,default,allowed,description");
    EXPECT_THAT(list.out, HasSubstr("\nsocket.l2.ways,16,1 to 64 ways,"));
    const Ended paths = numavp({"explain", "numa-aware-4", "--csv"});
    EXPECT_EQ(line_of(paths.out, 0), "what,count,gbps,latency_cycles");
    EXPECT_THAT(paths.out, HasSubstr("\n\"link lanes out, to the switch\",8,64.0,56\n"));
}

// --- the timeline, as Perfetto reads it

using Track = std::pair<int, int>; ///< process and thread

TEST_F(Report, TimelineNamesEveryTrackAndIsInOrder) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    std::set<int> processes;
    std::set<Track> threads;
    std::map<Track, double> busy_until;
    double before = 0.0;
    const auto timeline = json_of("out/timeline.json");
    for (const auto& event : timeline["traceEvents"]) {
        const std::string phase = event["ph"];
        const int pid = event["pid"];
        if (phase == "M") {
            if (event["name"] == "process_name") processes.insert(pid);
            if (event["name"] == "thread_name") threads.insert({pid, event["tid"]});
            EXPECT_EQ(before, 0.0) << "names come first";
            continue;
        }
        EXPECT_EQ(processes.count(pid), 1U) << event;
        const double ts = event["ts"];
        EXPECT_GE(ts, before) << event;
        before = ts;
        if (phase == "C") {
            const bool stacked = event["name"] == "slots, %"; // of all slots, and nothing at the end
            EXPECT_EQ(event["args"].size(), stacked ? 8U : 1U) << event;
            double sum = 0.0;
            for (const auto& value : event["args"]) sum += value.get<double>();
            if (stacked && sum != 0.0) {
                EXPECT_NEAR(sum, 100.0, 1e-9) << event;
            }
            continue;
        }
        const Track track(pid, event["tid"]);
        EXPECT_EQ(threads.count(track), 1U) << event;
        EXPECT_EQ(event.value("s", ""), phase == "i" ? "t" : "");
        if (phase != "X") continue;
        EXPECT_GE(ts, busy_until[track] - 1e-6) << "spans of a thread do not overlap: " << event;
        busy_until[track] = ts + event["dur"].get<double>();
    }
}

TEST_F(Report, TimelineHasWhatHappened) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const auto results = json_of("out/results.json");
    std::map<std::string, std::uint64_t> events;
    std::set<std::string> counters;
    std::uint64_t blocks = 0;
    const auto timeline = json_of("out/timeline.json");
    for (const auto& event : timeline["traceEvents"]) {
        const std::string name = event["name"];
        if (event["ph"] == "C") counters.insert(name);
        if (name == "link.out_use") {
            EXPECT_LE(event["args"]["%"], 100.0 + 1e-9);
        }
        if (!event.contains("cat")) continue;
        ++events[event["cat"]];
        if (event["cat"] == "blocks") blocks += event["args"]["blocks"].get<std::uint64_t>();
    }
    const std::uint64_t kernels = results["statistics"]["system"]["kernels"];
    EXPECT_EQ(events["launch"], kernels);
    EXPECT_EQ(events["kernel"], kernels);
    EXPECT_EQ(events["flush"], kernels);
    EXPECT_EQ(blocks, results["workload"]["blocks"]) << "every block is in one wave";
    EXPECT_GE(events["blocks"], 2 * kernels);
    for (const char* name :
         {"link.out_use", "link.in_use", "link.lanes_out", "ways.l2_local", "memory.allocated_bytes"})
        EXPECT_EQ(counters.count(name), 1U) << name;
}

TEST_F(Report, TrafficSumsToWhatTheLinksCarried) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const auto results = json_of("out/results.json");
    const auto& statistics = results["statistics"];
    EXPECT_GT(statistics["switch"]["from0"]["to1"]["bytes"], 0);
    EXPECT_EQ(statistics["switch"]["from0"]["to1"]["bytes"], statistics["socket0"]["link"]["out"]["bytes"]);
    EXPECT_EQ(statistics["switch"]["from0"]["to1"]["bytes"], statistics["socket1"]["link"]["in"]["bytes"]);
    EXPECT_EQ(statistics["switch"]["from1"]["to0"]["bytes"], statistics["socket0"]["link"]["in"]["bytes"]);
}

} // namespace
} // namespace numavp::test
