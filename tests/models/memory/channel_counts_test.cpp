/// What a timed channel says that it has done, at any time: its controller's cycles are executed in batches.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/memory/channel/timed_channel.h"
#include "tests/models/memory/checked_replay.h"
#include "tests/tlm-links/traffic_ends.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

constexpr std::uint64_t kKhz = 700'000;

struct Log final : CommandObserver {
    void observe(const IssuedCommand& command) override { commands.push_back(command); }
    std::vector<IssuedCommand> commands;
};

struct Reading {
    std::uint64_t ps, columns, activates;
};

/// Random reads of a vault, some side by side and some far apart.
struct Bench {
    explicit Bench(std::uint64_t watcher_khz)
        : clock(clockwork.domain(kKhz)), watcher(clockwork.domain(watcher_khz)), device(device_named("hmc-vault")),
          channel("channel", channel_config(), device, {clock, Rank{1, kRankChannel, 0}, Slicing{1, 0, 0}}),
          sender("sender", clock, pool, 0) {
        channel.set_observer(&log);
        sender.socket().bind(channel.port(0));
        Rng rng(1);
        Cycle at = 1;
        for (unsigned i = 0; i < 100; ++i) {
            sender.plan({at, rng.below(4096) * kLineBytes, 8, 8});
            at += i % 4 != 0 ? rng.below(3) : rng.below(60);
        }
    }
    static ChannelConfig channel_config() {
        ChannelConfig c;
        c.queue_depth = 2; // some wait outside of the controller
        return c;
    }
    Reading read() const { return {sc_now_ps(), channel.busy_bytes() / device.access_bytes, channel.activates()}; }
    /// What should have been read: commands are given at the first edge that is not before theirs.
    void compare(const std::vector<Reading>& readings, bool commands_of_now) const {
        ASSERT_EQ(sender.answered.size(), 100U);
        ASSERT_GT(log.commands.size(), 400U);
        for (const Reading& r : readings) {
            std::uint64_t columns = 0, activates = 0;
            for (const IssuedCommand& c : log.commands) {
                const std::uint64_t given = clock.edge_ps((c.cycle * kKhz + device.clock_khz - 1) / device.clock_khz);
                if (given > r.ps || (given == r.ps && !commands_of_now)) continue;
                columns += c.command == DramCommand::read ? 1 : 0;
                activates += c.command == DramCommand::activate ? 1 : 0;
            }
            ASSERT_EQ(r.columns, columns) << "at " << r.ps << " ps";
            ASSERT_EQ(r.activates, activates) << "at " << r.ps << " ps";
        }
    }

    Clockwork clockwork{"clockwork"};
    ClockDomain& clock;
    ClockDomain& watcher;
    TxnPool pool;
    MemoryDeviceConfig device;
    TimedChannel channel;
    Sender sender;
    Log log;
};

/// Reads at each edge of its clock, after all others of this.
struct Watch final : Arbiter {
    explicit Watch(const Bench& watched) : Arbiter(watched.watcher, {kSystemRank, kRankEdge, 0}), bench(watched) {
        wake_at_start();
    }
    void arbitrate() override {
        readings.push_back(bench.read());
        if (bench.sender.answered.size() < 100) wake_at(domain_.now() + 1);
    }
    const Bench& bench;
    std::vector<Reading> readings;
};

void compare_while_running(std::uint64_t watcher_khz, bool commands_of_now) {
    const Bench bench(watcher_khz);
    const Watch watch(bench);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    bench.compare(watch.readings, commands_of_now);
}

TEST(ChannelCounts, AreThoseOfTheLastEdgeForWhoReadsFromOutside) {
    const Bench bench(kKhz);
    std::vector<Reading> readings;
    while (bench.sender.answered.size() < 100) {
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
        readings.push_back(bench.read());
    }
    bench.compare(readings, true);
}

TEST(ChannelCounts, AreThoseOfThisEdgeForWhoReadsAfterTheChannel) { compare_while_running(kKhz, true); }

/// At an edge that both clocks have the faster one acts first.
TEST(ChannelCounts, AreThoseOfTheEdgeBeforeForAClockThatActsFirst) { compare_while_running(2 * kKhz, false); }

TEST(ChannelCounts, AreThoseOfThisEdgeForAClockThatActsLater) { compare_while_running(kKhz / 2, true); }

} // namespace
} // namespace numavp::test
