/// Statistics by kernel as users see them, and runs of some of a workload's launches.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;

constexpr const char* kSix = R"({"kernels": [
    {"pattern": "compute", "repeat": 2, "parameters": {"threads": 256}},
    {"pattern": "reduction", "parameters": {"blocks": 16, "read_bytes": 4096, "iterations": 1, "threads": 128}},
    {"pattern": "compute", "repeat": 2, "stream": 1, "parameters": {"threads": 128}}]})";

class Kernels : public Cli {
  protected:
    void SetUp() override { dir_.write("six.json", kSix); }
    void run(Args more, const std::string& workload = "six.json") const {
        const Args words = {"run", "numa-aware-2", workload, "--quiet", "--set", "socket.sms=4"};
        more.insert(more.begin(), words.begin(), words.end());
        const Ended ended = numavp(more);
        ASSERT_EQ(ended.status, 0) << ended.err;
    }
    ordered_json rows(const std::string& folder) const { return json_of(folder + "/results.json")["kernels"]["rows"]; }
};

TEST_F(Kernels, SumToTheStatisticsAndCheckAddsThemUp) {
    run({"--out", "out"});
    const Ended check = numavp({"check", "out"});
    EXPECT_EQ(check.status, 0) << check.err;
    ordered_json results = json_of("out/results.json");
    const ordered_json whole = results;
    auto& fills = results["kernels"]["counters"]["socket0.l2.fills"];
    fills.back() = fills.back().get<std::uint64_t>() + 1;
    dir_.write("wrong.json", results.dump());
    expect_fault({"check", "wrong.json"}, R"($.kernels.counters["socket0.l2.fills"]: its rows sum to )");
    results = whole;
    results["cycles"] = results["cycles"].get<std::uint64_t>() + 1;
    dir_.write("wrong.json", results.dump());
    expect_fault({"check", "wrong.json"}, "$.kernels.rows.cycles: its rows sum to ");
    results = whole;
    results["kernels"]["rows"]["name"].push_back("more");
    dir_.write("wrong.json", results.dump());
    expect_fault({"check", "wrong.json"}, "values is expected, one for each row");
    results = whole;
    results["kernels"]["counters"]["socket0.l2.fill"] = results["kernels"]["counters"]["socket0.l2.fills"];
    dir_.write("wrong.json", results.dump());
    expect_fault({"check", "wrong.json"}, R"($.kernels.counters["socket0.l2.fill"]: 'statistics' does not have it)");
    results = whole;
    results.erase("kernels"); // results of earlier versions
    dir_.write("old.json", results.dump());
    EXPECT_EQ(numavp({"check", "old.json"}).status, 0);
}

TEST_F(Kernels, SpansOfTheTimelineHaveTheirFigures) {
    run({"--out", "out"});
    const ordered_json timeline = json_of("out/timeline.json"), results = json_of("out/results.json");
    const ordered_json& kernels = results["kernels"];
    std::size_t spans = 0;
    for (const auto& event : timeline["traceEvents"]) {
        if (event.value("cat", "") != "kernel") continue;
        const auto row = event["args"]["launch"].get<std::size_t>() - 1;
        EXPECT_EQ(event["name"], kernels["rows"]["name"][row]);
        EXPECT_EQ(event["args"]["alone_cycles"], kernels["rows"]["cycles"][row]);
        EXPECT_EQ(event["args"].contains("warp_instructions"), event["args"]["alone_cycles"] != 0);
        EXPECT_EQ(event["args"].value("warp_instructions", 0), kernels["counters"]["system.warp_instructions"][row]);
        EXPECT_EQ(event["args"]["cycles"].get<std::uint64_t>() + event["args"]["cycle"].get<std::uint64_t>(),
                  kernels["rows"]["ended"][row]);
        ++spans;
    }
    EXPECT_EQ(spans, 6U);
}

