/// What sectors move, in closed forms: a lane each 128 bytes reads one sector of four.
#include <string>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// One SM, its memory a channel of 8 bytes a cycle, no launch latency.
SystemConfig slow_memory(unsigned sector_bytes) {
    SystemConfig c;
    c.sockets = 1;
    c.sector_bytes = sector_bytes;
    c.socket.sms = 1;
    c.socket.memory.channels = 1;
    c.socket.memory.bandwidth_gbps = 8.0;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    return c;
}

json run_one(const SystemConfig& config, const std::vector<WarpCode>& warps) {
    return run_apart([&] {
        const auto code = [&](std::uint64_t, unsigned warp) { return warps[warp]; };
        System system(config, hand_workload({hand_launch("code", 1, static_cast<unsigned>(warps.size()), code)}));
        system.run();
        json values = system.stats().values();
        values["cycles"] = kernel_cycles(system, "code");
        return values;
    });
}

Inst strided(std::uint64_t base, std::int32_t stride) {
    Inst inst = load(base);
    inst.stride = stride;
    return inst;
}

struct Stride {
    std::int32_t bytes;
    unsigned sectors; ///< that a warp's load of 4 bytes a lane touches
    unsigned lines;
};
class Strides : public ::testing::TestWithParam<Stride> {};

TEST_P(Strides, ReadTheirSectorsAlone) {
    constexpr unsigned kLoads = 64;
    const Stride p = GetParam();
    WarpCode code;
    for (unsigned i = 0; i < kLoads; ++i)
        code.push_back(strided(kHandBase + std::uint64_t{i} * p.lines * kLineBytes, p.bytes));
    const json lines = run_one(slow_memory(0), {code}), sectors = run_one(slow_memory(kSectorBytes), {code});
    EXPECT_EQ(stat(lines, "socket0.memory.read_bytes"), kLoads * p.lines * kLineBytes);
    EXPECT_EQ(stat(sectors, "socket0.memory.read_bytes"), kLoads * p.sectors * kSectorBytes);
    EXPECT_EQ(stat(sectors, "socket0.l2.fill_sectors"), kLoads * p.sectors);
    EXPECT_EQ(stat(sectors, "socket0.l2.fills"), kLoads * p.lines) << "a record a line, never one a sector";
    EXPECT_EQ(stat(sectors, "socket0.l1.misses_local"), kLoads * p.lines);
    // Memory carries 8 bytes a cycle, beside the latency of the last.
    for (const auto& [values, bytes] : {std::pair{lines, p.lines * kLineBytes}, {sectors, p.sectors * kSectorBytes}}) {
        const double busy = kLoads * bytes / 8.0;
        EXPECT_GE(static_cast<double>(stat(values, "cycles")), busy);
        EXPECT_LE(static_cast<double>(stat(values, "cycles")), busy + 400);
    }
}
INSTANTIATE_TEST_SUITE_P(All, Strides,
                         ::testing::Values(Stride{4, 4, 1}, Stride{32, 32, 8}, Stride{64, 32, 16}, Stride{128, 32, 32}),
                         [](const auto& test) { return "of_" + std::to_string(test.param.bytes); });

/// A miss brings its sector's neighbours along, which then hit; what was brought before is not read again.
TEST(FetchedBytes, AreReadWithTheSectorsAskedFor) {
    const auto sectors_in_turn = [](const std::vector<unsigned>& sectors) {
        WarpCode code;
        for (const unsigned sector : sectors) {
            code.push_back(load_past_l1(kHandBase + std::uint64_t{sector} * kSectorBytes, 1, 1));
            code.back().mask = 1;
        }
        return code;
    };
    const auto read = [&](unsigned fetch_bytes, const std::vector<unsigned>& sectors) {
        SystemConfig c = slow_memory(kSectorBytes);
        c.socket.l2.fetch_bytes = fetch_bytes;
        const json values = run_one(c, {sectors_in_turn(sectors)});
        EXPECT_EQ(stat(values, "socket0.l2.fill_sectors") * kSectorBytes, stat(values, "socket0.memory.read_bytes"));
        return stat(values, "socket0.l2.fill_sectors");
    };
    EXPECT_EQ(read(0, {1}), 1U);
    EXPECT_EQ(read(64, {1}), 2U);
    EXPECT_EQ(read(64, {1, 0}), 2U) << "sector 0 came with 1";
    EXPECT_EQ(read(64, {1, 2}), 4U) << "of two pairs";
    EXPECT_EQ(read(128, {1}), 4U);
    EXPECT_EQ(read(128, {1, 7}), 8U) << "of two lines";
}

WarpCode then(WarpCode code, const WarpCode& more) {
    code.insert(code.end(), more.begin(), more.end());
    return code;
}
/// A store of so many lanes to each of these lines.
WarpCode stores(const std::vector<unsigned>& lines, std::uint32_t lanes) {
    WarpCode code;
    for (const unsigned line : lines) {
        code.push_back(store(kHandBase + std::uint64_t{line} * kLineBytes));
        code.back().mask = lanes;
    }
    return code;
}

