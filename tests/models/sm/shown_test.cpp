/// How slots are shown: counters of the timeline, numbers of the summary, and a file that does not add up.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/inputs/named_workload.h"
#include "common/system/load_system.h"
#include "models/sm/slot_account.h"
#include "platform/machine/system.h"
#include "platform/results/results.h"
#include "platform/results/results_check.h"
#include "platform/results/results_timeline.h"
#include "platform/summary/summary_slots.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

/// A socket with two schedulers: busy for 100 cycles, then without a warp for 50.
ordered_json two_intervals() {
    ordered_json columns, socket = {{"schedulers", 2}};
    for (const auto& cause : kSlotCauses) {
        const std::string name(cause.name);
        const unsigned first = name == "issued" ? 50 : name == "memory" ? 150 : 0, second = name == "no_warp" ? 100 : 0;
        columns["socket0.slots." + name]["values"] = {first, second};
        socket[name] = first + second;
    }
    columns["socket0.warp_cycles"]["values"] = {300, 0};
    socket["warp_cycles"] = 300;
    socket["last_warp_cycle"] = 100;
    ordered_json slots = {{"sockets", {socket}}, {"series", {{"cycles", {100, 150}}, {"columns", columns}}}};
    for (const auto& cause : kSlotCauses) slots["causes"][std::string(cause.name)] = "";
    return slots;
}

TEST(SlotsShown, AreCountersOfTheirSocket) {
    const ordered_json series = {{"cycles", ordered_json::array()}, {"columns", ordered_json::object()}};
    const ordered_json timeline = timeline_json({}, series, {"socket 0"}, 1000000, 0.0, {}, two_intervals());
    std::vector<ordered_json> slots;
    std::vector<double> warps, ipc;
    for (const auto& event : timeline["traceEvents"]) {
        if (event["ph"] != "C") continue;
        EXPECT_EQ(event["pid"], 2) << "socket 0";
        if (event["name"] == "warps") warps.push_back(event["args"]["warps"]);
        if (event["name"] == "ipc") ipc.push_back(event["args"]["instructions a cycle"]);
        if (event["name"] == "slots, %") slots.push_back(event);
    }
    EXPECT_THAT(warps, ::testing::ElementsAre(3.0, 0.0, 0.0));
    EXPECT_THAT(ipc, ::testing::ElementsAre(0.5, 0.0, 0.0));
    ASSERT_EQ(slots.size(), 3U) << "where each interval begins, and the end";
    EXPECT_EQ(slots[0]["args"]["issued"], 25.0);
    EXPECT_EQ(slots[0]["args"]["memory"], 75.0);
    EXPECT_EQ(slots[1]["ts"], 0.1);
    EXPECT_EQ(slots[1]["args"]["no_warp"], 100.0);
    EXPECT_EQ(slots[2]["args"]["no_warp"], 0.0);
}

TEST(SlotsShown, AreSharesInTheSummary) {
    const ordered_json results = {{"slots", two_intervals()}};
    const std::vector<SlotSummary> sockets = summarise_slots(results, 1000000);
    ASSERT_EQ(sockets.size(), 1U);
    EXPECT_DOUBLE_EQ(*sockets[0].ipc, 50.0 / 150);
    EXPECT_DOUBLE_EQ(*sockets[0].warps, 2.0);
    EXPECT_DOUBLE_EQ(*sockets[0].last_warp_ns, 100.0);
    const ordered_json shown = json_of(sockets[0]);
    EXPECT_DOUBLE_EQ(shown["shares"]["issued"], 50.0 / 300);
    EXPECT_DOUBLE_EQ(shown["shares"]["memory"], 0.5);
    EXPECT_DOUBLE_EQ(shown["shares"]["no_warp"], 100.0 / 300);
    const std::string text = slots_text(sockets, {false, "socket", {"0"}, {{"socket[0]", 0, 1}}}, Style{});
    EXPECT_THAT(text, ::testing::HasSubstr("no warp"));
    EXPECT_THAT(text, ::testing::ContainsRegex("0 +0\\.33 +2\\.0 +0\\.10 +16\\.7 %.*50\\.0 %.*33\\.3 %"));
    EXPECT_TRUE(summarise_slots(ordered_json::object(), 1000000).empty()) << "results of earlier versions";
    EXPECT_EQ(slots_text({}, {}, Style{}), "");
}

/// `numavp check` adds up.
TEST(SlotsShown, CheckRefusesOnesThatDoNotSumUp) {
    ConfigDocument document;
    document.file = "results.json";
    document.value = run_apart([] {
        const std::string here = source_dir() + "/tests/validation/same_bytes/";
        const SystemConfig config = load_system(here + "system.json", {});
        const NamedWorkload loaded = load_named_workload(here + "workload.json", "7", "0.2", "");
        System system(config, loaded.workload);
        system.run();
        return nlohmann::json::parse(results_json(system, loaded.record).dump());
    });
    EXPECT_NO_THROW(check_of_a_run(document));
    nlohmann::json& memory = document.value["slots"]["sockets"][2]["memory"];
    memory = memory.get<std::uint64_t>() + 1;
    try {
        check_of_a_run(document);
        ADD_FAILURE() << "it is one slot too many";
    } catch (const ConfigError& error) {
        EXPECT_NE(std::string(error.what()).find("$.slots.sockets[2]: its causes sum to"), std::string::npos)
            << error.what();
    }
    document.value.erase("slots"); // earlier versions wrote none
    EXPECT_NO_THROW(check_of_a_run(document));
}

} // namespace
} // namespace numavp::test
