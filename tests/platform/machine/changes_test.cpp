/// Settings that change at the launch of a kernel, each of the table of those that may: from there on the machine is
/// one that has the new value, and before it is the old one.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/changeable_setting.h"
#include "common/system/changed_system.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/small_system.h"
#include "tests/platform/nuba/small_nuba.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t kPageOfTest = 4096;
constexpr unsigned kSharedPages = 64;

/// All blocks read pages of socket 0, and store to pages that nobody has touched.
Launch read_and_place(unsigned launch) {
    constexpr unsigned kBlocks = 32;
    KernelShape shape;
    shape.name = "read";
    shape.blocks = kBlocks;
    shape.threads = 2 * kWarpLanes;
    shape.digits = {{'n', 8}, {'m', kBlocks / 8}};
    Launch made;
    made.kernel = std::make_shared<HandKernel>(shape, [launch](std::uint64_t block, unsigned warp) {
        WarpCode code;
        for (unsigned i = 0; i < 24; ++i)
            code.push_back(
                load(kHandBase + (block * 7 + i * 3) % kSharedPages * kPageOfTest + (warp * 16 + i) % 32 * kLineBytes));
        const std::uint64_t own = kSharedPages + std::uint64_t{launch} * kBlocks + block;
        code.push_back(store(kHandBase + own * kPageOfTest + warp * kLineBytes));
        return code;
    });
    return made;
}

/// Socket 0 gets the pages that all read; then 3 kernels read them.
Workload reading_work() {
    WarpCode place;
    for (unsigned page = 0; page < kSharedPages; ++page) place.push_back(store(kHandBase + page * kPageOfTest));
    std::vector<Launch> launches = {hand_launch("place", 4, 1, on(0, place))};
    for (unsigned i = 0; i < 3; ++i) launches.push_back(read_and_place(i));
    return hand_workload(launches);
}

SystemConfig turning_machine() {
    SystemConfig c = small_system(4);
    c.checks.protocol = false;
    c.placement.page_kib = 4;
    c.link.lane_gbps = 1.0;
    c.link.balancer = LaneBalancerKind::dynamic;
    c.link.params.saturation_percent = 90;
    c.socket.l2.organisation = L2Organisation::numa_aware;
    c.socket.partition.params.saturation_percent = 80;
    return c;
}

SystemConfig placing_machine(PlacementKind policy) {
    SystemConfig c = turning_machine();
    c.placement.policy = policy;
    return c;
}

SystemConfig ordered_machine(BlockOrderPolicy policy) {
    SystemConfig c = turning_machine();
    c.dispatch.split = BlockSplit::modulo;
    c.dispatch.order.policy = policy;
    return c;
}

SystemConfig replicating_machine() {
    SystemConfig c = small_nuba(4, ReplicationPolicy::model);
    c.placement.policy = PlacementKind::first_touch;
    return c;
}

SystemConfig driven_machine(DriverExecution execution) {
    SystemConfig c = small_system(4);
    c.translation.mode = TranslationMode::full;
    c.placement.page_kib = 4;
    c.driver.execution = execution;
    c.driver.latency_us = 0.5;
    c.driver.register_cycles = 5;
    c.driver.faults.message_cycles = 10;
    c.host.link_latency_cycles = 20;
    return c;
}

SystemConfig told_of_accesses(unsigned DriverConfig::*threshold) {
    SystemConfig c = driven_machine(DriverExecution::native);
    c.socket.l2.organisation = L2Organisation::memory_side;
    c.driver.*threshold = 4;
    return c;
}

/// A setting, the machine on which it matters, and its new value.
struct Changed {
    const char* path;
    const char* value;
    std::function<SystemConfig()> machine;
};

