#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/files/json_file.h"
#include "common/words/text.h"
#include "platform/results/results_timeline.h"
#include "platform/summary/progress.h"
#include "platform/summary/summary.h"
#include "platform/summary/summary_text.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(JsonText, KeepsListsOfNumbersOnOneLineAndOrder) {
    const ordered_json value = {{"z", {1, 2, 3}}, {"a", {{"b", 0.1}, {"c", ordered_json::object()}}}};
    EXPECT_EQ(json_text(value), "{\n \"z\": [1,2,3],\n \"a\": {\n  \"b\": 0.1,\n  \"c\": {}\n }\n}\n");
    EXPECT_EQ(ordered_json::parse(json_text(value)), value);
}

TEST(JsonText, KeepsNumbersExactly) {
    for (const double number : {0.1, 1.0 / 3.0, 1e300, 123456789.125, 5e-324})
        EXPECT_EQ(ordered_json::parse(json_text(number)).get<double>(), number);
    EXPECT_EQ(json_text(~0ULL), "18446744073709551615\n");
}

TEST(CliText, GroupsDigits) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(CliText, HasUnitsForPeople) {
    EXPECT_EQ(bytes_text(768), "768 B");
    EXPECT_EQ(bytes_text(4ULL << 20), "4 MiB");
    EXPECT_EQ(bytes_text(1023ULL << 30), "1023 GiB");
    EXPECT_EQ(seconds_text(0.34), "0.34 s");
    EXPECT_EQ(seconds_text(9.96), "10 s");
    EXPECT_EQ(seconds_text(59.6), "1 min 0 s");
    EXPECT_EQ(seconds_text(7800), "2 h 10 min");
    EXPECT_EQ(rate_text(123456), "123 k");
}

TEST(CliText, FileNamesAreHarmless) {
    EXPECT_EQ(file_name_of("numa-aware-4"), "numa-aware-4");
    EXPECT_EQ(file_name_of("../up"), "_..-up");
    EXPECT_EQ(file_name_of(""), "_");
    EXPECT_EQ(file_name_of("a b/c\n"), "a-b-c-");
}

TEST(CliText, AlignsColumns) {
    TextTable table({"name", "n"});
    table.row({"long name", "7"});
    table.row({"x", "1,000"});
    EXPECT_EQ(table.text({}), "  name           n\n  long name      7\n  x          1,000\n");
    EXPECT_THAT(table.text({true}), HasSubstr("\033["));
}

TEST(ProgressText, HasShareKernelAndTimeLeft) {
    Progress progress;
    progress.cycle = 1234567;
    progress.blocks_done = 250;
    progress.blocks_total = 1000;
    progress.kernels_done = 1;
    progress.kernels_total = 12;
    EXPECT_EQ(progress_text(progress, 10.0, true),
              "[#####---------------]  25 %  kernel 2 of 12, cycle 1,234,567, 10 s, about 30 s left");
    progress.blocks_done = 1000;
    progress.kernels_done = 12;
    EXPECT_EQ(progress_text(progress, 40.0, false), "100 %  kernel 12 of 12, cycle 1,234,567, 40 s");
}

TEST(ProgressText, SaysNothingOfTheTimeLeftTooEarly) {
    Progress progress;
    EXPECT_THAT(progress_text(progress, 1.0, false), Not(HasSubstr("left")));
    progress.blocks_total = 1000;
    progress.blocks_done = 2;
    EXPECT_THAT(progress_text(progress, 1.0, false), Not(HasSubstr("left")));
}

TEST(ProgressLine, LogsEachTenSeconds) {
    std::FILE* out = std::tmpfile();
    {
        ProgressLine line(ProgressLine::Mode::log, out);
        const auto start = ProgressLine::Clock::now();
        for (int s = 0; s <= 35; ++s) line.update(Progress{}, start + std::chrono::seconds(s));
    }
    std::rewind(out);
    int lines = 0;
    for (int c; (c = std::fgetc(out)) != EOF;) lines += c == '\n' ? 1 : 0;
    std::fclose(out);
    EXPECT_EQ(lines, 3);
}

