/// What limits a run, by hand-made results on either side of each bound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/verdict/verdict.h"
#include "tests/platform/verdict/made_run.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string cause_of(const MadeRun& made) {
    const Verdict verdict = verdict_of(made.config, made.results);
    double cycles = 0.0;
    for (const LimitTime& time : verdict.times) cycles += time.cycles;
    EXPECT_DOUBLE_EQ(cycles, verdict.cycles);
    return verdict.limit ? verdict.limit->cause : "none";
}
std::string limit_words(const MadeRun& made) {
    const Verdict verdict = verdict_of(made.config, made.results);
    return verdict.limit ? verdict.limit->words() : "none";
}

TEST(Verdict, WaitsWithNothingFullAreLatencies) {
    MadeRun made;
    EXPECT_EQ(
        limit_words(made),
        "latency of the L1 and shared memory (80 % of the slots waited for memory, and no part was used by half)");
    made.counter(1, "load_latency.local.total_ps", 10);
    EXPECT_THAT(limit_words(made), StartsWith("latency of local loads"));
    made.counter(0, "load_latency.remote.total_ps", 11);
    EXPECT_THAT(limit_words(made), StartsWith("latency of remote loads"));
    for (const unsigned s : {0U, 1U}) made.slots(s, 0.2, "dependence");
    EXPECT_EQ(cause_of(made), "arithmetic");
    for (const unsigned s : {0U, 1U}) made.slots(s, 0.2, "barrier");
    EXPECT_EQ(cause_of(made), "barriers");
    made.counter(0, "memory.channel0.read_bytes", 100 * MadeRun::kCycles / 2); // a part that is used by half
    EXPECT_EQ(cause_of(made), "none");
}

/// Full from 0.8 on, if the next is at least a tenth below it.
TEST(Verdict, ADirectionOfALink) {
    MadeRun made;
    made.counter(1, "link.in.bytes", 8 * MadeRun::kCycles * 80 / 100);
    EXPECT_EQ(limit_words(made), "link into socket 1 (80 % of what the lanes could carry)");
    made.counter(1, "link.in.bytes", 8 * MadeRun::kCycles * 79 / 100);
    EXPECT_EQ(cause_of(made), "none");
    made.counter(1, "link.in.bytes", 8 * MadeRun::kCycles * 88 / 100);
    made.counter(0, "memory.channel0.read_bytes", MadeRun::kCycles * 79);
    EXPECT_EQ(cause_of(made), "link");
    made.counter(0, "memory.channel0.read_bytes", MadeRun::kCycles * 81);
    EXPECT_EQ(cause_of(made), "none");
    made.counter(0, "memory.channel0.read_bytes", MadeRun::kCycles * 97);
    EXPECT_EQ(limit_words(made), "memory of socket 0 (97 % of the memory's bandwidth)");
}

/// Lanes that have turned carry more, and the switch has a bound of its own if the file says so.
TEST(Verdict, LanesAndTheSwitch) {
    MadeRun made;
    for (const unsigned s : {0U, 1U})
        for (const char* way : {"out", "in"})
            made.counter(s, fmt::format("link.{}.bytes", way), 8 * MadeRun::kCycles * 9 / 10);
    EXPECT_EQ(cause_of(made), "link");     // the switch carries what the lanes do: no second limit
    made.config.switch_.total_gbps = 15.0; // 14.4 are sent
    EXPECT_EQ(cause_of(made), "none");
    made.config.switch_.total_gbps = 14.4;
    for (const unsigned s : {0U, 1U}) made.counter(s, "link.out.lane_cycles", 12 * MadeRun::kCycles);
    for (const unsigned s : {0U, 1U}) made.counter(s, "link.in.lane_cycles", 12 * MadeRun::kCycles);
    EXPECT_EQ(cause_of(made), "switch");
}

TEST(Verdict, SchedulersAndExecutionUnits) {
    MadeRun made;
    made.slots(1, 0.8, "memory");
    EXPECT_EQ(limit_words(made), "the schedulers of socket 1 (80 % of the schedulers' slots issued an instruction)");
    made.slots(1, 0.4, "unit_busy");
    EXPECT_EQ(cause_of(made), "units");
    made.slots(1, 0.85, "unit_busy"); // too few that found it busy
    EXPECT_EQ(cause_of(made), "issue");
    made.results.erase("slots"); // as in earlier versions: then by instructions
    made.counter(0, "sm.warp_instructions", MadeRun::kSlots * 9 / 10);
    EXPECT_EQ(cause_of(made), "issue");
}

TEST(Verdict, L1CrossbarAndL2) {
    MadeRun made;
    made.counter(0, "l1.load_lines", 2 * MadeRun::kCycles * 9 / 10);
    EXPECT_EQ(limit_words(made), "the L1s of socket 0 (90 % of the look-ups that the L1s could make)");
    made.counter(0, "l1.load_lines", 2 * MadeRun::kCycles / 2);
    made.counter(0, "l1.misses_local", 2 * MadeRun::kCycles * 9 / 10 * 64 / 136); // lines with headers, 64 B a cycle
    EXPECT_EQ(cause_of(made), "crossbar");
    made.counter(0, "l1.misses_local", 100);
    made.counter(0, "l1.load_lines", 2 * MadeRun::kCycles / 5);
    made.counter(0, "l2.local.hits", 4 * MadeRun::kCycles * 9 / 10 * 64 / 136);
    EXPECT_EQ(limit_words(made), "L2 of socket 0 (90 % of what the slices could serve)");
    made.counter(0, "l2.local.hits", MadeRun::kCycles / 4 * 64 / 136); // a quarter of it, all from one slice
    for (unsigned i = 0; i < 4; ++i) {
        made.counter(0, fmt::format("l2.slice{}.reads", i), i == 3 ? 1000 : 0);
        made.counter(0, fmt::format("l2.slice{}.writes", i), 0);
    }
    EXPECT_EQ(cause_of(made), "latency");
    made.counter(0, "l2.local.hits", MadeRun::kCycles * 64 / 136);
    EXPECT_EQ(cause_of(made), "l2");
}

