/// Runs as users make them: what is written, that it is repeatable, and that it is there whole or not at all.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <thread>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Run : public Cli {
  protected:
    /// A run that takes far longer than the test waits.
    static Args long_run_words(const std::string& out) {
        return program({"run", "numa-aware-4", "stream-triad", "--scale", "4", "--out", out});
    }
};

TEST_F(Run, WritesThreeFiles) {
    const Ended ended = small_run({"--out", "out"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "");
    EXPECT_THAT(names_in(""), ElementsAre("out"));
    EXPECT_THAT(names_in("out"), ElementsAre("results.json", "run.json", "timeline.json"));
}

TEST_F(Run, NumbersItsOwnFolders) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(small_run({}).status, 0);
    EXPECT_THAT(names_in("results"), ElementsAre("numa-aware-2-spmv-powerlaw", "numa-aware-2-spmv-powerlaw-2",
                                                 "numa-aware-2-spmv-powerlaw-3"));
}

TEST_F(Run, IsRepeatable) {
    ASSERT_EQ(small_run({"--out", "a"}).status, 0);
    ASSERT_EQ(small_run({"--out", "b"}).status, 0);
    ASSERT_EQ(small_run({"--out", "c", "--seed", "7"}).status, 0);
    EXPECT_EQ(text_of("a/results.json"), text_of("b/results.json"));
    EXPECT_EQ(text_of("a/timeline.json"), text_of("b/timeline.json"));
    EXPECT_NE(text_of("a/results.json"), text_of("c/results.json"));
    EXPECT_EQ(json_of("c/results.json")["seed"], 7);
}

TEST_F(Run, IsRepeatableUnderSet) {
    ASSERT_EQ(small_run({"--out", "a", "--set", "socket.l2.ways=8", "link.balancer=static"}).status, 0);
    ASSERT_EQ(small_run({"--out", "b", "--set", "link.balancer=static", "--set", "socket.l2.ways=8"}).status, 0);
    EXPECT_EQ(text_of("a/results.json"), text_of("b/results.json"));
    const auto configuration = json_of("a/results.json")["configuration"];
    EXPECT_EQ(configuration["socket"]["l2"]["ways"], 8);
    EXPECT_EQ(configuration["link"]["balancer"], "static");
}

TEST_F(Run, ResolvedConfigurationGivesTheSameResults) {
    ASSERT_EQ(small_run({"--out", "a"}).status, 0);
    const auto first = json_of("a/results.json");
    dir_.write("resolved.json", first["configuration"].dump());
    const Ended ended = numavp({"run", "resolved.json", "spmv-powerlaw", "--scale", "0.01", "--quiet", "--out", "b"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(text_of("a/results.json"), text_of("b/results.json"));
}

TEST_F(Run, ResultsObeyTheirSchema) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const Ended schema = numavp({"schema", "results"});
    ASSERT_EQ(schema.status, 0) << schema.err;
    dir_.write("schema.json", schema.out);
    const Ended applied = run_process({"/usr/bin/python3", source_dir() + "/tests/platform/cli/apply_schema.py",
                                       dir_.path("schema.json"), dir_.path("out/results.json")});
    EXPECT_EQ(applied.status, 0) << applied.out << applied.err;
}

TEST_F(Run, ResultsWithTranslationObeyTheirSchemaAndCheck) {
    ASSERT_EQ(small_run({"--out", "out", "--set", "translation.mode=full"}).status, 0);
    auto results = json_of("out/results.json");
    ASSERT_GT(results["statistics"]["socket0"]["mmu"]["walk_ps"]["count"], 0);
    dir_.write("schema.json", numavp({"schema", "results"}).out);
    const Ended applied = run_process({"/usr/bin/python3", source_dir() + "/tests/platform/cli/apply_schema.py",
                                       dir_.path("schema.json"), dir_.path("out/results.json")});
    EXPECT_EQ(applied.status, 0) << applied.out << applied.err;
    const Ended check = numavp({"check", "out", "out/results.json"});
    EXPECT_EQ(check.status, 0) << check.err;

    results["statistics"]["socket0"]["mmu"]["walk_ps"].erase("sum");
    dir_.write("wrong.json", results.dump());
    expect_fault({"check", "wrong.json"}, "statistics.socket0.mmu.walk_ps: the key 'sum' is missing");
    results = json_of("out/results.json");
    results["units"].erase("socket*.mmu.walk_ps");
    dir_.write("wrong.json", results.dump());
    expect_fault({"check", "wrong.json"}, "'units' does not have it");
}

TEST_F(Run, ASchemaFindsWhatIsWrong) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    dir_.write("schema.json", numavp({"schema", "results"}).out);
    auto results = json_of("out/results.json");
    results["statistics"]["socket0"]["l2"]["fills"] = "many";
    dir_.write("wrong.json", results.dump());
    const Ended applied = run_process({"/usr/bin/python3", source_dir() + "/tests/platform/cli/apply_schema.py",
                                       dir_.path("schema.json"), dir_.path("wrong.json")});
    EXPECT_EQ(applied.status, 1) << applied.out << applied.err;
}