/// Statistics of two sockets as the system gives them, with round numbers.
ordered_json two_sockets() {
    const ordered_json latency = {{"loads", 10},
                                  {"total_ps", 4000000},
                                  {"p50_ps", 300000},
                                  {"p99_ps", 900000},
                                  {"parts", {{"memory_ps", 1000000}, {"sm_ps", 3000000}}}};
    const ordered_json direction = {{"bytes", 32000}, {"lane_cycles", 8000}};
    const ordered_json socket = {
        {"l1", {{"load_lines", 100}, {"hits", 25}, {"misses_local", 30}, {"misses_remote", 10}}},
        {"l2", {{"local", {{"hits", 1}, {"misses", 2}, {"merged", 1}}}}},
        {"memory", {{"read_bytes", 300000}, {"write_bytes", 84000}}},
        {"link", {{"out", direction}, {"in", direction}, {"lanes_out", 12}, {"lanes_in", 4}}},
        {"ways", {{"l2_local", 10}, {"l1_local", 3}}},
        {"load_latency", {{"local", latency}}}};
    ordered_json columns;
    for (const char* name : {"socket0.link.out", "socket0.link.in", "socket1.link.out", "socket1.link.in"})
        columns[std::string(name) + "_lane_cycles"] = {{"values", {4000, 4000}}};
    return {{"cycles", 1000},
            {"time_ns", 1000.0},
            {"workload", {{"name", "w"}}},
            {"series", {{"cycles", {500, 1000}}, {"columns", columns}}},
            {"statistics",
             {{"socket0", socket},
              {"socket1", socket},
              {"system", {{"warp_instructions", 2000}, {"transactions_issued", 5}, {"transactions_completed", 5}}}}}};
}

SystemConfig two_socket_config() {
    SystemConfig config;
    config.name = "s";
    config.sockets = 2;
    config.socket.l2.organisation = L2Organisation::numa_aware;
    return config;
}

TEST(Summary, TakesWhatHadPassedWhenTheLastKernelEnded) {
    ordered_json results = two_sockets();
    ordered_json& columns = results["series"]["columns"];
    columns["socket1.memory.bytes"] = {{"values", {100000, 92000}}};
    columns["socket1.link.out_bytes"] = {{"values", {16000, 0}}};
    const RunSummary s = summarise(two_socket_config(), results);
    EXPECT_DOUBLE_EQ(*s.sockets[0].memory_gbps, 384.0);
    EXPECT_DOUBLE_EQ(*s.sockets[1].memory_gbps, 192.0);
    EXPECT_DOUBLE_EQ(*s.sockets[1].memory_use, 0.25);
    EXPECT_DOUBLE_EQ(*s.sockets[1].out_gbps, 16.0);
}

TEST(Summary, ComputesRates) {
    const RunSummary s = summarise(two_socket_config(), two_sockets());
    ASSERT_EQ(s.sockets.size(), 2U);
    const SocketSummary& socket = s.sockets[1];
    EXPECT_DOUBLE_EQ(*s.ipc(), 2.0);
    EXPECT_DOUBLE_EQ(*socket.l1_hit_rate, 0.25);
    EXPECT_DOUBLE_EQ(*socket.l2_local_hit_rate, 0.25);
    EXPECT_FALSE(socket.l2_remote_hit_rate);
    EXPECT_DOUBLE_EQ(*socket.remote_share, 0.25);
    EXPECT_DOUBLE_EQ(*socket.memory_gbps, 384.0);
    EXPECT_DOUBLE_EQ(*socket.memory_use, 0.5);
    EXPECT_DOUBLE_EQ(*socket.out_gbps, 32.0);
    EXPECT_DOUBLE_EQ(*socket.out_could_gbps, 64.0) << "8 lanes over the run, whatever was counted after it";
    EXPECT_DOUBLE_EQ(*socket.out_use, *socket.out_gbps / *socket.out_could_gbps);
    EXPECT_EQ(*socket.l2_local_ways, 10U);
    EXPECT_EQ(s.local.loads, 20U);
    EXPECT_DOUBLE_EQ(*s.local.mean_ns, 400.0);
    EXPECT_DOUBLE_EQ(s.local.p50_ns->second, 300.0);
    ASSERT_EQ(s.local.parts_ns.size(), 2U);
    EXPECT_EQ(s.local.parts_ns[0].first, "sm") << "in the order of the way";
    EXPECT_DOUBLE_EQ(s.local.parts_ns[0].second + s.local.parts_ns[1].second, 400.0);
}