/// Reads of a socket's own SMs and those of others leave an L2 by a port each: the busier side is its use.
TEST(Verdict, EachSideOfAnL2HasItsPort) {
    constexpr std::uint64_t kOfAll = 4 * MadeRun::kCycles * 64 / 136; // lines with headers, 64 B a cycle of 4 slices
    struct Row {
        std::uint64_t mine, theirs; ///< percent
        const char* words;
    };
    for (const Row& row : {Row{90, 90, "L2 of socket 0 (90 % of what the slices could serve)"},
                           Row{90, 20, "L2 of socket 0 (90 % of what the slices could serve)"},
                           Row{20, 90, "L2 of socket 0 (90 % of what the slices could serve)"}, Row{60, 60, "none"}}) {
        MadeRun made;
        made.counter(0, "l2.local.hits", kOfAll * row.mine / 100);
        made.counter(0, "l2.incoming.hits", kOfAll * row.theirs / 100);
        EXPECT_EQ(limit_words(made), row.words) << row.mine << " and " << row.theirs;
    }
}

TEST(Verdict, TranslationTakesItsShareOfTheTime) {
    MadeRun made;
    for (const unsigned s : {0U, 1U}) made.slots(s, 0.4, "translation");
    EXPECT_EQ(cause_of(made), "translation");
    for (const unsigned s : {0U, 1U}) made.slots(s, 0.51, "translation");
    EXPECT_EQ(cause_of(made), "none");
}

/// Socket 1 has no work for six tenths of the time.
TEST(Verdict, ImbalanceOfSockets) {
    MadeRun made;
    made.slots(0, 0.9, "memory");
    made.slots(1, 0.3, "no_warp", 4);
    EXPECT_EQ(limit_words(made),
              "imbalance of sockets (60 % of the kernel's time some sockets had no work for half of their slots)");
    made.slots(1, 0.3, "no_warp", 5); // half and half with the schedulers of socket 0
    EXPECT_EQ(cause_of(made), "none");
    made.slots(1, 0.3, "no_warp", 6);
    EXPECT_EQ(cause_of(made), "issue");
    made.slots(0, 0.2, "memory");
    made.slots(1, 0.3, "no_warp", 4); // the socket at work waits for the one without
    made.counter(1, "link.out.bytes", 8 * MadeRun::kCycles * 9 / 10);
    EXPECT_EQ(limit_words(made), "link out of socket 1 (90 % of what the lanes could carry)");
}

TEST(Verdict, TooFewWarps) {
    MadeRun made;
    for (const unsigned s : {0U, 1U}) made.slots(s, 0.3, "no_warp", 4);
    EXPECT_EQ(cause_of(made), "warps");
    made.counter(0, "memory.channel0.read_bytes", 100 * MadeRun::kCycles * 9 / 10); // they are enough
    EXPECT_EQ(cause_of(made), "memory");
}

TEST(Verdict, TimeOutsideKernels) {
    MadeRun made;
    made.outside(5300, 0);
    EXPECT_EQ(limit_words(made), "launches (53 % of the run's time)");
    made.outside(5200, 0);
    EXPECT_EQ(cause_of(made), "none");
    made.outside(100, 5300);
    EXPECT_EQ(cause_of(made), "flushes");
    made.outside(5300, 0);
    made.results["kernels"]["rows"]["launched"][0] = 5300; // it was launched late: something else came first
    EXPECT_EQ(cause_of(made), "none");
    made.results["kernels"]["counters"]["copies.busy_ps"] = {0, 5300 * 1000};
    EXPECT_EQ(cause_of(made), "copies");
}

TEST(Verdict, ResultsWithoutStatisticsByKernelHaveNone) {
    MadeRun made;
    made.results.erase("kernels");
    EXPECT_EQ(verdict_text(verdict_of(made.config, made.results)), "");
}

TEST(Verdict, IsToldInOneLine) {
    MadeRun made;
    made.counter(0, "link.out.bytes", 8 * MadeRun::kCycles * 88 / 100);
    made.outside(1000, 0);
    made.counter(0, "link.out.lane_cycles", 8 * (MadeRun::kCycles - 1000));
    EXPECT_EQ(
        verdict_text(verdict_of(made.config, made.results)),
        "  limited by    link out of socket 0 (98 % of what the lanes could carry), for 90 % of the time; besides: "
        "launches 10 %\n");
    made.counter(0, "link.out.bytes", 0);
    for (const unsigned s : {0U, 1U}) made.slots(s, 0.6, "memory");
    EXPECT_THAT(verdict_text(verdict_of(made.config, made.results)),
                HasSubstr("no single limit; of the time: launches 10 %; most used: the schedulers of socket 0 60 %"));
    const ordered_json json = json_of(verdict_of(made.config, made.results));
    EXPECT_TRUE(json.at("limit").is_null());
    EXPECT_EQ(json.at("kernels").at(0).at("uses").at(0).at("kind"), "issue");
}

} // namespace
} // namespace numavp::test