TEST_F(Run, ResultsCloseTheirAccounts) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const auto results = json_of("out/results.json");
    const auto& system = results["statistics"]["system"];
    EXPECT_GT(system["transactions_issued"], 0);
    EXPECT_EQ(system["transactions_issued"], system["transactions_completed"]);
    EXPECT_EQ(system["cycles"], results["cycles"]);
    EXPECT_EQ(system["blocks"], results["workload"]["blocks"]);
    for (const char* kind : {"local", "remote"}) {
        const auto& latency = results["statistics"]["socket0"]["load_latency"][kind];
        std::uint64_t sum = 0;
        for (const auto& part : latency["parts"]) sum += part.get<std::uint64_t>();
        EXPECT_EQ(sum, latency["total_ps"]) << kind;
    }
    const auto& series = results["series"];
    for (const auto& column : series["columns"]) EXPECT_EQ(column["values"].size(), series["cycles"].size());
    EXPECT_EQ(series["cycles"].back(), results["cycles"]);
}

TEST_F(Run, RunJsonHasHostAndCost) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const auto run = json_of("out/run.json");
    for (const char* key : {"version", "compiler", "date", "host", "processor"}) EXPECT_NE(run[key], "") << key;
    for (const char* key : {"wall_seconds", "peak_memory_bytes", "events_per_second"}) EXPECT_GT(run[key], 0) << key;
    EXPECT_EQ(run["command_line"][1], "run");
}

TEST_F(Run, TimelineIsInChromeFormat) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const auto timeline = json_of("out/timeline.json");
    std::size_t spans = 0;
    for (const auto& event : timeline["traceEvents"]) {
        const std::string phase = event["ph"];
        EXPECT_THAT((std::vector<std::string>{"M", "X", "i", "C"}), ::testing::Contains(phase));
        EXPECT_GE(event.value("ts", 0.0), 0.0);
        EXPECT_EQ(event.value("dur", 0.0) > 0.0, phase == "X");
        spans += phase == "X" ? 1 : 0;
    }
    EXPECT_GT(spans, 0U);
}