const std::vector<Changed>& changed_cases() {
    static const std::vector<Changed> all = {
        {"socket.partition.controller", "fixed", turning_machine},
        {"socket.partition.sample_cycles", "70", turning_machine},
        {"socket.partition.decision_cycles", "90", turning_machine},
        {"socket.partition.saturation_percent", "10", turning_machine},
        {"link.balancer", "static", turning_machine},
        {"link.sample_cycles", "70", turning_machine},
        {"link.switch_cycles", "150", turning_machine},
        {"link.decision_cycles", "90", turning_machine},
        {"link.saturation_percent", "30", turning_machine},
        {"dispatch.split", "modulo", turning_machine},
        {"dispatch.order.policy", "grouped", [] { return ordered_machine(BlockOrderPolicy::by_number); }},
        {"dispatch.order.group", "2", [] { return ordered_machine(BlockOrderPolicy::grouped); }},
        {"dispatch.order.window", "2", [] { return ordered_machine(BlockOrderPolicy::windowed); }},
        {"dispatch.order.chunk", "2", [] { return ordered_machine(BlockOrderPolicy::windowed); }},
        {"dispatch.order.longest_first", "true", [] { return ordered_machine(BlockOrderPolicy::by_number); }},
        {"placement.policy", "round_robin", [] { return placing_machine(PlacementKind::first_touch); }},
        {"placement.lab_percent", "10", [] { return placing_machine(PlacementKind::lab); }},
        {"placement.seed", "5", [] { return placing_machine(PlacementKind::random); }},
        {"replication.policy", "full", replicating_machine},
        {"replication.epoch_cycles", "1700", replicating_machine},
        {"driver.policy", "round_robin", [] { return driven_machine(DriverExecution::ideal); }},
        {"driver.lab_percent", "10",
         [] {
             SystemConfig c = driven_machine(DriverExecution::native);
             c.driver.policy = "lab";
             return c;
         }},
        {"driver.migration_threshold", "20", [] { return told_of_accesses(&DriverConfig::migration_threshold); }},
        {"driver.replication_threshold", "20", [] { return told_of_accesses(&DriverConfig::replication_threshold); }},
    };
    return all;
}

SystemConfig with_change(SystemConfig config, std::uint64_t kernel, const Changed& change) {
    add_changes(config, kernel, {std::string(change.path) + "=" + change.value}, "test");
    return config;
}

json changed_outcome(const SystemConfig& config, const SystemOptions& options = {}) {
    return run_apart([&]() -> json {
        System system(config, reading_work(), options);
        system.run();
        return {{"cycles", system.cycles()}, {"kernels", system.kernels()}, {"values", system.stats().values()}};
    });
}

/// Times of a kernel, by the number of its launch.
json times_of(const json& outcome, std::uint64_t number) {
    json times;
    const json& rows = outcome.at("kernels").at("rows");
    for (std::size_t i = 0; i < rows.at("launch").size(); ++i)
        if (rows.at("launch")[i] == number)
            for (const char* what : {"launched", "started", "ended", "flushed"}) times[what] = rows.at(what)[i];
    return times;
}

TEST(Changes, AreShownForEachSettingThatMay) {
    std::set<std::string> shown;
    for (const Changed& one : changed_cases()) shown.insert(one.path);
    for (const ChangeableSetting& one : changeable_settings()) EXPECT_EQ(shown.count(one.path), 1U) << one.path;
}

class EachChange : public ::testing::TestWithParam<Changed> {};

/// At the first launch it is a machine that was built with the value.
TEST_P(EachChange, AtTheFirstLaunchIsTheSettingFromTheStart) {
    const SystemConfig config = with_change(GetParam().machine(), 1, GetParam());
    const SystemConfig built = changed_systems(config, Place("test")).front().config;
    const json changed = changed_outcome(config), expected = changed_outcome(built);
    EXPECT_EQ(changed["cycles"], expected["cycles"]);
    if (std::string(GetParam().path) != "replication.policy") { // the model's statistics are those of its sampler
        EXPECT_EQ(changed["values"], expected["values"]);
    }
}

/// What was before the launch stays as it was, and what comes after it is changed.
TEST_P(EachChange, ChangesNothingBeforeItsLaunch) {
    const SystemConfig config = GetParam().machine();
    const json whole = changed_outcome(config), changed = changed_outcome(with_change(config, 3, GetParam()));
    for (const std::uint64_t before : {std::uint64_t{1}, std::uint64_t{2}}) {
        ASSERT_FALSE(times_of(whole, before).is_null());
        EXPECT_EQ(times_of(changed, before), times_of(whole, before)) << before;
    }
    // These make no difference to the rest of a program this short.
    const std::set<std::string> unseen = {"dispatch.order.longest_first",   "dispatch.order.policy",
                                          "placement.lab_percent",          "driver.lab_percent",
                                          "socket.partition.sample_cycles", "socket.partition.decision_cycles"};
    if (unseen.count(GetParam().path) == 0) {
        EXPECT_NE(changed["values"], whole["values"]);
    }
}

std::string name_of_change(const ::testing::TestParamInfo<Changed>& info) {
    std::string name = info.param.path;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, EachChange, ::testing::ValuesIn(changed_cases()), name_of_change);

