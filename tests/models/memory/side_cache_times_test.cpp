/// Closed forms of a memory-side cache: latency of a hit, bandwidth of a bank.
#include <gtest/gtest.h>

#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

/// One controller without a cache before one bank and one channel.
SystemConfig one_bank() {
    SystemConfig c = one_sm();
    c.socket.l2.size_kib = 0;
    c.socket.l2.ways = 1;
    c.socket.l2.slices = 1;
    c.socket.memory.channels = 1;
    c.socket.memory.cache.size_kib = 64;
    c.socket.memory.cache.hit_cycles = 50;
    return c;
}
/// Each load needs the one before it; all but the first hit in the bank.
const Body kSameLine = [](WarpCode& code) { code.push_back(load_past_l1(kHandBase, 1, 1)); };
/// Cycles of so many rounds of reads of 256 lines by four warps, each of its own.
double cycles_of_rounds(const SystemConfig& config, unsigned rounds) {
    constexpr unsigned kLinesOfWarp = 64;
    const auto code = [&](std::uint64_t, unsigned warp) {
        WarpCode all;
        for (unsigned i = 0; i < rounds * kLinesOfWarp; ++i)
            all.push_back(load_past_l1(kHandBase + (warp * kLinesOfWarp + i % kLinesOfWarp) * kLineBytes,
                                       static_cast<std::uint8_t>(1 + i % kLinesOfWarp)));
        return all;
    };
    return run_block(config, 4, code)["cycles"].get<double>();
}

TEST(MemorySideCache, AHitTakesItsCycles) {
    SystemConfig c = one_bank();
    const double before = cycles_each(c, 1, kSameLine);
    c.socket.memory.cache.hit_cycles += 17;
    EXPECT_EQ(cycles_each(c, 1, kSameLine), before + 17);
}

TEST(MemorySideCache, AHitTakesNoTimeOfMemory) {
    SystemConfig c = one_bank();
    const double before = cycles_each(c, 1, kSameLine);
    c.socket.memory.latency_ns += 100;
    EXPECT_EQ(cycles_each(c, 1, kSameLine), before);
    c.socket.memory.cache.size_kib = 0;
    EXPECT_GT(cycles_each(c, 1, kSameLine), before);
}

TEST(MemorySideCache, ABankCarriesItsBytesEachCycle) {
    SystemConfig c = one_bank();
    c.socket.memory.cache.bytes_per_cycle = 8;
    const double packet = kLineBytes + c.packets.header_bytes;
    constexpr unsigned kLines = 256, kFew = 2, kMany = 6;
    const double right = (kMany - kFew) * kLines * packet / 8;
    EXPECT_NEAR(cycles_of_rounds(c, kMany) - cycles_of_rounds(c, kFew), right, 0.01 * right);
}

/// Written at the bandwidth at which it is read: 32 bytes of a sector, and 128 of a line, take 4 and 16 cycles at 8
/// bytes a cycle. Headers take none, since they are not in the data array.
TEST(MemorySideCache, ABankIsWrittenItsBytesEachCycle) {
    SystemConfig c = one_bank();
    c.socket.memory.cache.bytes_per_cycle = 8;
    constexpr unsigned kLinesOfWarp = 64, kWarps = 4, kFew = 2, kMany = 6;
    for (const unsigned lanes : {8U, 32U}) { // a sector, a line
        const auto cycles = [&](unsigned rounds) {
            return run_block(c, kWarps,
                             [&](std::uint64_t, unsigned warp) {
                                 WarpCode all;
                                 for (unsigned i = 0; i < rounds * kLinesOfWarp; ++i) {
                                     all.push_back(
                                         store(kHandBase + (warp * kLinesOfWarp + i % kLinesOfWarp) * kLineBytes));
                                     all.back().mask = lanes == 32 ? ~0U : (1U << lanes) - 1;
                                 }
                                 return all;
                             })["cycles"]
                .get<double>();
        };
        const double right = (kMany - kFew) * kLinesOfWarp * kWarps * (lanes * 4.0 / 8);
        EXPECT_NEAR(cycles(kMany) - cycles(kFew), right, 0.02 * right) << lanes << " lanes";
    }
}

/// Of lines that are read once each read is one after the other: what a miss and a fill take is added to each.
TEST(MemorySideCache, AMissTakesItsCyclesAndThoseOfItsFill) {
    const auto of_misses = [](const SystemConfig& config) {
        constexpr unsigned kReads = 50;
        const auto code = [](std::uint64_t, unsigned) {
            WarpCode all;
            for (unsigned i = 0; i < kReads; ++i) all.push_back(load_past_l1(kHandBase + i * kLineBytes, 1, 1));
            return all;
        };
        return run_block(config, 1, code)["cycles"].get<double>() / kReads;
    };
    SystemConfig c = one_bank();
    const double before = of_misses(c);
    c.socket.memory.cache.miss_cycles += 13;
    EXPECT_EQ(of_misses(c), before + 13);
    c.socket.memory.cache.fill_cycles += 17;
    EXPECT_EQ(of_misses(c), before + 13 + 17);
    c.socket.memory.cache.hit_cycles += 100;
    EXPECT_EQ(of_misses(c), before + 13 + 17) << "none hits";
}

} // namespace
} // namespace numavp::test