/// SMs of a clock of their own have as many slots as it has cycles, in all files and for all who read them.
TEST_F(Run, SmsOfAnotherClockHaveItsSlots) {
    ASSERT_EQ(small_run({"--out", "slow", "--set", "socket[1].clocks_khz.sm=500000"}).status, 0);
    const auto results = json_of("slow/results.json");
    const auto& sockets = results["slots"]["sockets"];
    const auto cycles = results["cycles"].get<double>();
    EXPECT_EQ(sockets[0]["cycles"], results["cycles"]);
    EXPECT_NEAR(sockets[1]["cycles"].get<double>(), cycles / 2, 1);
    const auto timeline = json_of("slow/timeline.json");
    for (const auto& event : timeline["traceEvents"]) {
        if (event["name"] != "slots, %") continue;
        double sum = 0.0;
        for (const auto& share : event["args"]) sum += share.get<double>();
        if (sum != 0.0) {
            EXPECT_NEAR(sum, 100.0, 1e-9) << event;
        }
    }
    const Ended checked = numavp({"check", "slow/results.json"});
    EXPECT_EQ(checked.status, 0) << checked.err;
    ASSERT_EQ(small_run({"--out", "fast"}).status, 0);
    const Ended compared = numavp({"compare", "fast", "slow", "--each", "--json"});
    ASSERT_EQ(compared.status, 0) << compared.err;
    EXPECT_THAT(compared.out, HasSubstr("socket1.occupancy"));
}

TEST_F(Run, SummaryIsReadable) {
    Args words = small_run_words({"--out", "out"});
    words.erase(std::find(words.begin(), words.end(), "--quiet"));
    const Ended ended = numavp(words);
    ASSERT_EQ(ended.status, 0) << ended.err;
    for (const char* part : {"spmv-powerlaw on numa-aware-2", "cycles", " issued = ", "link energy", "Caches",
                             "memory GB/s", "lanes out/in", "local ", "remote ", "wall time", "results in out"})
        EXPECT_THAT(ended.out, HasSubstr(part));
    EXPECT_THAT(ended.out, Not(HasSubstr("\033")));
    EXPECT_THAT(ended.out + ended.err, Not(HasSubstr("SystemC")));
    EXPECT_THAT(ended.out + ended.err, Not(HasSubstr("Info:")));
}

TEST_F(Run, JsonSummaryIsOneLine) {
    const Ended ended = small_run({"--out", "out", "--json"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 1);
    const auto summary = nlohmann::ordered_json::parse(ended.out);
    EXPECT_EQ(summary["cycles"], json_of("out/results.json")["cycles"]);
    EXPECT_EQ(summary["sockets"].size(), 2U);
    EXPECT_EQ(summary["results"], "out");
}

/// 128 blocks of a warp with three instructions: address, load, exit. 96 threads of instructions each; the others end
/// without one, and cost a warp's end.
TEST_F(Run, EndsAfterTheFirstInstructions) {
    const auto instructions_of = [&](const std::string& limit) {
        dir_.write("w.json", R"({"name": "loads", )" + limit + R"("kernels": [{"pattern": "grid_loop", "parameters":
            {"grid_x": 128, "block_x": 32, "accesses": [{"array": "a", "elements": 4096, "block_x": 32}]}}]})");
        const Ended ended = numavp({"run", "gpu-1", "w.json", "--set", "socket.sms=2", "--json"});
        EXPECT_EQ(ended.status, 0) << ended.err;
        const auto summary = nlohmann::json::parse(ended.out);
        EXPECT_EQ(summary.at("blocks"), 128);
        return summary.at("warp_instructions").get<std::uint64_t>();
    };
    const std::uint64_t all = instructions_of(""), of_block = all / 128;
    EXPECT_EQ(instructions_of("\"instructions\": " + std::to_string(20 * of_block * 32) + ", "), 20 * of_block);
}

TEST_F(Run, ATraceRuns) {
    const std::string traces = source_dir() + "/tests/data/traces/kernelslist.g";
    const Ended ended = numavp({"run", "numa-aware-2", traces, "--quiet", "--out", "out"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_TRUE(json_of("out/results.json")["seed"].is_null());
}

TEST_F(Run, OverwritesEarlierResultsAndNothingElse) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    dir_.write("out/of-mine", "x");
    ASSERT_EQ(small_run({"--out", "out/", "--seed", "9"}).status, 0);
    EXPECT_EQ(json_of("out/results.json")["seed"], 9);
    EXPECT_THAT(names_in(""), ElementsAre("out"));
    EXPECT_THAT(names_in("out"), ElementsAre("of-mine", "results.json", "run.json", "timeline.json"));
}

TEST_F(Run, AFaultLeavesEarlierResultsAlone) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const std::string before = text_of("out/results.json");
    EXPECT_EQ(small_run({"--out", "out", "--set", "sockets=999"}).status, 2);
    EXPECT_EQ(text_of("out/results.json"), before);
}

