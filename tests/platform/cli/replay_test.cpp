/// Recorded page faults, replayed: native and RISC-V do the same, ideal puts pages in the same places, and the quantum
/// changes nothing.
#include <string>
#include <vector>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;

class Replay : public Cli {
  protected:
    /// Records the faults of a run on four sockets with pages of 4 KiB.
    void record(const Args& more = {}) const {
        Args words = {"run",
                      "numa-aware-4",
                      "spmv-powerlaw",
                      "--scale",
                      "0.02",
                      "--quiet",
                      "--set",
                      "socket.sms=8",
                      "--set",
                      "translation.mode=full",
                      "--set",
                      "driver.execution=native",
                      "--set",
                      "placement.page_kib=4",
                      "--out",
                      "recorded",
                      "--record-faults",
                      "faults.csv"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        ASSERT_EQ(ended.status, 0) << ended.err;
    }
    ordered_json replay(const std::string& execution, const Args& more = {}) const {
        Args words = {"replay-faults",         "faults.csv", "--execution",         execution, "--json", "--set",
                      "translation.mode=full", "--set",      "placement.page_kib=4"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        return ended.status == 0 ? ordered_json::parse(ended.out) : ordered_json();
    }
};

TEST_F(Replay, AllExecutionsAgreeForEveryPolicy) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    record();
    const Ended listed = numavp({"list", "policies", "--json"});
    unsigned policies = 0;
    for (const ordered_json& row : ordered_json::parse(listed.out)) {
        if (row.at("setting") != "driver.policy") continue;
        ++policies;
        const std::string set = "driver.policy=" + row.at("policy").get<std::string>();
        SCOPED_TRACE(set);
        const ordered_json native = replay("native", {"--set", set, "--page-table", "native.csv"});
        const ordered_json riscv = replay("riscv", {"--set", set, "--page-table", "riscv.csv"});
        const ordered_json ideal = replay("ideal", {"--set", set});
        EXPECT_GT(native.at("faults"), 100);
        EXPECT_EQ(text_of("native.csv"), text_of("riscv.csv")); // entry by entry
        EXPECT_EQ(native.at("page_table_digest"), riscv.at("page_table_digest"));
        EXPECT_EQ(native.at("device_writes"), riscv.at("device_writes"));
        EXPECT_EQ(native.at("device_write_digest"), riscv.at("device_write_digest"));
        EXPECT_EQ(native.at("homes_digest"), ideal.at("homes_digest"));
    }
    EXPECT_GE(policies, 6U);
}

TEST_F(Replay, PoliciesPutPagesInDifferentPlaces) {
    record();
    const ordered_json first = replay("native", {"--set", "driver.policy=first_touch"});
    const ordered_json turn = replay("native", {"--set", "driver.policy=round_robin"});
    EXPECT_NE(first.at("homes_digest"), turn.at("homes_digest"));
}

/// The driver idles in WFI between these, so its latency is exact whatever the quantum.
TEST_F(Replay, LatencyAndCountsAreTheSameAtEveryQuantum) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    std::string faults = "ps,page,socket,write\n";
    for (unsigned i = 1; i <= 200; ++i)
        faults += std::to_string(i * 50000000ULL + i * 137000) + "," + std::to_string(i * 3) + ",1,0\n";
    dir_.write("faults.csv", faults);
    ordered_json first;
    for (const char* quantum : {"1", "10", "1000", "100000"}) {
        SCOPED_TRACE(quantum);
        const ordered_json r = replay("riscv", {"--set", std::string("driver.riscv.quantum=") + quantum});
        if (first.is_null()) first = r;
        EXPECT_EQ(r, first);
    }
    EXPECT_EQ(first.at("faults"), 200);
}

TEST_F(Replay, AFullQueueLosesNoFault) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    record();
    const ordered_json wide = replay("riscv", {"--set", "driver.queue_entries=4096"});
    const ordered_json narrow = replay("riscv", {"--set", "driver.queue_entries=1"});
    EXPECT_EQ(wide.at("waited_for_room"), 0);
    EXPECT_GT(narrow.at("waited_for_room"), 0);
    EXPECT_EQ(wide.at("homes_digest"), narrow.at("homes_digest"));
}

/// Of the driver; the rarest first, which is alone in slow builds.
std::vector<const char*> executions() {
    if (!firmware_missing().empty()) return {"native", "ideal"};
    if (kFastBuild) return {"riscv", "native", "ideal"};
    return {"riscv"};
}

TEST_F(Replay, ClosedLoopRepeatsItselfToTheByte) {
    for (const char* execution : executions()) {
        SCOPED_TRACE(execution);
        record({"--set", std::string("driver.execution=") + execution});
        const std::string results = text_of("recorded/results.json"), faults = text_of("faults.csv");
        record({"--set", std::string("driver.execution=") + execution});
        EXPECT_EQ(text_of("recorded/results.json"), results);
        EXPECT_EQ(text_of("faults.csv"), faults);
        EXPECT_EQ(json_of("recorded/results.json").at("driver").at("page_table_digest").get<std::string>().size(), 16U);
    }
}

TEST_F(Replay, FourSocketsRunThousandsOfFaultsInAllExecutions) {
    for (const char* execution : executions()) {
        SCOPED_TRACE(execution);
        const Ended ended =
            numavp({"run", "numa-aware-4", "stencil-3d", "--scale", kFastBuild ? "0.1" : "0.01", "--quiet", "--set",
                    "socket.sms=16", "translation.mode=full", "placement.page_kib=4", "driver.policy=lab",
                    std::string("driver.execution=") + execution, "--out", execution});
        ASSERT_EQ(ended.status, 0) << ended.err;
        const ordered_json statistics = json_of(std::string(execution) + "/results.json").at("statistics");
        EXPECT_GT(statistics.at("host").at("faults").at("done"), kFastBuild ? 1000 : 400);
        EXPECT_EQ(statistics.at("host").at("faults").at("done"), statistics.at("host").at("faults").at("raised"));
        EXPECT_EQ(statistics.at("system").at("pages"), statistics.at("host").at("faults").at("done"));
    }
}

TEST_F(Replay, RefusesWhatIsNoListOfFaults) {
    const auto refuse = [&](const std::string& text, const std::string& part) {
        dir_.write("faults.csv", text);
        expect_fault({"replay-faults", "faults.csv", "--execution", "native", "--set", "translation.mode=full"}, part);
    };
    refuse("time,page\n", "faults.csv:1: it begins with 'time,page'; the header ps,page,socket,write is expected");
    refuse("ps,page,socket,write\n", "it has no faults");
    refuse("ps,page,socket,write\n1,2,0,7\n", "faults.csv:2: '1,2,0,7' is no fault");
    refuse("ps,page,socket,write\n1,-2,0,0\n", "faults.csv:2: '1,-2,0,0' is no fault");
    refuse("ps,page,socket,write\n1,2,4,0\n", "faults.csv:2: socket 4 does not exist; 0 to 3 are allowed");
    refuse("ps,page,socket,write\n9,2,0,0\n8,2,0,0\n", "faults.csv:3: 8 ps is before the fault above");
    expect_fault({"replay-faults", "none.csv"}, "none.csv: it can't be read");
    dir_.write("faults.csv", "ps,page,socket,write\n1,2,0,0\n");
    expect_fault({"replay-faults", "faults.csv", "--execution", "native", "--set", "translation.mode=full",
                  "--page-table", "faults.csv"},
                 "--page-table: 'faults.csv' is what this command reads; another path is expected");
    expect_fault({"replay-faults", "faults.csv"}, "none has no driver to replay faults to");
}

} // namespace
} // namespace numavp::test
