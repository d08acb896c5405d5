/// Runs that are repeated from their own record.
#include <filesystem>
#include <functional>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Repeat : public Cli {
  protected:
    void run_once(const Args& more = {}) const {
        Args words = {"--out", "once", "--seed", "7"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = small_run(words);
        ASSERT_EQ(ended.status, 0) << ended.err;
    }
    void change_run(const std::function<void(ordered_json&)>& change) const {
        ordered_json run = json_of("once/run.json");
        change(run);
        dir_.write("once/run.json", run.dump());
    }
};

TEST_F(Repeat, GivesTheSameBytes) {
    run_once();
    const Ended again = numavp({"run", "once", "--quiet", "--out", "again"});
    ASSERT_EQ(again.status, 0) << again.err;
    for (const char* name : {"/results.json", "/timeline.json"})
        EXPECT_EQ(text_of(std::string("again") + name), text_of(std::string("once") + name)) << name;
    const Ended third = numavp({"run", "./again/", "--quiet"});
    ASSERT_EQ(third.status, 0) << third.err;
    EXPECT_EQ(text_of("results/numa-aware-2-spmv-powerlaw/results.json"), text_of("once/results.json"));
}

TEST_F(Repeat, TakesChanges) {
    run_once();
    ASSERT_EQ(numavp({"run", "once", "--quiet", "--out", "more", "--set", "link.latency_cycles=99"}).status, 0);
    EXPECT_EQ(json_of("more/results.json")["configuration"]["link"]["latency_cycles"], 99);
    EXPECT_EQ(json_of("more/results.json")["workload"], json_of("once/results.json")["workload"]);
    ASSERT_EQ(numavp({"run", "once", "--quiet", "--out", "seed", "--seed", "8"}).status, 0);
    EXPECT_EQ(json_of("seed/results.json")["seed"], 8);
}

TEST_F(Repeat, NeedsNoFileOfTheWorkload) {
    dir_.write("mine.json", R"({"kernels": [{"pattern": "compute", "parameters": {"threads": 256}}]})");
    const Ended first = numavp({"run", "numa-aware-2", "mine.json", "--quiet", "--out", "once"});
    ASSERT_EQ(first.status, 0) << first.err;
    std::filesystem::remove(dir_.path("mine.json"));
    const Ended again = numavp({"run", "once", "--quiet", "--out", "again"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(text_of("again/results.json"), text_of("once/results.json"));
    EXPECT_EQ(json_of("again/results.json")["workload"]["name"], "mine");
}

TEST_F(Repeat, OfATraceNeedsTheTrace) {
    namespace fs = std::filesystem;
    fs::copy(source_dir() + "/tests/data/traces", dir_.path("traces"));
    ASSERT_EQ(numavp({"run", "numa-aware-2", "traces/kernelslist.g", "--quiet", "--out", "once"}).status, 0);
    const Ended again = numavp({"run", "once", "--quiet", "--out", "again"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(text_of("again/results.json"), text_of("once/results.json"));

    const std::string list = text_of("traces/kernelslist.g");
    dir_.write("traces/kernelslist.g", list + "kernel-1.traceg\n");
    const Ended changed = numavp({"run", "once", "--quiet", "--out", "changed"});
    EXPECT_EQ(changed.status, 2);
    EXPECT_THAT(changed.err, AllOf(HasSubstr("once/results.json: repeating its run gave other results, which are in "
                                             "changed"),
                                   HasSubstr("its trace")));
    fs::remove_all(dir_.path("traces"));
    expect_fault({"run", "once"}, "/traces/kernelslist.g is gone, without which the run can't be repeated");
}

TEST_F(Repeat, RefusesOtherVersionsAndDamage) {
    run_once();
    const std::string whole = text_of("once/run.json");
    change_run([](ordered_json& run) { run["record"]["models"] = "0.0.1+abc"; });
    expect_fault({"run", "once"},
                 "once/run.json: $.record.models: this run was made by version 0.0.1+abc, and this is ");
    change_run([](ordered_json& run) { run["record"].erase("models"); });
    expect_fault({"run", "once"}, "$.record.models: is missing or no text");
    change_run([](ordered_json& run) { run.erase("record"); });
    expect_fault({"run", "once"}, "once/run.json: it has no 'record', so that its run can't be repeated");
    dir_.write("once/run.json", "[1]");
    expect_fault({"run", "once"}, "it has no 'record'");
    dir_.write("once/run.json", whole);
    expect_fault({"run", "once", "bfs-mesh"}, "'bfs-mesh' is one word too many");
    expect_fault({"run", "once", "--seed", "-1"}, "--seed: '-1' is not a whole number");
    ordered_json results = json_of("once/results.json");
    results["configuration"]["sockets"] = -3;
    dir_.write("once/results.json", results.dump());
    expect_fault({"run", "once"}, "once/results.json: $.configuration.sockets");
    dir_.write("once/results.json", "{");
    expect_fault({"run", "once"}, "once/results.json: this is not JSON");
    dir_.write("empty/x", "");
    expect_fault({"run", "empty"}, "empty: this folder has no results of a run");
}

/// Counts of parts decide that of sockets.
TEST_F(Repeat, TakesCountsOfParts) {
    dir_.write("m.json", R"({"extends": "numa-aware-2", "sockets": null, "parts": [{"name": "gpu", "count": 2}],
        "socket": {"sms": 2}, "network": {"topology": "ring"}})");
    ASSERT_EQ(numavp({"run", "m.json", "compute", "--scale", "0.01", "--quiet", "--out", "once"}).status, 0);
    const Ended more = numavp({"run", "once", "--quiet", "--out", "more", "--set", "parts.gpu.count=3"});
    ASSERT_EQ(more.status, 0) << more.err;
    EXPECT_EQ(json_of("more/results.json")["configuration"]["sockets"], 3);
}

TEST_F(Repeat, ASystemsNameIsNoFolder) {
    dir_.write("numa-aware-2/notes.txt", "x");
    EXPECT_EQ(small_run({"--out", "once"}).status, 0);
}

} // namespace
} // namespace numavp::test