TEST_F(Run, OtherFilesBelongInItsFolder) {
    const Args more = {"--out",           "out",
                       "--waves",         "out/w/run.vcd",
                       "--record-faults", "out/f.csv",
                       "--set",           "translation.mode=full",
                       "--set",           "driver.execution=ideal"};
    for (int i = 0; i < 2; ++i) {
        const Ended ended = small_run(more);
        EXPECT_EQ(ended.status, 0) << ended.err;
        EXPECT_THAT(names_in(""), ElementsAre("out"));
        EXPECT_THAT(names_in("out"), ElementsAre("f.csv", "results.json", "run.json", "timeline.json", "w"));
        EXPECT_THAT(names_in("out/w"), ElementsAre("run.gtkw", "run.vcd"));
    }
    EXPECT_THAT(numavp({"check", "out"}).err, IsEmpty());
    const auto files = json_of("out/run.json")["files"];
    EXPECT_THAT(files, ::testing::SizeIs(6)) << files;
}

TEST_F(Run, FilesThatCannotBeWrittenAreRefusedAtOnce) {
    dir_.write("file", "x");
    const Args endless = {"run",  "numa-aware-4", "stream-triad",          "--quiet", "--scale",
                          "1000", "--set",        "translation.mode=full", "--set",   "driver.execution=ideal"};
    const auto refused = [&](Args more, const std::string& part) {
        more.insert(more.begin(), endless.begin(), endless.end());
        expect_fault(more, part);
    };
    refused({"--out", "o", "--record-faults", "file/f"}, "--record-faults: file is not a folder");
    refused({"--out", "o", "--record-faults", "/dev/null"}, "--record-faults: this is a device; a file is expected");
    refused({"--out", "o", "--record-faults", "o"}, "--record-faults: 'o' gets in the way of --out 'o'");
    refused({"--out", "o", "--record-faults", "o/run.json"}, "the results have a file run.json");
    refused({"--out", "o.vcd", "--waves", "o.vcd"}, "--waves: 'o.vcd' gets in the way of --out 'o.vcd'");
    refused({"--out", "o.vcd/sub", "--waves", "o.vcd"}, "gets in the way of --out 'o.vcd/sub'");
    refused({"--out", "o", "--waves", "w.vcd", "--record-faults", "w.gtkw"}, "of the save file of --waves 'w.gtkw'");
    refused({"--out", "o", "--record-faults", std::string(250, 'x')}, "the name has 250 characters; at most 239");
}

TEST_F(Run, MakesTheFoldersAboveItsResults) {
    ASSERT_EQ(small_run({"--out", "a/b/c"}).status, 0);
    EXPECT_TRUE(exists("a/b/c/results.json"));
}

TEST_F(Run, InterruptLeavesNothingWhereNoKernelHadEnded) {
    Process run(long_run_words("out"), environment(), dir_.path(""));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    run.send(SIGINT);
    const Ended ended = run.wait(100.0);
    EXPECT_EQ(ended.status, 130) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(names_in(""), IsEmpty());
}

