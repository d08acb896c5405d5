/// Each slot of each socket has one cause: on all kinds of systems, in every interval of the series.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/inputs/named_workload.h"
#include "common/system/load_system.h"
#include "models/sm/slot_account.h"
#include "platform/machine/slot_series.h"
#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

struct Run {
    std::string name, system, workload;
    std::vector<std::string> settings;
    friend void PrintTo(const Run& run, std::ostream* out) { *out << run.name; }
};

const std::string kSource = source_dir();
const std::string kSmall = kSource + "/tests/validation/same_bytes/system.json";
const std::string kPatterns = kSource + "/tests/validation/same_bytes/workload.json";
const std::string kTrace = kSource + "/tests/data/traces/kernelslist.g";

std::vector<Run> runs() {
    const std::string full = "translation.mode=full";
    return {
        {"small", kSmall, kPatterns, {}},
        {"three_schedulers", kSmall, kPatterns, {"socket.sm.schedulers=3"}},
        {"eight_schedulers", kSmall, kPatterns, {"socket.sm.schedulers=8", "socket.sm.scheduler=greedy_oldest"}},
        {"depth_1", kSmall, kPatterns, {"socket.sm.l1.queue_depth=1", "socket.sm.l1.wire_depth=1"}},
        {"units", kSmall, kPatterns, {"socket.sm.units=volta", "socket.sm.shared_banks=32"}},
        {"walks", kSmall, kPatterns, {full, "socket.sm.units=ampere"}},
        {"driver",
         kSmall,
         kPatterns,
         {full, "driver.execution=native", "driver.register_cycles=20", "driver.pages=64"}},
        {"trace", kSmall, kTrace, {}},
        {"qv100", "accel-sim-qv100", kPatterns, {"socket.sms=6", "results.interval_cycles=500"}},
        {"qv100_trace", "accel-sim-qv100", kTrace, {"socket.sms=3", "results.interval_cycles=300"}},
        {"qv100_without_units",
         "accel-sim-qv100",
         kPatterns,
         {"socket.sms=6", "socket.sm.units=none", "results.interval_cycles=500"}},
    };
}

/// slots, and what else counts instructions.
json results_of(const Run& run) {
    return run_apart([&] {
        const SystemConfig config = load_system(run.system, run.settings);
        const NamedWorkload loaded = load_named_workload(run.workload, run.workload == kTrace ? "" : "7", "", "");
        System system(config, loaded.workload);
        system.run(); // holds for each SM that its slots sum up
        json out = {{"slots", json::parse(system.slots().json().dump())}, {"cycles", system.cycles()}};
        out["series"] = json::parse(system.series().json().dump());
        out["statistics"] = json::parse(system.stats().values().dump());
        return out;
    });
}

class SlotsOf : public ::testing::TestWithParam<Run> {};

TEST_P(SlotsOf, SumUpInEveryInterval) {
    const json results = results_of(GetParam());
    const json& slots = results["slots"];
    const json &columns = slots["series"]["columns"], &cycles = slots["series"]["cycles"];
    ASSERT_EQ(cycles, results["series"]["cycles"]);
    ASSERT_EQ(cycles.back(), results["cycles"]);
    ASSERT_GT(cycles.size(), 3U);
    std::uint64_t issued = 0, instructions = 0;
    for (std::size_t s = 0; s < slots["sockets"].size(); ++s) {
        const std::string name = "socket" + std::to_string(s);
        const json& socket = slots["sockets"][s];
        const auto schedulers = socket["schedulers"].get<std::uint64_t>();
        json totals = json::object();
        for (std::size_t i = 0; i < cycles.size(); ++i) {
            const std::uint64_t length =
                cycles[i].get<std::uint64_t>() - (i == 0 ? 0 : cycles[i - 1].get<std::uint64_t>());
            std::uint64_t sum = 0;
            for (const auto& cause : kSlotCauses) {
                const std::string key(cause.name);
                const auto value = columns[fmt::format("{}.slots.{}", name, key)]["values"][i].get<std::uint64_t>();
                sum += value;
                totals[key] = totals.value(key, std::uint64_t{0}) + value;
            }
            ASSERT_EQ(sum, length * schedulers) << name << " until cycle " << cycles[i];
        }
        for (const auto& cause : kSlotCauses)
            EXPECT_EQ(totals[std::string(cause.name)], socket[std::string(cause.name)]);
        issued += socket["issued"].get<std::uint64_t>();
        instructions += results["statistics"][name]["sm"]["warp_instructions"].get<std::uint64_t>();
        EXPECT_LE(socket["last_warp_cycle"], results["cycles"]);
    }
    // The end of a warp whose trace has no EXIT takes a slot and is no instruction: three of this trace have none.
    EXPECT_EQ(issued, instructions + (GetParam().workload == kTrace ? 3 : 0));
}
INSTANTIATE_TEST_SUITE_P(All, SlotsOf, ::testing::ValuesIn(runs()), [](const auto& run) { return run.param.name; });

/// A socket whose blocks are short has no warp from then on, and the series shows when.
TEST(SlotsOfASystem, AnIdleSocketIsSeen) {
    const json slots = run_apart([] {
        SystemConfig config;
        config.sockets = 2;
        config.socket.sms = 1;
        config.results.interval_cycles = 100;
        config.dispatch.launch_cycles = 0;
        const auto code = [](std::uint64_t block, unsigned) { return WarpCode(block == 0 ? 150 : 950, Inst{}); };
        System system(config, hand_workload({hand_launch("uneven", 2, 1, code)}));
        system.run();
        return json::parse(system.slots().json().dump());
    });
    EXPECT_LT(slots["sockets"][0]["last_warp_cycle"], 200);
    EXPECT_GT(slots["sockets"][1]["last_warp_cycle"], 900);
    const auto at = [&](unsigned socket, const char* column, unsigned interval) {
        return slots["series"]["columns"]["socket" + std::to_string(socket) + "." + column]["values"][interval];
    };
    EXPECT_EQ(at(0, "slots.no_warp", 5), 400) << "four schedulers for 100 cycles";
    EXPECT_EQ(at(0, "warp_cycles", 5), 0);
    EXPECT_EQ(at(1, "slots.no_warp", 5), 300) << "its warp is on one of them";
    EXPECT_EQ(at(1, "slots.issued", 5), 100);
    EXPECT_EQ(at(1, "warp_cycles", 5), 100);
}

} // namespace
} // namespace numavp::test
