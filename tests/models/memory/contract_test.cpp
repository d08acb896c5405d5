/// What every scheduler, row policy, refresh and device keeps to.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "common/system/memory_device.h"
#include "models/memory/dram/refresh/refresh.h"
#include "models/memory/dram/row_policy/row_policy.h"
#include "models/memory/dram/scheduler/scheduler.h"
#include "tests/models/memory/checked_replay.h"

namespace numavp::test {
namespace {

using ::testing::IsEmpty;

TEST(MemoryContract, EveryVariantServesEveryRequestWithLegalCommands) {
    for (const auto& scheduler : kMemorySchedulers)
        for (const auto& policy : kRowPolicies)
            for (const auto& refresh : kRefreshes) {
                MemoryDeviceConfig device = tight_device();
                device.scheduler = scheduler.value;
                device.row_policy = policy.value;
                device.refresh = refresh.value;
                const MemoryStream stream = mixed_stream(device, 7, 3'000);
                const CheckedReplay r = checked_replay(device, stream, {64, 64});
                const std::string what =
                    std::string(scheduler.name) + ", " + std::string(policy.name) + ", " + std::string(refresh.name);
                EXPECT_THAT(r.breaches, IsEmpty()) << what;
                EXPECT_EQ(r.result.counts.reads + r.result.counts.writes, stream.size()) << what;
                EXPECT_EQ(r.result.reads + r.result.writes, stream.size()) << what;
                EXPECT_EQ(r.result.read_latency.count(), r.result.reads) << what;
                EXPECT_EQ(r.result.counts.refreshes != 0, refresh.value != RefreshKind::none) << what;
            }
}

TEST(MemoryContract, EveryDeviceServesRandomRequestsWithLegalCommands) {
    const std::vector<NamedFile> devices = list_memory_devices();
    ASSERT_GE(devices.size(), 7U);
    for (const NamedFile& file : devices) {
        const std::string& name = file.name;
        const MemoryDeviceConfig device = device_named(name);
        for (const unsigned window : {1U, 5U, device.window_reads}) {
            const MemoryStream stream = mixed_stream(device, window, 2'000);
            const CheckedReplay r = checked_replay(device, stream, {window, window});
            EXPECT_THAT(r.breaches, IsEmpty()) << name;
            EXPECT_EQ(r.result.counts.reads + r.result.counts.writes, stream.size()) << name;
        }
    }
}

TEST(MemoryContract, ASchedulerChoosesTheOldestOrItsHit) {
    for (const auto& entry : kMemorySchedulers) {
        const auto scheduler = make_memory_scheduler(entry.value);
        EXPECT_EQ(scheduler->choose({3, kNoSlot, 0}), 3) << entry.name;
        for (const unsigned overtakes : {0U, 1U, 1'000U}) {
            const MemorySlot slot = scheduler->choose({3, 5, overtakes});
            EXPECT_TRUE(slot == 3 || slot == 5) << entry.name;
            EXPECT_EQ(slot, scheduler->choose({3, 5, overtakes})) << entry.name;
            EXPECT_EQ(scheduler->choose({4, 4, overtakes}), 4) << entry.name;
        }
    }
    EXPECT_EQ(make_memory_scheduler(MemorySchedulerKind::fr_fcfs)->choose({3, 5, 1'000}), 5);
    EXPECT_EQ(make_memory_scheduler(MemorySchedulerKind::fcfs)->choose({3, 5, 0}), 3);
    EXPECT_EQ(make_memory_scheduler(MemorySchedulerKind::fr_fcfs_cap)->choose({3, 5, 15}), 5);
    EXPECT_EQ(make_memory_scheduler(MemorySchedulerKind::fr_fcfs_cap)->choose({3, 5, 16}), 3);
}

TEST(MemoryContract, ARefreshIsDueAgainLater) {
    for (const auto& entry : kRefreshes) {
        const auto refresh = make_refresh(entry.value, DramTiming(), 100, 4);
        const unsigned commands = refresh->bank() == kAllBanks ? 1 : 4;
        for (unsigned i = 0; i < 3 && refresh->due() != kNever; ++i) {
            const Cycle due = refresh->due();
            for (unsigned bank = 0; bank < commands; ++bank) {
                EXPECT_EQ(refresh->bank(), commands == 1 ? kAllBanks : bank) << entry.name;
                refresh->issued(refresh->due() + 5);
            }
            EXPECT_EQ(refresh->due(), due + DramTiming().refi) << entry.name;
        }
    }
}

/// While one bank is refreshed, requests of the others take the time that they take without refreshes.
TEST(MemoryContract, ARefreshOfABankHoldsUpThatBankAlone) {
    MemoryDeviceConfig device = tight_device();
    device.refresh = RefreshKind::per_bank;
    const AddressDecoder map = device.decoder();
    MemoryDeviceConfig undisturbed = device;
    undisturbed.refresh = RefreshKind::none;
    const auto cycle_of = [&](const MemoryDeviceConfig& d, unsigned bank) {
        MemoryController controller(d);
        const Cycle begin = d.timing.refi + 2; // bank 0 is being refreshed
        while (controller.next() < begin) controller.tick(controller.next());
        DramAddress a;
        a.bank = bank;
        controller.accept(a, false, 0, begin);
        while (controller.completions(false).empty()) controller.tick(controller.next());
        return controller.completions(false).pop().cycle;
    };
    for (unsigned bank = 1; bank < map.banks(); ++bank)
        EXPECT_EQ(cycle_of(device, bank), cycle_of(undisturbed, bank)) << bank;
    EXPECT_EQ(cycle_of(device, 0),
              device.timing.refi + device.timing.rfc + device.timing.rcd + device.timing.cl + device.timing.burst);
}

/// Row hits that go on for ever, on one command bus and a column command each cycle, put no refresh off for long.
TEST(MemoryContract, ABankThatIsBusyIsRefreshedInTime) {
    for (const bool split : {false, true}) {
        MemoryDeviceConfig device = tight_device();
        device.refresh = RefreshKind::per_bank;
        device.split_commands = split;
        device.timing.burst = device.timing.ccd_s = device.timing.ccd_l = 1;
        struct Refreshes final : CommandObserver {
            void observe(const IssuedCommand& c) override {
                if (c.command == DramCommand::refresh_bank && c.bank == 0) at.push_back(c.cycle);
            }
            std::vector<Cycle> at;
        } seen;
        MemoryController controller(device);
        controller.set_observer(&seen);
        const Cycle end = 4 * Cycle{device.timing.refi};
        for (Cycle now = 0; now < end; ++now) {
            if (controller.next() == now) controller.tick(now);
            while (!controller.completions(false).empty()) controller.completions(false).pop();
            DramAddress a;
            a.column = static_cast<std::uint32_t>(now % 4);
            if (controller.room(false)) controller.accept(a, false, 0, now);
        }
        ASSERT_EQ(seen.at.size(), 3U) << split;
        const DramTiming& t = device.timing;
        for (std::size_t i = 0; i < seen.at.size(); ++i)
            EXPECT_LE(seen.at[i], (i + 1) * t.refi + std::max(t.rc, t.ras + t.rp)) << split;
    }
}

/// Channels that refresh one after the other: at any time as many are busy with it as the interval has room for.
TEST(MemoryContract, SpreadRefreshesComeOneAfterTheOther) {
    struct First final : CommandObserver {
        void observe(const IssuedCommand& c) override {
            if (c.command == DramCommand::refresh && first == kNever) first = c.cycle;
        }
        Cycle first = kNever;
    };
    MemoryDeviceConfig device = tight_device();
    const Cycle interval = device.timing.refi;
    for (const bool spread : {false, true}) {
        device.refresh_spread = spread;
        for (unsigned n = 0; n < 4; ++n) {
            MemoryController controller(device, n, 4);
            First seen;
            controller.set_observer(&seen);
            while (seen.first == kNever) controller.tick(controller.next());
            EXPECT_EQ(seen.first, spread ? interval * (n + 1) / 4 : interval) << n;
        }
    }
}

TEST(MemoryContract, ARowPolicyKeepsARowThatIsWanted) {
    for (const auto& entry : kRowPolicies) EXPECT_FALSE(make_row_policy(entry.value)->closes(true)) << entry.name;
    EXPECT_TRUE(make_row_policy(RowPolicyKind::closed)->closes(false));
    EXPECT_FALSE(make_row_policy(RowPolicyKind::open)->closes(false));
}

TEST(MemoryContract, FirstReadyIsNoSlowerThanFirstCome) {
    MemoryDeviceConfig device = tight_device();
    const MemoryStream stream = mixed_stream(device, 3, 3'000);
    const double ready = checked_replay(device, stream, {64, 64}).percent_of_peak;
    device.scheduler = MemorySchedulerKind::fcfs;
    EXPECT_GT(ready, 1.5 * checked_replay(device, stream, {64, 64}).percent_of_peak);
}

TEST(MemoryContract, EqualRunsGiveEqualResults) {
    const MemoryDeviceConfig device = device_named("hmc-cube");
    const MemoryStream stream = mixed_stream(device, 11, 2'000);
    const CheckedReplay a = checked_replay(device, stream, {256, 256}), b = checked_replay(device, stream, {256, 256});
    EXPECT_EQ(a.result.time_ns, b.result.time_ns);
    EXPECT_EQ(a.result.read_latency.mean(), b.result.read_latency.mean());
    EXPECT_EQ(a.commands, b.commands);
}

TEST(MemoryDevices, MapsAreLinearAndWhole) {
    const std::map<std::string, std::uint64_t> capacities{{"hbm-nuba", std::uint64_t{512} << 20},
                                                          {"hmc-vault", std::uint64_t{256} << 20},
                                                          {"hmc-cube", std::uint64_t{4} << 30},
                                                          {"ddr4-2400", std::uint64_t{8} << 30}};
    for (const auto& [name, capacity] : capacities) {
        const AddressDecoder map = device_named(name).decoder();
        EXPECT_EQ(map.capacity(), capacity) << name;
        for (std::uint64_t a = 0; a < capacity; a += capacity / 4'097 / 64 * 64)
            EXPECT_EQ(map.encode(map.decode(a)), a) << name;
    }
    const DramAddress a =
        device_named("hbm-nuba").decoder().decode(std::uint64_t{5} << 15 | 2U << 13 | 3U << 11 | 7U << 6);
    EXPECT_EQ(a.row, 5U);
    EXPECT_EQ(a.bank, 3U * 4 + 2); // group 3, its bank 2
    EXPECT_EQ(a.column, 7U);
}

TEST(MemoryDevices, WrongOnesAreRefused) {
    const auto sentence = [](const char* text) -> std::string {
        try {
            read_config<MemoryDeviceConfig>(parse_json(text, "device.json"), Place("device.json", "$", nullptr));
        } catch (const ConfigError& fault) {
            return fault.what();
        }
        return "";
    };
    for (const char* text : {"{}", R"({"refresh": "all_bank", "timing": {"refi": 123}})",
                             R"({"timing": {"refi": 122}})", R"({"refresh": "per_bank", "timing": {"refi": 400}})"})
        EXPECT_EQ(sentence(text), "") << text;
    for (const char* text : {R"({"address": "column:5 group:2 bank:2"})",
                             R"({"address": "columns:5 row:14"})",
                             R"({"address": "row:x"})",
                             R"({"address": "row:"})",
                             R"({"address": "row"})",
                             R"({"address": "row:14 row:31"})",
                             R"({"address": "bank:7 row:14"})",
                             R"({"address": "vault:4 row:14"})",
                             R"({"access_bytes": 48})",
                             R"({"timing": {"ccd_s": 2, "ccd_l": 1}})",
                             R"({"timing": {"burst": 4}})",
                             R"({"timing": {"rtw": 1}})",
                             R"({"refresh": "all_bank", "timing": {"refi": 122}})",
                             R"({"timing": {"faw": 0}})",
                             R"({"refresh": "per_bank", "timing": {"refi": 300}})",
                             R"({"timing": {"fav": 20}})",
                             R"({"write_low_percent": 80})",
                             R"({"scheduler": "fifo"})",
                             R"({"queue_depth": 0})",
                             R"({"address": "vault:4 row:14", "cube": {"links": 8, "quadrants": 3}})"})
        EXPECT_THAT(sentence(text), ::testing::StartsWith("device.json: $")) << text;
}

} // namespace
} // namespace numavp::test