/// A small kernel before one that takes minutes.
TEST_F(Run, InterruptLeavesTheKernelsThatHadEnded) {
    dir_.write("w.json", R"({"name": "w", "kernels": [
        {"pattern": "stream_triad", "parameters": {"elements": 1024}},
        {"pattern": "compute", "parameters": {"blocks": 100000, "rounds": 100000}}]})");
    Ended ended;
    for (auto wait = std::chrono::milliseconds(500); wait.count() <= 16000 && names_in("").size() < 2; wait *= 2) {
        Process run(program({"run", "gpu-1", "w.json", "--out", "out", "--quiet"}), environment(), dir_.path(""));
        std::this_thread::sleep_for(wait); // for the first kernel to end, on a busy machine too
        run.send(SIGINT);
        ended = run.wait(100.0);
    }
    EXPECT_EQ(ended.status, 130) << ended.err;
    EXPECT_THAT(names_in(""), ElementsAre("out.unfinished.json", "w.json"));
    EXPECT_THAT(
        ended.err,
        HasSubstr(
            "numavp: interrupted: the run ends after at most 8,192 more cycles; another interrupt ends it at once\n"));
    EXPECT_THAT(ended.err, HasSubstr("statistics of the 1 of 2 kernels that had ended are in out.unfinished.json\n"));
    const auto left = json_of("out.unfinished.json");
    EXPECT_EQ(left["fault"], "interrupted");
    EXPECT_EQ(left["kernels_ended"], 1);
    EXPECT_TRUE(left["kernels"]["rows"]["ended"][0].is_number());
    EXPECT_TRUE(left["kernels"]["rows"]["ended"][1].is_null());
}

TEST_F(Run, KillLeavesNothing) {
    Process run(long_run_words("out"), environment(), dir_.path(""));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    run.send(SIGKILL);
    EXPECT_EQ(run.wait().signal, SIGKILL);
    EXPECT_THAT(names_in(""), IsEmpty());
}

/// Three arrays of 512 KiB, in 256 blocks: too small for anything.
constexpr const char* kSmallTriad = R"({"name": "t", "kernels": [{"pattern": "stream_triad", "parameters":
    {"elements": 65536, "element_bytes": 8, "elements_per_thread": 1, "threads": 256, "registers": 16}}]})";

