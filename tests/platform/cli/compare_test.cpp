/// Runs that are compared.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "platform/compare/comparison.h"
#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CompareCommand : public Cli {
  protected:
    void SetUp() override {
        ASSERT_EQ(small_run({"--out", "a"}).status, 0);
        ASSERT_EQ(small_run({"--out", "b", "--set", "link.latency_cycles=200", "--set", "link.balancer=static"}).status,
                  0);
    }
    ordered_json compared(const Args& more) const {
        Args words = {"compare", "a", "b", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        return ordered_json::parse(ended.out);
    }
    static ordered_json with_path(const ordered_json& list, const std::string& path) {
        for (const ordered_json& entry : list)
            if (entry["path"] == path) return entry;
        return {};
    }
    /// Over both sockets, of remote loads.
    double latency(const std::string& folder) const {
        const ordered_json statistics = json_of(folder + "/results.json")["statistics"];
        return latency_of(statistics["socket0"]) + latency_of(statistics["socket1"]);
    }
    static double latency_of(const ordered_json& socket) { return socket["load_latency"]["remote"]["total_ps"]; }
    /// A number of both runs and its change.
    void expect_values(const ordered_json& entry, double a, double b) const {
        ASSERT_TRUE(entry.is_object());
        EXPECT_DOUBLE_EQ(entry["values"][0], a) << entry;
        EXPECT_DOUBLE_EQ(entry["values"][1], b) << entry;
        EXPECT_DOUBLE_EQ(entry["changes"][0], b / a - 1.0) << entry;
    }
};

TEST_F(CompareCommand, SettingsThatDifferNamesFirst) {
    const ordered_json settings = compared({})["settings"];
    ASSERT_EQ(settings.size(), 2U) << settings;
    EXPECT_EQ(settings[0], (ordered_json{{"path", "link.balancer"}, {"values", {"dynamic", "static"}}}));
    EXPECT_EQ(settings[1]["path"], "link.latency_cycles");
    EXPECT_EQ(settings[1]["values"][1], 200);
}

TEST_F(CompareCommand, NumbersAreThoseOfTheResults) {
    const ordered_json all = compared({});
    const auto cycles = [&](const char* folder) {
        return json_of(std::string(folder) + "/results.json")["cycles"].get<double>();
    };
    expect_values(with_path(all["headline"], "cycles"), cycles("a"), cycles("b"));
    const ordered_json total = with_path(all["statistics"], "socket*.load_latency.remote.total_ps");
    EXPECT_EQ(total["over"], "sum of 2");
    EXPECT_EQ(total["unit"], "ps");
    expect_values(total, latency("a"), latency("b"));
    const ordered_json each = compared({"--each"});
    expect_values(with_path(each["statistics"], "socket1.load_latency.remote.total_ps"),
                  latency_of(json_of("a/results.json")["statistics"]["socket1"]),
                  latency_of(json_of("b/results.json")["statistics"]["socket1"]));
    EXPECT_GT(each["statistics"].size(), all["statistics"].size());
    for (const ordered_json& entry : all["statistics"]) EXPECT_NE(entry["values"][0], entry["values"][1]) << entry;
}

TEST_F(CompareCommand, KernelsAreMatchedByLaunchAndName) {
    const ordered_json all = compared({});
    const ordered_json& kernels = all["kernels"];
    const ordered_json a = json_of("a/results.json")["kernels"], b = json_of("b/results.json")["kernels"];
    ASSERT_EQ(kernels.size(), a["rows"]["name"].size());
    double before = std::numeric_limits<double>::infinity();
    for (const ordered_json& kernel : kernels) {
        const ordered_json& cycles = kernel["numbers"][0];
        ASSERT_EQ(cycles["path"], "cycles");
        const double apart = std::abs(cycles["values"][1].get<double>() - cycles["values"][0].get<double>());
        EXPECT_LE(apart, before) << "the most cycles apart come first";
        before = apart;
        std::size_t row = 0; // the rows of both runs are in the same order
        while (a["rows"]["launch"][row] != kernel["launch"]) ++row;
        EXPECT_EQ(a["rows"]["name"][row], kernel["name"]);
        EXPECT_EQ(cycles["values"][0], a["rows"]["cycles"][row]);
        EXPECT_EQ(cycles["values"][1], b["rows"]["cycles"][row]);
        EXPECT_EQ(with_path(kernel["numbers"], "warp_instructions")["values"][1],
                  b["counters"]["system.warp_instructions"][row]);
        const ordered_json most = with_path(kernel["numbers"], kernel["most"].is_null() ? "" : kernel["most"]);
        EXPECT_TRUE(most.is_null() || most["values"][0] != most["values"][1]) << most;
    }
    EXPECT_THAT(numavp({"compare", "a", "b"}).out, HasSubstr("\nKernels that differ: "));
    EXPECT_THAT(numavp({"compare", "a", "a"}).out, HasSubstr("rows by kernel are the same."));
}