TEST(Summary, IsATable) {
    const RunSummary s = summarise(two_socket_config(), two_sockets());
    const std::string text = summary_text(s, {}, "somewhere", {});
    for (const char* part : {"w on s", "1,000 cycles", "12/4", "10/6", "50.0 %", "somewhere", "5 issued = 5 completed"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, Not(HasSubstr("\033")));
    EXPECT_THAT(text, Not(HasSubstr(" \n"))) << "blanks at a line's end";
}

TEST(Summary, ToleratesWhatIsNotThere) {
    const ordered_json bare = {
        {"cycles", 0}, {"time_ns", 0.0}, {"workload", {{"name", "w"}}}, {"statistics", ordered_json::object()}};
    const RunSummary s = summarise(two_socket_config(), bare);
    EXPECT_FALSE(s.ipc());
    EXPECT_THAT(summary_text(s, {}, "x", {}), HasSubstr("results in x"));
    EXPECT_TRUE(summary_json(s)["sockets"][0]["l1_hit_rate"].is_null());
}

/// The statistics of a system with pages that fault, with round numbers.
ordered_json faulting() {
    ordered_json results = two_sockets();
    ordered_json& socket = results["statistics"]["socket0"];
    socket["mmu"] = {{"l1_hits", 80}, {"l1_misses", 20},
                     {"l2_hits", 15}, {"l2_misses", 5},
                     {"walks", 7},    {"wait_ps", {{"count", 20}, {"sum", 2000000}}},
                     {"faults", 2},   {"walk_ps", {{"count", 7}, {"sum", 700000}}}};
    socket["load_latency"]["local"]["translation_ps"] = 5000000;
    results["statistics"]["socket1"]["load_latency"]["local"]["translation_ps"] = 0;
    results["statistics"]["host"] = {
        {"faults",
         {{"done", 2},
          {"invalidations", 3},
          {"notes", 4},
          {"latency",
           {{"total_ps", 8000000},
            {"p50_ps", 3000000},
            {"p99_ps", 5000000},
            {"max_ps", 5000000},
            {"parts",
             {{"arrival_ps", 1000000}, {"queue_ps", 2000000}, {"handling_ps", 4000000}, {"replay_ps", 1000000}}}}}}},
        {"core", {{"busy_ps", 250000}}},
        {"copy_engine", {{"copies", 6}, {"copied_bytes", 65536}, {"fills", 0}, {"filled_bytes", 0}}},
        {"link", {{"out", {{"bytes", 7900}}}, {"in", {{"bytes", 0}}}}}};
    return results;
}

SystemConfig faulting_config() {
    SystemConfig config = two_socket_config();
    config.translation.mode = TranslationMode::full;
    config.driver.execution = DriverExecution::native;
    return config;
}

TEST(Summary, HasTranslationAndTheDriver) {
    const RunSummary s = summarise(faulting_config(), faulting());
    ASSERT_EQ(s.translation.size(), 2U);
    EXPECT_DOUBLE_EQ(*s.translation[0].l1_tlb_hit_rate, 0.75);
    EXPECT_DOUBLE_EQ(*s.translation[0].l2_tlb_hit_rate, 0.75);
    EXPECT_DOUBLE_EQ(*s.translation[0].walk_ns, 100.0);
    EXPECT_DOUBLE_EQ(*s.translation[0].wait_ns, 100.0);
    EXPECT_FALSE(s.translation[1].l1_tlb_hit_rate) << "nothing was looked up";
    EXPECT_DOUBLE_EQ(*s.local.translation_ns, 250.0);
    EXPECT_DOUBLE_EQ(*s.local.mean_ns, 400.0) << "without the translation before it";
    ASSERT_TRUE(s.driver);
    EXPECT_DOUBLE_EQ(*s.driver->mean_ns, 4000.0);
    double parts = 0.0;
    for (const auto& [name, ns] : s.driver->parts_ns) parts += ns;
    EXPECT_DOUBLE_EQ(parts, 4000.0);
    EXPECT_DOUBLE_EQ(*s.driver->busy, 0.25);
    EXPECT_DOUBLE_EQ(*s.driver->link_out->use, 0.5) << "of 15.8 GB/s";
    EXPECT_EQ(summary_json(s)["driver"]["migrations"], 3);
    EXPECT_TRUE(summary_json(s)["translation"][1]["l1_tlb_hit_rate"].is_null());
}

TEST(Summary, TellsTranslationAndTheDriver) {
    const std::string text = summary_text(summarise(faulting_config(), faulting()), {}, "x", {});
    for (const char* part : {"\nTranslation\n", "L1 TLB hits", "75.0 %", "before it: translation", "250.0",
                             "Page faults", "of the mean: arrival", "handling", "25.0 % of the time", "3 pages",
                             "6 of 64 KiB", "host link", "7.9 GB/s (50.0 %)"})
        EXPECT_THAT(text, HasSubstr(part));
    const std::string without = summary_text(summarise(two_socket_config(), two_sockets()), {}, "x", {});
    for (const char* part : {"ranslation", "Driver", "faults"}) EXPECT_THAT(without, Not(HasSubstr(part)));
}

ordered_json no_series() { return {{"cycles", ordered_json::array()}, {"columns", ordered_json::object()}}; }

TEST(Timeline, PutsOverlappingKernelsOnRowsOfTheirOwn) {
    const std::vector<TimelineEvent> events = {
        {100, 300, -1, "kernel", "a"}, {200, 400, -1, "kernel", "b"}, {300, 500, -1, "kernel", "c"}};
    std::map<std::string, int> row;
    const ordered_json timeline = timeline_json(events, no_series(), {"socket 0"}, 1000000);
    for (const auto& event : timeline["traceEvents"])
        if (event["ph"] == "X") row[event["name"]] = event["tid"];
    EXPECT_EQ(row.size(), 3U);
    EXPECT_NE(row["a"], row["b"]);
    EXPECT_EQ(row["a"], row["c"]);
}

TEST(Timeline, TimesAreMicrosecondsOfTheClock) {
    const ordered_json timeline = timeline_json({{1000, 3000, 0, "flush", "k"}}, no_series(), {"socket 0"}, 2000000);
    bool found = false;
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] != "X") continue;
        found = true;
        EXPECT_DOUBLE_EQ(event["ts"].get<double>(), 0.5);
        EXPECT_DOUBLE_EQ(event["dur"].get<double>(), 1.0);
        EXPECT_EQ(event["name"], "flush k");
    }
    EXPECT_TRUE(found);
}