TEST_F(Run, SaysWhatItIsTooSmallToShow) {
    dir_.write("t.json", kSmallTriad);
    const Ended ended = numavp({"run", "numa-aware-2", "t.json", "--out", "out"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out,
                AllOf(HasSubstr("too small for a conclusion: "), HasSubstr(" of the time is outside kernels"),
                      HasSubstr("2 blocks of a kernel fall on an SM")));
    const auto statistics = json_of("out/results.json")["statistics"]["system"];
    EXPECT_LE(statistics["pages_shared"].get<int>(), 3) << "a page at most where an array's halves meet";
    EXPECT_EQ(statistics["pages"], 24);
}

TEST_F(Run, FindsTheScaleAtWhichTheSpeedupStays) {
    dir_.write("t.json", kSmallTriad);
    const Ended ended = numavp(
        {"run", "numa-aware-2", "t.json", "--scale", "auto", "--over", "gpu-1", "--within", "100", "--out", "out"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("scale 0.0625: speedup over gpu-1 "), HasSubstr(" at 0.25; within 100 %")));
    EXPECT_THAT(ended.err, ::testing::Not(HasSubstr("\\x0a"))) << "lines end as lines";
    EXPECT_EQ(json_of("out/results.json")["workload"]["scale"], 0.0625);
    EXPECT_EQ(json_of("out/run.json")["record"]["scale"], "0.0625");
}

TEST_F(Run, RefusesWordsOfTheSearchForAScale) {
    expect_fault({"run", "--over", "gpu-1"}, "--over: it belongs to --scale auto");
    expect_fault({"run", "--scale", "0.1", "--within", "5"}, "--within: it belongs to --scale auto");
    expect_fault({"run", "--scale", "auto", "--within", "0"},
                 "--within: '0' is not a number of percent from 0.01 to 100");
    expect_fault({"run", "--scale", "auto", "--until-kernel", "2"}, "--scale: auto looks at whole runs");
    expect_fault({"run", "--scale", "auto", "--over", "none"}, "none");
}

TEST_F(Run, NamesTheScaleThatItTookAndTheSeedInItsAnswer) {
    const auto answer = [&](const Args& more) {
        Args words{"run", "gpu-1", "reduction", "--json", "--quiet", "--out", "out"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        return nlohmann::json::parse(ended.out);
    };
    EXPECT_EQ(answer({"--scale", "0.02"})["scale"], 0.02);
    // Within 100 % of each other are the first three speeds of the ladder, of which the first is taken.
    EXPECT_EQ(answer({"--scale", "auto", "--within", "100"})["scale"], 0.0625);
    EXPECT_EQ(json_of("out/results.json")["workload"]["scale"], 0.0625);
}

/// A trace of one warp that loads a word from an address.
std::string trace_of_load(const std::string& address) {
    return "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
           "-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x7f0100000000\n"
           "-local mem base_addr = 0x7f0000000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n\n"
           "#traces format = PC mask\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n"
           "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 " +
           address + " 4\n0010 ffffffff 0 EXIT 0 0\n\n#END_TB\n";
}

/// The second kernel accesses what no page table holds, which nobody knows before it does.
TEST_F(Run, LeavesTheKernelsThatHadEndedWhereItFails) {
    dir_.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
    for (const char* kernel : {"1", "3"})
        dir_.write(std::string("t/kernel-") + kernel + ".traceg", trace_of_load("0x7f2000000000"));
    dir_.write("t/kernel-2.traceg", trace_of_load("0xfffffffff0000000"));
    const Args words{"run", "gpu-1", "t/kernelslist.g", "--out", "out", "--quiet"};
    Ended ended = numavp(words);
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("statistics of the 1 of 3 kernels that had ended are in out.unfinished.json\n"));
    EXPECT_THAT(ended.err, HasSubstr("is beyond the system's 49-bit addresses"));
    EXPECT_THAT(names_in(""), ElementsAre("out.unfinished.json", "t"));
    const auto left = json_of("out.unfinished.json");
    EXPECT_THAT(left["fault"].get<std::string>(), HasSubstr("49-bit addresses"));
    EXPECT_EQ(left["kernels_ended"], 1);
    EXPECT_EQ(left["kernels_all"], 3);
    const auto& rows = left["kernels"]["rows"];
    EXPECT_GE(left["cycles"], rows["ended"][0]);
    EXPECT_EQ(rows["launch"].dump(), "[1,2,null]");
    EXPECT_TRUE(rows["ended"][0].is_number());
    EXPECT_TRUE(rows["ended"][1].is_null()) << "the one that failed";
    EXPECT_EQ(left["kernels"]["counters"]["system.warp_instructions"][0], 2);

    dir_.write("t/kernel-2.traceg", trace_of_load("0x7f2000000000"));
    EXPECT_EQ(numavp(words).status, 0);
    EXPECT_THAT(names_in(""), ElementsAre("out", "t")) << "gone, since there are results";

    dir_.write("t/kernel-2.traceg", trace_of_load("0xfffffffff0000000"));
    dir_.write("new.unfinished.json", "mine");
    ended = numavp({"run", "gpu-1", "t/kernelslist.g", "--out", "new", "--quiet"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(text_of("new.unfinished.json"), "mine");
    EXPECT_THAT(ended.err, Not(HasSubstr("that had ended")));
}

/// Paths of examples mean numavp's own files where there are none of the user's.
TEST_F(Cli, PathsOfExamplesWorkInAnyFolder) {
    for (const char* const path : {"configs/systems/numa-4.json", "configs/workloads/compute.json",
                                   "configs/studies/mechanisms.json", "./configs/studies/mechanisms.json"}) {
        const Ended ended = numavp({"check", path});
        EXPECT_EQ(ended.status, 0) << ended.err;
    }
    EXPECT_EQ(numavp({"explain", "configs/systems/numa-4.json"}).status, 0);
    expect_fault({"check", "configs/systems/none.json"}, "configs/systems/none.json: there is no such file");
    dir_.write("configs/systems/numa-4.json", R"({"sockets": "two"})");
    expect_fault({"check", "configs/systems/numa-4.json"}, "configs/systems/numa-4.json: $.sockets");
}

} // namespace
} // namespace numavp::test
