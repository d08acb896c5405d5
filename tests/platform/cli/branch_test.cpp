/// Branches of a run, and runs whose settings change: the same bytes.
#include <algorithm>

#include "rtl/blocks.h"
#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/needs.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Branch : public Cli {
  protected:
    void SetUp() override {
        dir_.write("steps.json", R"({"kernels": [{"pattern": "stencil_2d", "parameters":
            {"nx": 512, "ny": 32, "tile_x": 64, "tile_y": 8, "iterations": 4}}]})");
    }
    static Args words(const char* command, const Args& more) {
        Args all = {command,
                    "numa-aware-2",
                    "steps.json",
                    "--set",
                    "socket.sms=4",
                    "--set",
                    "link.lane_gbps=0.5",
                    "--set",
                    "link.sample_cycles=500",
                    "--set",
                    "dispatch.launch_cycles=100",
                    "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    void expect_same(const std::string& a, const std::string& b) const {
        for (const char* name : {"/results.json", "/timeline.json"})
            EXPECT_EQ(text_of(a + name), text_of(b + name)) << b;
    }
    Ended run(const Args& more) const { return numavp(words("run", more)); }
    Ended branch(const Args& more) const { return numavp(words("branch", more)); }
};

TEST_F(Branch, GivesTheBytesOfWholeRuns) {
    const Ended ended = branch({"--at", "3", "--unchanged", "--change", "link.balancer=static", "--change",
                                "link.sample_cycles=200,socket.partition.controller=fixed", "--out", "b", "--json"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    ASSERT_EQ(run({"--out", "w0"}).status, 0);
    ASSERT_EQ(run({"--out", "w1", "--change", "3:link.balancer=static"}).status, 0);
    ASSERT_EQ(
        run({"--out", "w2", "--change", "3:link.sample_cycles=200", "--change", "3:socket.partition.controller=fixed"})
            .status,
        0);
    const ordered_json told = ordered_json::parse(ended.out);
    EXPECT_EQ(told["kernel"], 3);
    ASSERT_EQ(told["branches"].size(), 3U);
    for (unsigned b = 0; b < 3; ++b) {
        const ordered_json& one = told["branches"][b];
        ASSERT_EQ(one["status"], 0);
        const std::string whole = "w" + std::to_string(b);
        expect_same(whole, one["run"]["results"].get<std::string>());
        EXPECT_EQ(one["run"]["cycles"], json_of(whole + "/results.json")["cycles"]);
    }
    EXPECT_EQ(told["branches"][2]["changes"],
              ordered_json::array({"link.sample_cycles=200", "socket.partition.controller=fixed"}));
    EXPECT_NE(text_of("w0/results.json"), text_of("w1/results.json"));
    EXPECT_NE(json_of("w0/results.json")["cycles"], json_of("w1/results.json")["cycles"]) << "the change does nothing";
}

TEST_F(Branch, OfSeveralWorkersGivesTheSameBytes) {
    ASSERT_EQ(branch({"--at", "2", "--change", "link.balancer=static", "--change", "link.sample_cycles=200",
                      "--workers", "2", "--out", "b"})
                  .status,
              0);
    ASSERT_EQ(run({"--out", "w", "--change", "2:link.balancer=static", "--workers", "2"}).status, 0);
    expect_same("w", "b/link.balancer-static");
    ASSERT_EQ(run({"--out", "one", "--change", "2:link.balancer=static"}).status, 0);
    expect_same("w", "one");
}

/// The driver's thread of the simulation goes on in each process.
TEST_F(Branch, TakesTheDriverAlong) {
    const Args driven = {"--set", "translation.mode=full", "--set", "driver.execution=native",
                         "--set", "placement.page_kib=4"};
    const auto with = [&driven](Args more) {
        more.insert(more.end(), driven.begin(), driven.end());
        return more;
    };
    dir_.write("steps.json", R"({"kernels": [
        {"pattern": "stencil_2d", "parameters": {"nx": 256, "ny": 16, "tile_x": 64, "tile_y": 4, "iterations": 1}},
        {"pattern": "stencil_2d", "parameters": {"nx": 256, "ny": 32, "tile_x": 64, "tile_y": 4, "iterations": 1}}]})");
    const Ended ended =
        branch(with({"--at", "2", "--unchanged", "--change", "driver.policy=round_robin", "--out", "b"}));
    ASSERT_EQ(ended.status, 0) << ended.err;
    ASSERT_EQ(run(with({"--out", "w", "--change", "2:driver.policy=round_robin"})).status, 0);
    expect_same("w", "b/driver.policy-round_robin");
    ASSERT_EQ(run(with({"--out", "u"})).status, 0);
    expect_same("u", "b/unchanged");
    EXPECT_NE(json_of("u/results.json")["driver"]["homes_digest"], json_of("w/results.json")["driver"]["homes_digest"]);
}

