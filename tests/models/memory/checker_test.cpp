/// The command checker: each timing of a device is noticed when the controller has a cycle less of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "tests/models/memory/checked_replay.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class NoticesEachConstraint : public ::testing::TestWithParam<RefreshKind> {};

TEST_P(NoticesEachConstraint, ThatIsACycleShort) {
    MemoryDeviceConfig truth = tight_device();
    truth.refresh = GetParam();
    const MemoryStream stream = mixed_stream(truth, 1, 6'000);
    ASSERT_THAT(checked_replay(truth, stream, {64, 64}).breaches, IsEmpty());
    const ordered_json fields = dump_config(truth.timing);
    unsigned tried = 0;
    for (const auto& [name, value] : fields.items()) {
        // cl and cwl are latencies; refi is how seldom a refresh may come
        if (name == "cl" || name == "cwl" || name == "burst" || name == "refi") continue;
        json shorter = fields;
        shorter[name] = value.get<unsigned>() - 1;
        MemoryDeviceConfig device = truth;
        device.timing = read_config<DramTiming>(shorter, Place("timing", "$", nullptr));
        const CheckedReplay r = checked_replay(device, stream, {64, 64}, &truth);
        EXPECT_THAT(r.breaches, Not(IsEmpty())) << name;
        EXPECT_THAT(r.breaches.empty() ? "" : r.breaches.front(), HasSubstr(name)) << name;
        ++tried;
    }
    EXPECT_EQ(tried, fields.size() - 4);
}
INSTANTIATE_TEST_SUITE_P(Refreshes, NoticesEachConstraint,
                         ::testing::Values(RefreshKind::all_bank, RefreshKind::per_bank));

TEST(MemoryCommands, KeepToTheTimingWhereRowsAndColumnsShareABus) {
    MemoryDeviceConfig device = tight_device();
    device.split_commands = false;
    EXPECT_THAT(checked_replay(device, mixed_stream(device, 2, 4'000), {64, 64}).breaches, IsEmpty());
}

TEST(MemoryChecker, NoticesCommandsThatDoNotFitTheState) {
    const MemoryDeviceConfig device = device_named("hbm-nuba");
    const auto first_breach = [&](const std::vector<IssuedCommand>& commands) {
        CommandChecker checker(device);
        for (const IssuedCommand& c : commands) checker.observe(c);
        return checker.breaches().empty() ? std::string() : checker.breaches().front();
    };
    EXPECT_EQ(first_breach({{0, DramCommand::activate, 1, 5}, {7, DramCommand::read, 1, 5}}), "");
    EXPECT_THAT(first_breach({{0, DramCommand::activate, 1, 5}, {6, DramCommand::read, 1, 5}}), HasSubstr("rcd"));
    EXPECT_THAT(first_breach({{0, DramCommand::activate, 1, 5}, {7, DramCommand::read, 1, 4}}),
                HasSubstr("row 5 is open"));
    EXPECT_THAT(first_breach({{7, DramCommand::read, 1, 4}}), HasSubstr("closed"));
    EXPECT_THAT(first_breach({{0, DramCommand::activate, 1, 5}, {30, DramCommand::activate, 1, 6}}), HasSubstr("open"));
    EXPECT_THAT(first_breach({{0, DramCommand::activate, 1, 5}, {90, DramCommand::refresh, 0, 0}}), HasSubstr("open"));
    EXPECT_THAT(first_breach({{0, DramCommand::activate, 1, 5}, {90, DramCommand::refresh_bank, 1, 0}}),
                HasSubstr("open"));
    EXPECT_EQ(first_breach({{0, DramCommand::activate, 1, 5}, {90, DramCommand::refresh_bank, 2, 0}}), "");
    EXPECT_THAT(first_breach({{9, DramCommand::activate, 1, 5}, {5, DramCommand::activate, 2, 5}}),
                HasSubstr("before"));
    EXPECT_THAT(first_breach({{9, DramCommand::activate, 1, 5}, {9, DramCommand::precharge, 2, 5}}), HasSubstr("bus"));
    EXPECT_THAT(first_breach({{9, DramCommand::activate, 99, 5}}), HasSubstr("no such bank"));
    // auto-precharge: recovery, then rp
    const std::vector<IssuedCommand> closing{{0, DramCommand::activate, 1, 5}, {7, DramCommand::read_precharge, 1, 5}};
    const auto then = [&](Cycle cycle) {
        auto commands = closing;
        commands.push_back({cycle, DramCommand::activate, 1, 6});
        return first_breach(commands);
    };
    EXPECT_THAT(then(23), HasSubstr("r"));
    EXPECT_EQ(then(24), "");
}

TEST(MemoryChecker, NoticesARefreshThatDoesNotCome) {
    const MemoryDeviceConfig truth = device_named("hbm-nuba-refresh");
    MemoryDeviceConfig device = truth;
    device.refresh = RefreshKind::none;
    const MemoryStream stream = make_memory_stream(MemoryStreamKind::seq_r, device, 20'000);
    EXPECT_THAT(checked_replay(truth, stream, {64, 64}).breaches, IsEmpty());
    const CheckedReplay r = checked_replay(device, stream, {64, 64}, &truth);
    ASSERT_THAT(r.breaches, Not(IsEmpty()));
    EXPECT_THAT(r.breaches.front(), HasSubstr("overdue"));
}

} // namespace
} // namespace numavp::test