/// A branch point gives the changes where a whole run has them in its configuration; workers make no difference.
TEST(Changes, OfABranchAreThoseOfAWholeRun) {
    const SystemConfig config = turning_machine();
    std::vector<std::string> sets = {"link.balancer=static", "socket.partition.sample_cycles=70"};
    SystemConfig whole = config;
    add_changes(whole, 3, sets, "test");
    const json expected = changed_outcome(whole);
    for (const unsigned workers : {1U, 2U}) {
        SystemOptions options;
        options.workers = workers;
        if (workers > 1) options.worker_seed = 1; // edges that workers share are drawn
        EXPECT_EQ(changed_outcome(whole, options), expected) << workers;
        unsigned begun = 0;
        options.branch = BranchPoint{3, 3, [&] {
                                         ++begun;
                                         return whole;
                                     }};
        EXPECT_EQ(changed_outcome(config, options), expected) << workers;
    }
}

/// Kernels of other streams that run go on as they have begun.
TEST(Changes, LeaveTheSplitOfKernelsThatRun) {
    SystemConfig config = turning_machine();
    config.dispatch.split = BlockSplit::fine_grained;
    config.dispatch.message_cycles = 20;
    config.dispatch.launch_cycles = 0;
    Workload work = reading_work();
    work.launches[2].stream = work.launches[3].stream = 1;
    add_changes(config, 4, {"dispatch.split=stealing"}, "test");
    const json blocks = run_apart([&]() -> json {
        System system(config, work, {});
        system.run();
        return system.stats().values();
    });
    EXPECT_EQ(stat(blocks, "system.blocks"), 4U + 3 * 32);
}

void expect_change_refused(const SystemConfig& config, const std::string& set, const std::string& part) {
    SystemConfig changed = config;
    try {
        add_change(changed, set, "--change");
        ADD_FAILURE() << set << " was taken";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("--change: "), HasSubstr(part))) << set;
    }
}

TEST(Changes, OfWhatIsBuiltAreRefused) {
    const SystemConfig config = turning_machine();
    expect_change_refused(config, "2:link.lane_gbps=4", "link.lane_gbps: this can't change during a run; these may: ");
    expect_change_refused(config, "2:socket[1].sms=1", "this can't change during a run");
    expect_change_refused(config, "link.balancer=static", "'link.balancer=static' has no kernel");
    expect_change_refused(config, "0:link.balancer=static", "'0' is not the number of a kernel's launch");
    expect_change_refused(config, "2:link.balancer=fast", "link.balancer");
    expect_change_refused(config, "2:link.balancer", "the value is missing");
    expect_change_refused(config, "2:placement.policy=line_interleave", "lines of all pages go round");
    expect_change_refused(config, "2:placement.seed=3", "this changes nothing: placement.policy is not random");
    expect_change_refused(config, "2:dispatch.split=persistent", "a split by SMs numbers them");
    expect_change_refused(driven_machine(DriverExecution::native), "2:driver.migration_threshold=5",
                          "are built to count");
    SystemConfig firmware = driven_machine(DriverExecution::riscv);
    expect_change_refused(firmware, "2:driver.policy=lab", "firmware reads it when it starts");
    expect_change_refused(replicating_machine(), "2:replication.policy=none",
                          "slices are built with replicas or without");
}

TEST(Changes, OfOneSocketLeaveTheOthers) {
    SystemConfig all = turning_machine(), one = turning_machine();
    add_changes(all, 2, {"socket.partition.controller=fixed"}, "test");
    add_changes(one, 2, {"socket[1].partition.controller=fixed"}, "test");
    const json of_all = changed_outcome(all)["values"], of_one = changed_outcome(one)["values"];
    EXPECT_EQ(stat(of_all, "socket1.ways.changes"), stat(of_one, "socket1.ways.changes"));
    EXPECT_GT(stat(of_one, "socket2.ways.changes"), stat(of_all, "socket2.ways.changes"));
}

TEST(Changes, NeedTheLaunchAtWhichTheyAreMade) {
    SystemConfig config = turning_machine();
    add_changes(config, 5, {"link.balancer=static"}, "test");
    try {
        const System system(config, reading_work(), {});
        FAIL() << "launch 5 of 4 was taken";
    } catch (const ConfigError& error) {
        EXPECT_STREQ(error.what(), "changes.at[0].kernel: the run has no launch 5 of a kernel; 4 are launched, 1 to 4");
    }
}

} // namespace
} // namespace numavp::test