TEST_F(Kernels, StreamsSumToTheRun) {
    const Args words = {"run", "numa-aware-2", "six.json", "--set", "socket.sms=4", "--out"};
    const auto with = [&](const Args& more) {
        Args all = words;
        all.insert(all.end(), more.begin(), more.end());
        return numavp(all);
    };
    const Ended ended = with({"out", "--json"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    const ordered_json streams = ordered_json::parse(ended.out)["streams"], results = json_of("out/results.json");
    std::vector<std::string> names;
    std::map<std::string, std::uint64_t> sums;
    for (const ordered_json& row : streams) {
        names.push_back(row["kind"].get<std::string>() + " " + row["streams"].dump());
        for (const char* const name : {"cycles", "warp_instructions", "memory_bytes", "link_bytes"})
            sums[name] += row[name].get<std::uint64_t>();
        EXPECT_TRUE(row["load_p99_ns"].is_null()) << "percentiles do not add up";
    }
    EXPECT_THAT(names, ::testing::ElementsAre("stream \"0\"", "stream \"1\"", "overlap \"0+1\"", "outside null"));
    EXPECT_EQ(streams[0]["launches"], 4);
    EXPECT_EQ(streams[1]["launches"], 2);
    EXPECT_TRUE(streams[2]["launches"].is_null());
    const ordered_json& statistics = results["statistics"];
    EXPECT_EQ(sums["cycles"], results["cycles"]);
    EXPECT_EQ(sums["warp_instructions"], statistics["system"]["warp_instructions"]);
    std::uint64_t memory = 0, link = 0;
    for (const char* const socket : {"socket0", "socket1"}) {
        const ordered_json& of = statistics[socket];
        memory += of["memory"]["read_bytes"].get<std::uint64_t>() + of["memory"]["write_bytes"].get<std::uint64_t>();
        link += of["link"]["out"]["bytes"].get<std::uint64_t>();
    }
    EXPECT_EQ(sums["memory_bytes"], memory);
    EXPECT_EQ(sums["link_bytes"], link);
    EXPECT_THAT(with({"text"}).out, HasSubstr("\nStreams (rows sum to the run"));
    EXPECT_THAT(with({"one", "--kernels", "1..3"}).out, ::testing::Not(HasSubstr("\nStreams"))) << "there is one";
}

TEST_F(Kernels, SomeOfThemRun) {
    run({"--out", "all"});
    run({"--out", "range", "--kernels", "2..3"});
    run({"--out", "ends", "--skip-to", "2", "--until-kernel", "3"});
    run({"--out", "one", "--kernels", "3"});
    run({"--out", "rest", "--kernels", "5.."});
    run({"--out", "first", "--until-kernel", "2"});
    const ordered_json range = json_of("range/results.json");
    EXPECT_EQ(range["workload"]["kernels"], "2..3");
    EXPECT_EQ(range["workload"]["launches"], 2);
    EXPECT_EQ(range["statistics"]["system"]["blocks"], range["workload"]["blocks"]);
    EXPECT_LT(range["workload"]["blocks"], json_of("all/results.json")["workload"]["blocks"]);
    EXPECT_FALSE(json_of("all/results.json")["workload"].contains("kernels"));
    EXPECT_EQ(text_of("range/results.json"), text_of("ends/results.json"));
    EXPECT_EQ(rows("range")["launch"].dump(), "[2,3,null]");
    EXPECT_EQ(rows("one")["launch"].dump(), "[3,null]");
    EXPECT_EQ(rows("rest")["launch"].dump(), "[5,6,null]");
    EXPECT_EQ(rows("rest")["streams"].dump(), R"(["1","1",null])");
    EXPECT_EQ(rows("first")["launch"].dump(), "[1,2,null]");
    dir_.write("schema.json", numavp({"schema", "results"}).out);
    const Ended applied = run_process({"/usr/bin/python3", source_dir() + "/tests/platform/cli/apply_schema.py",
                                       dir_.path("schema.json"), dir_.path("range/results.json")});
    EXPECT_EQ(applied.status, 0) << applied.out << applied.err;
}

TEST_F(Kernels, OfATraceTooWithItsCopies) {
    const std::string list = source_dir() + "/tests/data/traces/kernelslist.g";
    run({"--out", "all"}, list);
    run({"--out", "some", "--kernels", "2..3"}, list);
    EXPECT_EQ(rows("some")["launch"].dump(), "[2,3,null,null]"); // side by side, in two streams
    const auto copied = [&](const std::string& folder) {
        return json_of(folder + "/results.json")["statistics"]["system"]["copied_bytes"].get<std::uint64_t>();
    };
    EXPECT_GT(copied("some"), 0U);
    EXPECT_LE(copied("some"), copied("all"));
}

TEST_F(Kernels, ARunIsRepeatedWithItsLaunches) {
    run({"--out", "once", "--kernels", "2..3"});
    ASSERT_EQ(numavp({"run", "once", "--quiet", "--out", "again"}).status, 0);
    EXPECT_EQ(text_of("again/results.json"), text_of("once/results.json"));
    ASSERT_EQ(numavp({"run", "once", "--quiet", "--out", "all", "--kernels", "1.."}).status, 0);
    EXPECT_FALSE(json_of("all/results.json")["workload"].contains("kernels")) << "all launches are no choice";
    run({"--out", "plain"});
    EXPECT_EQ(json_of("all/results.json")["statistics"], json_of("plain/results.json")["statistics"]);
    ordered_json run = json_of("once/run.json");
    run["record"]["kernels"] = "3..2..";
    dir_.write("once/run.json", run.dump());
    expect_fault({"run", "once"}, "once/run.json: $.record.kernels: '3..2..' is no range of launches, such as 3..7");
}

TEST_F(Kernels, BadRangesAreRefused) {
    const auto refused = [&](Args more, const std::string& sentence) {
        const Args words = {"run", "numa-aware-2", "six.json"};
        more.insert(more.begin(), words.begin(), words.end());
        expect_fault(more, sentence);
    };
    const std::string range = "is not a range of launches: 3..7, 3.., ..7 or 3, where numbers begin with 1";
    for (const char* const bad : {"0", "0..3", "..", "1..2..3", "1-3", "one", " 2", "-1", "1..x", "1.5", "+2", "1..0"})
        refused({"--kernels", bad}, std::string("--kernels: '") + bad + "' " + range);
    refused({"--kernels", "5..3"}, "--kernels: launch 5 comes after launch 3; a range that ascends is allowed");
    refused({"--skip-to", "3", "--until-kernel", "2"}, "--until-kernel: launch 3 comes after launch 2");
    refused({"--kernels", "2", "--skip-to", "2"}, "--kernels: it says both ends; without --skip-to it is allowed");
    refused({"--kernels", "2", "--until-kernel", "2"}, "--kernels: it says both ends; without --until-kernel it");
    refused({"--skip-to", "0"}, "--skip-to: '0' is not the number of a launch: a whole number from 1");
    refused({"--until-kernel", "last"}, "--until-kernel: 'last' is not the number of a launch");
    const std::string six = "the workload six has 6 launches of kernels; numbers from 1 to 6 are allowed";
    refused({"--kernels", "3..7"}, "--kernels: " + six);
    refused({"--skip-to", "7"}, "--skip-to: " + six);
    refused({"--until-kernel", "18446744073709551615"}, "--until-kernel: " + six);
    refused({"--kernels", "99999999999999999999"}, "--kernels: '99999999999999999999' " + range);
}

} // namespace
} // namespace numavp::test