/// With room for four lines that were written in part, each further one has the rest of the oldest read, and it is
/// written back.
TEST(PartialLines, TheOldestMakesRoomForTheNext) {
    SystemConfig c = slow_memory(kSectorBytes);
    c.socket.l2.slices = 1;
    c.socket.l2.partial_lines = 4;
    const auto after = [&](const WarpCode& code) {
        const json values = run_one(c, {code});
        EXPECT_EQ(stat(values, "socket0.l2.fill_sectors") * kSectorBytes, stat(values, "socket0.memory.read_bytes"));
        EXPECT_EQ(stat(values, "socket0.l2.written_local"), stat(values, "socket0.l2.completed"));
        return std::pair{static_cast<unsigned>(stat(values, "socket0.l2.completed")),
                         static_cast<unsigned>(stat(values, "socket0.l2.fill_sectors"))};
    };
    const std::vector<unsigned> ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    constexpr std::uint32_t kHalf = 0xf, kOtherHalf = 0xf0, kWhole = 0xff, kTwoHalves = 0xf0f;
    EXPECT_EQ(after(stores({0, 1, 2, 3}, kHalf)), (std::pair{0U, 0U}));
    EXPECT_EQ(after(stores(ten, kHalf)), (std::pair{6U, 6U}));
    EXPECT_EQ(after(stores(ten, kTwoHalves)), (std::pair{6U, 12U})) << "of two sectors";
    EXPECT_EQ(after(stores(ten, kWhole)), (std::pair{0U, 0U})) << "whole sectors need no room";
    EXPECT_EQ(after(stores({0, 0, 1, 0, 2, 3}, kHalf)), (std::pair{0U, 0U})) << "a line has one place";
    EXPECT_EQ(after(then(stores({0, 1, 2, 3}, kHalf), then(stores({0}, kOtherHalf), stores({4, 5}, kHalf)))),
              (std::pair{1U, 1U}))
        << "line 0 is whole when its turn comes, line 1 is not";
    c.socket.l2.partial_lines = 0;
    const json values = run_one(c, {stores(ten, kHalf)});
    EXPECT_EQ(stat(values, "socket0.memory.read_bytes"), 0U);
}

/// Cycles that a repetition of a load takes at the SM's port with packets of a sector, one a cycle.
TEST(SectorPackets, TakeACycleEachAtThePort) {
    for (const Stride p : {Stride{4, 4, 1}, Stride{128, 32, 32}}) {
        SystemConfig c = slow_memory(kSectorBytes);
        c.socket.memory.bandwidth_gbps = 1000;
        c.socket.memory.channels = 1;
        c.socket.noc.packet_cycles = 1;
        c.socket.sm.l1.miss_entries = 1024; // beyond what is on its way
        const auto cycles = [&](unsigned loads) {
            WarpCode code;
            for (unsigned i = 0; i < loads; ++i)
                code.push_back(strided(kHandBase + std::uint64_t{i} * p.lines * kLineBytes, p.bytes));
            return stat(run_one(c, {code}), "cycles");
        };
        EXPECT_NEAR(static_cast<double>(cycles(300) - cycles(100)), 200.0 * p.sectors, 200.0) << p.bytes;
    }
}

// --- the L1

/// A load of one sector by one lane.
Inst of_sector(unsigned sector, Op op = Op::load) {
    Inst inst = memory_inst(op, kHandBase + std::uint64_t{sector} * kSectorBytes);
    inst.mask = 1;
    return inst;
}
WarpCode wait_then(Inst last) {
    WarpCode code;
    for (unsigned i = 0; i < 10; ++i) {
        code.emplace_back();
        code.back().dst = code.back().src[0] = 1;
        code.back().latency = 100;
    }
    last.src[0] = 1;
    code.push_back(last);
    return code;
}

TEST(SectoredL1, ALineMissesOnceASector) {
    const WarpCode code = then({of_sector(1)}, then(wait_then(of_sector(1)), wait_then(of_sector(2))));
    const json values = run_one(slow_memory(kSectorBytes), {code});
    EXPECT_EQ(stat(values, "socket0.l1.hits"), 1U);
    EXPECT_EQ(stat(values, "socket0.l1.misses_local"), 2U);
    EXPECT_EQ(stat(run_one(slow_memory(0), {code}), "socket0.l1.hits"), 2U);
}

TEST(SectoredL1, AMissAsksForWhatIsNeitherThereNorOnItsWay) {
    // Sector 0 is there, 1 on its way, and the line is asked for: two sectors are left.
    WarpCode code{of_sector(0)};
    code = then(code, wait_then(of_sector(1)));
    code.push_back(load(kHandBase));
    const json values = run_one(slow_memory(kSectorBytes), {code});
    EXPECT_EQ(stat(values, "socket0.l1.misses_local"), 3U);
    EXPECT_EQ(stat(values, "socket0.memory.read_bytes"), kLineBytes);
    EXPECT_EQ(stat(values, "socket0.l2.fills"), 3U);
}

TEST(SectoredL1, AStoreMakesTheFillOfItsSectorStaleAlone) {
    for (const unsigned stored : {0U, 1U}) {
        const WarpCode code = then({of_sector(0), of_sector(stored, Op::store)}, wait_then(of_sector(0)));
        const json values = run_one(slow_memory(kSectorBytes), {code});
        EXPECT_EQ(stat(values, "socket0.l1.hits"), stored == 0 ? 0U : 1U) << "store to sector " << stored;
    }
}

TEST(SectoredL1, AnAtomicDropsItsSectorAlone) {
    const WarpCode code = then(then({load(kHandBase)}, wait_then(of_sector(2, Op::atomic))),
                               then(wait_then(of_sector(1)), wait_then(of_sector(2))));
    const json values = run_one(slow_memory(kSectorBytes), {code});
    EXPECT_EQ(stat(values, "socket0.l1.hits"), 1U);
    EXPECT_EQ(stat(values, "socket0.l1.misses_local"), 2U);
}

} // namespace
} // namespace numavp::test