/// A block's state is memory of the process.
TEST_F(Branch, TakesRtlAlong) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const Args in_rtl = {"--set", "link.balancer=dynamic_rtl", "--set", "socket.partition.controller=numa_aware_rtl"};
    Args branches = {"--at", "2", "--unchanged", "--change", "link.sample_cycles=300", "--out", "b"};
    Args whole = {"--out", "w", "--change", "2:link.sample_cycles=300"};
    for (Args* words : {&branches, &whole}) words->insert(words->end(), in_rtl.begin(), in_rtl.end());
    const Ended ended = branch(branches);
    ASSERT_EQ(ended.status, 0) << ended.err;
    ASSERT_EQ(run(whole).status, 0);
    expect_same("w", "b/link.sample_cycles-300");
    EXPECT_NE(json_of("b/unchanged/results.json")["cycles"], json_of("w/results.json")["cycles"]);
}

TEST_F(Branch, IsRepeatedFromItsFolder) {
    ASSERT_EQ(branch({"--at", "2", "--change", "link.balancer=static", "--out", "b", "--report"}).status, 0);
    EXPECT_TRUE(exists("b/link.balancer-static/report.html"));
    const Ended again = numavp({"run", "b/link.balancer-static", "--quiet", "--out", "again"});
    ASSERT_EQ(again.status, 0) << again.err;
    expect_same("b/link.balancer-static", "again");
    const Ended further = numavp({"branch", "b/link.balancer-static", "--at", "4", "--change", "link.balancer=dynamic",
                                  "--quiet", "--out", "c"});
    ASSERT_EQ(further.status, 0) << further.err;
    const ordered_json changes = json_of("c/link.balancer-dynamic/results.json")["configuration"]["changes"]["at"];
    EXPECT_EQ(changes, ordered_json::parse(R"([{"kernel": 2, "set": "link.balancer=static"},
                                               {"kernel": 4, "set": "link.balancer=dynamic"}])"));
}

/// The table for people, and what is told while it runs.
TEST_F(Branch, ComparesItsBranches) {
    Args typed = words("branch", {"--at", "2", "--unchanged", "--change", "link.balancer=static"});
    typed.erase(std::find(typed.begin(), typed.end(), "--quiet"));
    const Ended ended = numavp(typed);
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, AllOf(HasSubstr("of the first"), HasSubstr("unchanged"), HasSubstr("1.000"),
                                 HasSubstr("results/numa-aware-2-steps-at-2/link.balancer-static")));
    EXPECT_THAT(ended.err, HasSubstr("branch link.balancer=static: "));
}

TEST_F(Branch, RefusesWhatProcessesCannotShare) {
    const auto refused = [this](const Args& more, const char* part) {
        Args all = {"--at", "2", "--change", "link.balancer=static"};
        all.insert(all.end(), more.begin(), more.end());
        expect_fault(words("branch", all), part);
    };
    refused({"--waves", "a.fst"}, "--waves: waveforms are one file");
    refused({"--log-accesses", "10"}, "--log-accesses: the log is one file");
    refused({"--gdb", "0"}, "--gdb: a debugger is connected to one process");
    refused({"--record-faults", "f.csv"}, "--record-faults: the faults are those of one run");
    refused({"--set", "translation.mode=full", "--set", "driver.execution=foreign"},
            "driver.execution: a driver outside of this program");
    refused({"--change", "link.balancer=static"}, "two branches are called link.balancer=static");
    refused({"--change", "socket.sms=2"}, "socket.sms: this can't change during a run");
    refused({"--jobs", "0"}, "--jobs: '0' is not a whole number from 1 to 4096");
    expect_fault(words("branch", {"--at", "9", "--change", "link.balancer=static"}), "--at: the run has no launch 9");
    expect_fault(words("branch", {"--at", "x", "--change", "link.balancer=static"}), "--at: 'x' is not the number");
    expect_fault(words("branch", {"--at", "2"}), "--change: there is no branch");
    expect_fault(words("branch", {"--change", "link.balancer=static"}), "--at is required");
    dir_.write("mine.json",
               R"({"extends": "numa-aware-2", "changes": {"at": [{"kernel": 2, "set": "link.lanes_in=4"}]}})");
    expect_fault({"check", "mine.json"}, "$.changes.at[0].set: link.lanes_in: this can't change during a run");
    expect_fault(words("run", {"--change", "9:link.balancer=static"}), "changes.at[0].kernel: the run has no launch 9");
}

/// Names of settings, for a person, a shell and an editor.
TEST_F(Branch, ItsSettingsAreListed) {
    const Ended listed = numavp({"list", "changes", "--names"});
    EXPECT_EQ(listed.status, 0);
    EXPECT_THAT(listed.out, AllOf(HasSubstr("link.sample_cycles\n"), HasSubstr("driver.policy\n")));
    EXPECT_EQ(listed.out.find("socket.sms"), std::string::npos);
    const ordered_json schema = ordered_json::parse(numavp({"schema", "system"}).out);
    const ordered_json& link = schema["properties"]["link"]["properties"];
    EXPECT_EQ(link["sample_cycles"]["x-changes"], true);
    EXPECT_FALSE(link["lane_gbps"].contains("x-changes"));
}

} // namespace
} // namespace numavp::test