TEST_F(CompareCommand, SlotsAreSharesOfAllSockets) {
    const ordered_json slots = compared({})["slots"], each = compared({"--each"})["slots"];
    for (const std::size_t run : {std::size_t{0}, std::size_t{1}}) {
        const ordered_json results = json_of(run == 0 ? "a/results.json" : "b/results.json");
        std::map<std::string, double> sums;
        double slots_of_all = 0.0, warp_cycles = 0.0;
        for (const ordered_json& socket : results["slots"]["sockets"])
            for (const auto& [name, value] : socket.items()) sums[name] += value.get<double>();
        for (const auto& [cause, doc] : results["slots"]["causes"].items()) slots_of_all += sums[cause];
        for (const auto& [cause, doc] : results["slots"]["causes"].items())
            EXPECT_DOUBLE_EQ(with_path(slots, cause)["values"][run], 100.0 * sums[cause] / slots_of_all) << cause;
        warp_cycles = sums["warp_cycles"];
        const auto cycles = results["cycles"].get<double>();
        EXPECT_DOUBLE_EQ(with_path(slots, "resident_warps")["values"][run], warp_cycles / cycles);
        const ordered_json& socket = results["configuration"]["socket"];
        const double room = 2 * socket["sms"].get<double>() * socket["sm"]["warps"].get<double>();
        EXPECT_NEAR(with_path(slots, "occupancy")["values"][run], 100.0 * warp_cycles / cycles / room, 1e-9);
        const ordered_json& first = results["slots"]["sockets"][0];
        EXPECT_DOUBLE_EQ(with_path(each, "socket0.memory")["values"][run],
                         100.0 * first["memory"].get<double>() / (slots_of_all / 2));
    }
    EXPECT_THAT(numavp({"compare", "a", "b"}).out, HasSubstr("\nIssue slots of the warp schedulers\n  cause "));
}

TEST_F(CompareCommand, LatenciesAreThoseOfTheClasses) {
    const ordered_json latency = compared({})["access_latency"];
    const ordered_json a = json_of("a/results.json")["access_latency"]["load"]["remote"];
    const ordered_json b = json_of("b/results.json")["access_latency"]["load"]["remote"];
    for (const char* const name : {"mean", "p50", "p90", "p99", "p99_9"}) {
        const std::string ps = std::string(name) + "_ps";
        expect_values(with_path(latency, std::string("load.remote.") + name), a[ps].get<double>() / 1e3,
                      b[ps].get<double>() / 1e3);
    }
    expect_values(with_path(latency, "load.remote.count"), a["count"], b["count"]);
}

TEST_F(CompareCommand, TextShowsTheLargestFirstAndAllWhenAsked) {
    const Ended few = numavp({"compare", "a", "b"});
    const Ended all = numavp({"compare", "a", "b", "--all"});
    ASSERT_EQ(few.status + all.status, 0);
    EXPECT_THAT(few.out, StartsWith("A  a  spmv-powerlaw on numa-aware-2\nB  b  spmv-powerlaw on numa-aware-2\n"));
    EXPECT_THAT(few.out, AllOf(HasSubstr("Settings that differ: 2\n"), HasSubstr("the largest 20 of "),
                               HasSubstr("--all shows all")));
    EXPECT_GT(std::count(all.out.begin(), all.out.end(), '\n'), std::count(few.out.begin(), few.out.end(), '\n'));
    EXPECT_THAT(all.out, Not(HasSubstr("the largest")));
}

TEST_F(CompareCommand, ARunWithItselfHasNoDifferences) {
    const Ended ended = numavp({"compare", "a", "a", "--all"});
    EXPECT_THAT(ended.out, AllOf(HasSubstr("Settings are the same."), HasSubstr("statistics are the same.")));
    const ordered_json all = ordered_json::parse(numavp({"compare", "a", "a", "b", "--json"}).out);
    const ordered_json cycles = with_path(all["headline"], "cycles");
    EXPECT_EQ(cycles["changes"][0], 0.0);
    EXPECT_NE(cycles["changes"][1], 0.0);
}

