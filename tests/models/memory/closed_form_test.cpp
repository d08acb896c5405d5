/// The memory controller against closed forms and against what three simulators say.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/memory/checked_replay.h"

namespace numavp::test {
namespace {

using ::testing::IsEmpty;

/// Latencies of single reads, in cycles: a closed bank, a hit of its row, a conflict.
void expect_single_reads(const std::string& name, Cycle closed, Cycle hit, Cycle conflict) {
    const MemoryDeviceConfig device = device_named(name);
    const AddressDecoder map = device.decoder();
    const auto address = [&](std::uint32_t row, std::uint32_t column) { return map.encode({0, 0, row, column}); };
    const auto total = [&](const MemoryStream& stream) {
        const CheckedReplay r = checked_replay(device, stream, {1, 1});
        EXPECT_THAT(r.breaches, IsEmpty());
        return static_cast<Cycle>(std::llround(r.mean_cycles() * static_cast<double>(stream.size())));
    };
    EXPECT_EQ(total({address(0, 0)}), closed) << name;
    EXPECT_EQ(total({address(0, 0), address(0, 1)}), closed + hit) << name;
    // of hits in between, so that the row has been open for ras
    EXPECT_EQ(total({address(0, 0), address(0, 1), address(0, 2), address(1, 0)}), closed + 2 * hit + conflict) << name;
}

TEST(MemoryClosedForms, SingleReads) {
    expect_single_reads("hbm-nuba", 16, 9, 23);
    expect_single_reads("hmc-vault", 27, 16, 38);
}

struct Expected {
    const char* device;
    MemoryStreamKind stream;
    unsigned requests;
    double percent, mean_cycles; ///< of the peak bandwidth, of reads' latency
    const char* why;
};

TEST(MemoryClosedForms, Streams) {
    const Expected table[] = {
        {"hbm-nuba", MemoryStreamKind::seq_r, 20'000, 100.0, 23.0, "a conflict behind each row, hidden by other banks"},
        {"hbm-nuba", MemoryStreamKind::rand_r, 20'000, 20.0, 320.0, "four activates in faw; 64 wait for 5 cycles each"},
        {"hbm-nuba", MemoryStreamKind::rowstride_r, 3'000, 100.0 / 24, 64 * 24.0, "one activate in rc"},
        {"hbm-nuba", MemoryStreamKind::chase_seq, 20'000, 100 / 9.4375, 9.4375, "31 hits and a conflict a row"},
        {"hbm-nuba", MemoryStreamKind::chase, 5'000, 100 / 23.06, 23.06, "a conflict each"},
        {"hmc-vault", MemoryStreamKind::seq_r, 20'000, 100.0, 64.0, "16 wait for 4 cycles each"},
        {"hmc-vault", MemoryStreamKind::rowstride_r, 3'000, 400.0 / 33, 16 * 33.0, "one activate in rc"},
        {"hmc-vault", MemoryStreamKind::chase, 5'000, 400 / 38.0, 38.0, "a conflict each"},
        {"hbm-nuba-refresh", MemoryStreamKind::seq_r, 50'000, 91.5, 70.0,
         "of 1,365 cycles 91 of refresh, 7 + 7 to close rows, 7 to open one and what the conflicts behind it cost"},
        {"hmc-cube", MemoryStreamKind::seq_r, 20'000, 100.0, 64.0, "256 wait for a quarter of a cycle each"},
        {"hmc-cube", MemoryStreamKind::rowstride_r, 5'000, 400.0 / 33 / 16, 256 * 33.0,
         "one activate in rc, of one vault"},
        {"hmc-cube", MemoryStreamKind::chase, 5'000, 400 / 43.0 / 16, 42.0,
         "a conflict, 4 cycles of links and crossbar"},
    };
    for (const Expected& e : table) {
        const MemoryDeviceConfig device = device_named(e.device);
        const MemoryStream stream = make_memory_stream(e.stream, device, e.requests);
        const CheckedReplay r = checked_replay(device, stream, stream_windows(e.stream, device));
        const std::string what = std::string(e.device) + ": " + e.why;
        EXPECT_THAT(r.breaches, IsEmpty()) << what;
        EXPECT_NEAR(r.percent_of_peak, e.percent, 0.015 * e.percent) << what;
        EXPECT_NEAR(r.mean_cycles(), e.mean_cycles, 0.03 * e.mean_cycles) << what;
    }
}

/// Rows of Ramulator 2.1, DRAMsim3 and DRAMSys 5.5 fed with the same streams: the interval that they span.
struct Reference {
    const char* device;
    MemoryStreamKind stream;
    double least_gbytes_per_s, most_gbytes_per_s;
    double least_cycles, most_cycles;
};

TEST(MemoryReferences, WithinTheIntervalOfThreeSimulators) {
    const Reference table[] = {
        {"hbm-nuba", MemoryStreamKind::seq_r, 22.400, 22.400, 22.99, 22.99},
        {"hbm-nuba", MemoryStreamKind::rand_r, 4.481, 4.481, 318.91, 319.91},
        {"hbm-nuba", MemoryStreamKind::chase_seq, 2.146, 2.374, 9.44, 9.44},
        {"hmc-vault", MemoryStreamKind::seq_r, 6.400, 6.400, 63.00, 64.00},
        {"hmc-vault", MemoryStreamKind::rand_r, 6.143, 6.153, 65.68, 66.58},
    };
    for (const Reference& e : table) {
        const MemoryDeviceConfig device = device_named(e.device);
        const MemoryStream stream = make_memory_stream(e.stream, device, 30'000);
        const CheckedReplay r = checked_replay(device, stream, stream_windows(e.stream, device));
        const std::string what = std::string(e.device) + " " + std::string(kMemoryStreams.name(e.stream));
        EXPECT_THAT(r.breaches, IsEmpty()) << what;
        EXPECT_GE(r.result.gbytes_per_s(), 0.97 * e.least_gbytes_per_s) << what;
        EXPECT_LE(r.result.gbytes_per_s(), 1.03 * e.most_gbytes_per_s) << what;
        EXPECT_GE(r.mean_cycles(), 0.95 * e.least_cycles) << what;
        EXPECT_LE(r.mean_cycles(), 1.05 * e.most_cycles) << what;
    }
}

TEST(MemoryClosedForms, TurnAroundsBindWhereReadsAndWritesAlternate) {
    MemoryDeviceConfig device = device_named("hbm-nuba");
    const AddressDecoder map = device.decoder();
    for (const bool other_group : {false, true}) {
        MemoryStream stream;
        for (std::uint32_t i = 0; i < 4'000; ++i)
            stream.push_back(map.encode({0, i % 2 != 0 && other_group ? 4U : 0U, 0, i / 2 % 32}) |
                             (i % 2 != 0 ? kStreamWrite : 0));
        const CheckedReplay r = checked_replay(device, stream, {1, 1});
        EXPECT_THAT(r.breaches, IsEmpty());
        // rtw, then write data (2 + 1) and wtr within or between bank groups
        EXPECT_NEAR(r.percent_of_peak, 200.0 / (8 + 3 + (other_group ? 2 : 4)), 0.1);
    }
}

TEST(MemoryClosedForms, GatheredWritesLoseLittleToTurnArounds) {
    MemoryDeviceConfig device = device_named("hbm-nuba");
    const MemoryStream stream = make_memory_stream(MemoryStreamKind::seq_rw21, device, 30'000);
    EXPECT_GT(checked_replay(device, stream, {64, 64}).percent_of_peak, 88.0);
    device.write_high_percent = 3; // two of 64
    device.write_low_percent = 0;
    EXPECT_LT(checked_replay(device, stream, {64, 64}).percent_of_peak, 60.0);
}

TEST(MemoryClosedForms, FourActivateWindowBinds) {
    MemoryDeviceConfig device = device_named("hbm-nuba");
    for (const unsigned faw : {20U, 40U, 80U}) {
        device.timing.faw = faw;
        const MemoryStream stream = make_memory_stream(MemoryStreamKind::rand_r, device, 10'000);
        const CheckedReplay r = checked_replay(device, stream, {64, 64});
        EXPECT_THAT(r.breaches, IsEmpty());
        EXPECT_NEAR(r.percent_of_peak, 400.0 / faw, 4.0 / faw) << faw;
    }
}

/// Two rows of a bank in turn: the hits among the requests that wait go first, and no request waits for long.
TEST(MemoryClosedForms, HitsThatWaitGoFirstAndTheOldestBeforeOthers) {
    const MemoryDeviceConfig device = device_named("hbm-nuba");
    const AddressDecoder map = device.decoder();
    MemoryStream two_rows;
    for (std::uint32_t i = 0; i < 4'000; ++i) two_rows.push_back(map.encode({0, 0, i % 2, i / 2 % 32}));
    EXPECT_GT(checked_replay(device, two_rows, {64, 64}).percent_of_peak, 40.0);
    const MemoryStream random = make_memory_stream(MemoryStreamKind::rand_r, device, 5'000);
    const CheckedReplay r = checked_replay(device, random, stream_windows(MemoryStreamKind::rand_r, device));
    EXPECT_LT(r.result.read_latency.percentile(99), 400);
}

} // namespace
} // namespace numavp::test
