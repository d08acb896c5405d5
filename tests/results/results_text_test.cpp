#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/cli_text.h"
#include "platform/progress.h"
#include "platform/results.h"
#include "platform/results_timeline.h"
#include "platform/summary.h"
#include "platform/summary_text.h"

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
        for (int s = 0; s <= 35; ++s) line.update({}, start + std::chrono::seconds(s));
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
    return {{"cycles", 1000},
            {"time_ns", 1000.0},
            {"workload", {{"name", "w"}}},
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
    EXPECT_DOUBLE_EQ(*socket.out_use, 0.5);
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

ordered_json no_series() { return {{"cycles", ordered_json::array()}, {"columns", ordered_json::object()}}; }

TEST(Timeline, PutsOverlappingKernelsOnRowsOfTheirOwn) {
    const std::vector<TimelineEvent> events = {
        {100, 300, -1, "kernel", "a"}, {200, 400, -1, "kernel", "b"}, {300, 500, -1, "kernel", "c"}};
    std::map<std::string, int> row;
    const ordered_json timeline = timeline_json(events, no_series(), 1, 1000000);
    for (const auto& event : timeline["traceEvents"])
        if (event["ph"] == "X") row[event["name"]] = event["tid"];
    EXPECT_EQ(row.size(), 3U);
    EXPECT_NE(row["a"], row["b"]);
    EXPECT_EQ(row["a"], row["c"]);
}

TEST(Timeline, TimesAreMicrosecondsOfTheClock) {
    const ordered_json timeline = timeline_json({{1000, 3000, 0, "flush", "k"}}, no_series(), 1, 2000000);
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

TEST(Timeline, BytesBecomeBandwidth) {
    const ordered_json column = {{"kind", "increase"}, {"unit", "B"}, {"values", {64000, 0}}};
    const ordered_json series = {{"cycles", {1000, 2000}}, {"columns", {{"socket0.link.out_bytes", column}}}};
    std::vector<double> values;
    const ordered_json timeline = timeline_json({}, series, 1, 1000000);
    for (const auto& event : timeline["traceEvents"])
        if (event["ph"] == "C") values.push_back(event["args"]["GB/s"]);
    EXPECT_EQ(values, (std::vector<double>{64.0, 0.0, 0.0}));
}

} // namespace
} // namespace numavp::test