TEST_F(CompareCommand, CsvHasALineForEachNumber) {
    const ordered_json all = compared({"--csv", "out/all.csv"});
    const std::string csv = text_of("out/all.csv");
    EXPECT_THAT(csv, StartsWith("kind,path,unit,over,a,b,change of b\nsetting,link.balancer,,,dynamic,static,\n"));
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')),
              1 + all["settings"].size() + all["headline"].size() + all["slots"].size() + all["access_latency"].size() +
                  all["kernels"].size() * all["kernels"][0]["numbers"].size() + all["statistics"].size());
}

TEST_F(CompareCommand, RefusesWhatCannotBeCompared) {
    dir_.write("notes/x.txt", "x");
    dir_.write("damaged/results.json", R"({"statistics": {}})");
    expect_fault({"compare", "a"}, "two folders of results or more are expected");
    expect_fault({"compare"}, "RUN is required");
    expect_fault({"compare", "a", "none"}, "compare none: there are no results");
    expect_fault({"compare", "a", "notes"}, "compare notes: there are no results");
    expect_fault({"compare", "a", "a/run.json"}, "a/run.json: these are no results of a run");
    expect_fault({"compare", "a", "damaged"}, "damaged/results.json: $: the key 'format' is missing");
    expect_fault({"compare", "a", "b", "--workload", "x"}, "--workload chooses among the results of a study");
    expect_fault({"compare", "a", "b", "--study", "none.json"}, "none.json: there is no such file");
    expect_fault({"compare", "a", "b", "--csv", "notes"}, "--csv: this is a folder; a file is expected");
    expect_fault({"compare", "a", "b", "--csv", "x", "--report", "x"}, "--report: 'x' gets in the way of --csv 'x'");
    expect_fault({"compare", "a", "b", "--csv", "x", "--csv", "y"}, "--csv is there 2 times; once is allowed");
}

TEST_F(Cli, CompareConfigurationsOfAStudy) {
    dir_.write("two.json", R"({"workloads": ["reduction", "compute"], "scale": 0.002, "set": {"socket.sms": 4},
        "systems": [{"label": "one", "system": "numa-aware-2"},
                    {"label": "other", "system": "numa-aware-2", "set": {"link.latency_cycles": 300}}],
        "metrics": [{"name": "time", "path": "cycles", "unit": "cycles"}]})");
    ASSERT_EQ(numavp({"study", "run", "two.json", "--quiet"}).status, 0);
    const Args words = {"compare", "one", "other", "--study", "two.json"};
    const auto with = [&](const Args& more) {
        Args all = words;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const Ended ended = numavp(with({"--workload", "reduction", "--json"}));
    ASSERT_EQ(ended.status, 0) << ended.err;
    const ordered_json all = ordered_json::parse(ended.out);
    ASSERT_EQ(all["settings"].size(), 1U);
    EXPECT_EQ(all["settings"][0]["path"], "link.latency_cycles");
    EXPECT_EQ(all["runs"][1]["name"], "other");
    EXPECT_GT(all["headline"][1]["values"][1], all["headline"][1]["values"][0]) << "the longer link is slower";
    expect_fault(words, "--workload: the study has 2 workloads, and one is compared; 'reduction', 'compute'");
    expect_fault(with({"--workload", "bfs"}), "unknown workload 'bfs'");
    expect_fault({"compare", "one", "third", "--study", "two.json"}, "unknown configuration 'third'");
    expect_fault({"compare", "one", "--study", "two.json"}, "two of the study or more are expected");
    expect_fault(with({"--db", "none.sqlite"}), "none.sqlite");
}

// --- the comparison itself

ComparedRun run_with(const ordered_json& statistics) {
    ordered_json results = {{"configuration", ordered_json::parse("{}")},
                            {"workload", {{"name", "w"}}},
                            {"cycles", 1},
                            {"time_ns", 1.0},
                            {"statistics", statistics}};
    for (const char* key :
         {"socket*.l1.hits", "socket*.l1.stalls", "socket*.far.max_ps", "socket*.far.p50_ps", "socket*.link.lanes"})
        results["units"][key] = {{"kind", "value"}, {"unit", "lines"}, {"doc", ""}};
    results["units"]["socket*.wait_ps"] = {{"kind", "histogram"}, {"unit", "ps"}, {"doc", ""}};
    results["units"]["socket*.link.lanes"]["unit"] = "lanes";
    return {"r", results};
}

std::vector<std::string> paths_of(const Comparison& comparison) {
    std::vector<std::string> paths;
    for (const NumberDifference& number : comparison.statistics) paths.push_back(number.path);
    return paths;
}