TEST(Timeline, NamesAreTheSameForAllOfAKind) {
    const std::vector<TimelineEvent> events = {{100, 300, 0, "blocks", "k", {{"wave", 1UL}, {"blocks", 8UL}}},
                                               {300, 500, 0, "blocks", "k", {{"wave", 2UL}, {"blocks", 7UL}}},
                                               {400, 400, 0, "lanes", "lanes turned", {{"out", 9UL}, {"in", 7UL}}},
                                               {600, 600, 0, "faults", "fault", {{"page", std::string("0x10")}}}};
    std::map<std::string, std::set<std::string>> names;
    std::vector<ordered_json> args;
    const ordered_json timeline = timeline_json(events, no_series(), {"socket 0"}, 1000000);
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] == "M") continue;
        names[event["cat"]].insert(event["name"]);
        args.push_back(event["args"]);
    }
    EXPECT_EQ(names["blocks"], (std::set<std::string>{"k"}));
    EXPECT_EQ(names["lanes"], (std::set<std::string>{"lanes turned"}));
    ASSERT_EQ(args.size(), 4U);
    EXPECT_EQ(args[1], (ordered_json{{"cycle", 300}, {"wave", 2}, {"blocks", 7}, {"cycles", 200}}));
    EXPECT_EQ(args[2], (ordered_json{{"cycle", 400}, {"out", 9}, {"in", 7}}));
    EXPECT_EQ(args[3]["page"], "0x10");
}