TEST(Comparison, FewEventsDoNotStandBeforeMany) {
    const auto run = [](int hits, int stalls) {
        return run_with({{"socket0", {{"l1", {{"hits", hits}, {"stalls", stalls}}}}}});
    };
    const Comparison found = compare_runs({run(1'000'000, 1), run(2'000'000, 4)}, false);
    EXPECT_THAT(paths_of(found), ElementsAre("socket*.l1.hits", "socket*.l1.stalls"));
    EXPECT_EQ(found.statistics[0].change(1), 1.0);
    EXPECT_EQ(found.statistics[0].over, "") << "there is one socket";
}

/// A run without a setting of one instance has that of all of them.
TEST(Comparison, SettingsOfAnInstanceStandBesideThoseOfAll) {
    ComparedRun all = run_with({}), one = run_with({}), number = run_with({});
    all.results["configuration"] = ordered_json::parse(
        R"({"parts": [{"name": "gpu", "count": 3}, {"name": "cpu", "count": 1}], "socket": {"sms": 8}, "gpu": {"sms": 64}})");
    one.results["configuration"] = all.results["configuration"];
    one.results["configuration"]["gpu[2]"] = {{"sms", 32}};
    number.results["configuration"] = all.results["configuration"];
    number.results["configuration"]["socket[3]"] = {{"sms", 4}};
    const auto values = [](const ComparedRun& a, const ComparedRun& b, const char* path) {
        const Comparison found = compare_runs({a, b}, false);
        EXPECT_EQ(found.settings.size(), 1U);
        EXPECT_EQ(found.settings.at(0).path, path);
        return ordered_json(found.settings.at(0).values).dump();
    };
    EXPECT_EQ(values(all, one, "gpu[2].sms"), "[64,32]");
    EXPECT_EQ(values(one, all, "gpu[2].sms"), "[32,64]");
    EXPECT_EQ(values(all, number, "socket[3].sms"), "[8,4]");
}

TEST(Comparison, InstancesAreSummedUpByWhatTheyAre) {
    const auto socket = [](int hits, int max, int p50, int lanes, int sum) {
        return ordered_json{{"l1", {{"hits", hits}}},
                            {"far", {{"max_ps", max}, {"p50_ps", p50}}},
                            {"link", {{"lanes", lanes}}},
                            {"wait_ps", {{"count", 2}, {"sum", sum}}}};
    };
    const Comparison found =
        compare_runs({run_with({{"socket0", socket(1, 10, 4, 8, 5)}, {"socket1", socket(2, 30, 6, 4, 7)}}),
                      run_with({{"socket0", socket(9, 11, 9, 9, 9)}})},
                     false);
    const auto value = [&](const std::string& path) {
        for (const NumberDifference& number : found.statistics)
            if (number.path == path) return std::pair(number.values[0].value_or(-1.0), number.over);
        return std::pair(-1.0, std::string("absent"));
    };
    EXPECT_EQ(value("socket*.l1.hits"), std::pair(3.0, std::string("sum of 1 to 2")));
    EXPECT_EQ(value("socket*.far.max_ps"), std::pair(30.0, std::string("most of 1 to 2")));
    EXPECT_EQ(value("socket*.far.p50_ps"), std::pair(5.0, std::string("mean of 1 to 2")));
    EXPECT_EQ(value("socket*.link.lanes"), std::pair(6.0, std::string("mean of 1 to 2")));
    EXPECT_EQ(value("socket*.wait_ps.sum"), std::pair(12.0, std::string("sum of 1 to 2")));
}

TEST(Comparison, WhatARunDoesNotHaveComesLast) {
    const Comparison found = compare_runs({run_with({{"socket0", {{"l1", {{"hits", 100}, {"stalls", 1000}}}}}}),
                                           run_with({{"socket0", {{"l1", {{"hits", 101}}}}}})},
                                          false);
    EXPECT_THAT(paths_of(found), ElementsAre("socket*.l1.hits", "socket*.l1.stalls"));
    EXPECT_FALSE(found.statistics[1].change(1).has_value());
}

TEST(Comparison, UnitsAreFoundByPath) {
    const ordered_json found = run_with(ordered_json::object()).results["units"];
    EXPECT_EQ(unit_key(found, "socket12.l1.hits"), "socket*.l1.hits");
    EXPECT_EQ(unit_key(found, "socket0.wait_ps.p50"), "socket*.wait_ps");
    EXPECT_EQ(unit_key(found, "socket.l1.hits"), "");
}

} // namespace
} // namespace numavp::test