TEST(Timeline, AnArrowLeadsFromAFaultToItsHandling) {
    const std::vector<TimelineEvent> events = {{100, 900, 0, "faults", "fault", {}, 1},
                                               {400, 800, 1, "handling", "handling", {}, 1},
                                               {500, 950, 0, "faults", "fault", {}, 2},
                                               {600, 600, 1, "handling", "handling", {}, 2}};
    std::vector<ordered_json> arrows;
    std::map<std::string, ordered_json> spans;
    const ordered_json timeline = timeline_json(events, no_series(), {"socket 0"}, 1000000);
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] == "s" || event["ph"] == "f") arrows.push_back(event);
        if (event["ph"] == "X" && spans.count(event["name"]) == 0) spans[event["name"]] = event;
    }
    ASSERT_EQ(arrows.size(), 2U) << "only between spans: an instant has nothing that an arrow could end at";
    for (const auto& [arrow, span] : {std::pair{arrows[0], spans["fault"]}, std::pair{arrows[1], spans["handling"]}})
        for (const char* key : {"pid", "tid", "ts"}) EXPECT_EQ(arrow[key], span[key]) << key;
    EXPECT_EQ(arrows[0]["ph"], "s");
    EXPECT_EQ(arrows[1]["bp"], "e");
    EXPECT_EQ(arrows[0]["id"], arrows[1]["id"]);
}

TEST(Timeline, ManyAtOnceStandOnRowsOfTheirKind) {
    std::vector<TimelineEvent> events;
    for (Cycle i = 0; i < 150; ++i) events.push_back({i, 1000 + i, 0, "faults", "fault"});
    events.push_back({10, 20, 0, "blocks", "k"});
    std::map<int, std::string> kind_of_row;
    const ordered_json timeline = timeline_json(events, no_series(), {"socket 0"}, 1000000);
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] != "X") continue;
        const auto known = kind_of_row.emplace(event["tid"], event["cat"]).first;
        EXPECT_EQ(known->second, event["cat"]);
    }
    EXPECT_EQ(kind_of_row.size(), 151U);
}

TEST(Timeline, ColumnsOfTheHostAreItsCounters) {
    const ordered_json column = {{"kind", "increase"}, {"unit", "faults"}, {"values", {3, 0}}};
    const ordered_json series = {{"cycles", {1000, 2000}}, {"columns", {{"host.faults.done", column}}}};
    int counters = 0;
    const ordered_json timeline = timeline_json({}, series, {"socket 0", "socket 1"}, 1000000);
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] != "C") continue;
        ++counters;
        EXPECT_EQ(event["pid"], 4) << "behind the system and two sockets";
        EXPECT_EQ(event["name"], "faults.done");
    }
    EXPECT_GT(counters, 0);
}

TEST(Timeline, BytesBecomeBandwidth) {
    const ordered_json column = {{"kind", "increase"}, {"unit", "B"}, {"values", {64000, 0}}};
    const ordered_json series = {{"cycles", {1000, 2000}}, {"columns", {{"socket0.link.out_bytes", column}}}};
    std::vector<double> values;
    const ordered_json timeline = timeline_json({}, series, {"socket 0"}, 1000000);
    for (const auto& event : timeline["traceEvents"])
        if (event["ph"] == "C") values.push_back(event["args"]["GB/s"]);
    EXPECT_EQ(values, (std::vector<double>{64.0, 0.0, 0.0}));
}

} // namespace
} // namespace numavp::test
