/// What a socket has behind its SMs: slices, crossbars and the lines of each slice, in closed forms.
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

TEST(L2Pipeline, DelaysEachRequestAndHoldsUpNone) {
    SystemConfig c = one_sm();
    c.socket.sm.l1.wire_depth = c.socket.noc.wire_depth = 512;
    const auto chase = [](WarpCode& code) { code.push_back(load_past_l1(kHandBase, 1, 1)); };
    const auto stores = [](WarpCode& code) { // of one sector to one slice: 40 bytes a packet
        code.push_back(store(kHandBase));
        code.back().mask = 0xff;
    };
    const double before = cycles_each(c, 1, chase), rate = cycles_each(c, 4, stores);
    c.socket.l2.lookup_cycles = 160;
    EXPECT_EQ(cycles_each(c, 1, chase), before + 160);
    EXPECT_EQ(cycles_each(c, 4, stores), rate);
}

/// A store or an atomic without result takes its slice so many cycles for each sector that it touches, and no load
/// does.
TEST(L2Slices, TakeTheirCyclesForEachSectorWritten) {
    SystemConfig c = one_sm();
    c.socket.sm.l1.wire_depth = c.socket.noc.wire_depth = 512;
    const auto of_sectors = [](Op op, unsigned sectors) {
        return [=](WarpCode& code) {
            code.push_back(memory_inst(op, kHandBase));
            code.back().stride = 4;
            code.back().mask = static_cast<std::uint32_t>((1ULL << (8 * sectors)) - 1);
        };
    };
    const double load = cycles_each(c, 4, of_sectors(Op::load, 4));
    for (const unsigned sectors : {1U, 4U}) {
        c.socket.l2.write_cycles = 5;
        c.socket.l2.atomic_cycles = 7;
        EXPECT_EQ(cycles_each(c, 4, of_sectors(Op::store, sectors)), 4 * 5.0 * sectors);
        EXPECT_EQ(cycles_each(c, 4, of_sectors(Op::reduce, sectors)), 4 * 7.0 * sectors);
    }
    EXPECT_EQ(cycles_each(c, 4, of_sectors(Op::load, 4)), load);
    c.socket.l2.write_cycles = 1.6;
    EXPECT_NEAR(cycles_each(c, 4, of_sectors(Op::store, 1)), 4 * 1.6, 0.02) << "in the mean";
}

TEST(Crossbar, PacketsTakeTheirCyclesForEachSector) {
    SystemConfig c = one_sm();
    c.socket.noc.request_bytes_per_cycle = 4096;
    c.socket.noc.packet_cycles = 3;
    const auto stores = [](std::uint32_t mask) {
        return [mask](WarpCode& code) {
            code.push_back(store(kHandBase));
            code.back().mask = mask;
        };
    };
    EXPECT_EQ(cycles_each(c, 1, stores(0xff)), 3.0);
    EXPECT_EQ(cycles_each(c, 1, stores(0xffffffff)), 12.0);
}

/// Eight SMs write to eight slices at random. Queues whose first packet blocks the others carry 0.618 packets an output
/// and slot (Karol, Hluchyj, Morgan: "Input Versus Output Queueing on a Space-Division Packet Switch", 1987, table I);
/// with a queue for each output nearly one.
TEST(Crossbar, TheFirstPacketOfAnInputBlocksTheOthersInAFifo) {
    constexpr unsigned kPorts = 8, kSlot = 8;
    SystemConfig c = one_sm();
    c.socket.sms = c.socket.l2.slices = c.socket.memory.channels = kPorts;
    c.socket.l2.size_kib = 1024;
    c.socket.sm.warps = 1; // a block each
    c.dispatch.blocks_per_cycle = kPorts;
    c.socket.noc.request_bytes_per_cycle = 4096;
    c.socket.noc.packet_cycles = kSlot;
    const auto cycles = [&](unsigned n) {
        const CodeOf code = [n](std::uint64_t block, unsigned) {
            Rng rng(block + 1, 5);
            WarpCode stores;
            for (unsigned i = 0; i < n; ++i) {
                stores.push_back(store(kHandBase + rng.below(kPorts) * kLineBytes));
                stores.back().mask = 0xff; // a sector
            }
            return stores;
        };
        return run_block(c, 1, code, kPorts)["cycles"].get<std::uint64_t>();
    };
    const auto throughput = [&] { return kSlot * 1500.0 / static_cast<double>(cycles(2000) - cycles(500)); };
    EXPECT_GT(throughput(), 0.85);
    c.socket.noc.input_fifo = true;
    EXPECT_NEAR(throughput(), 0.618, 0.05);
}

TEST(SlicesOfLines, ConsecutiveLinesStayOnASliceAsLongAsItIsSet) {
    const Slicing slicing{8, 1};
    for (std::uint64_t line = 0; line < 64; line += 2)
        EXPECT_EQ(slicing.slice_of(line * kLineBytes), slicing.slice_of((line + 1) * kLineBytes));
    EXPECT_NE(slicing.slice_of(0), slicing.slice_of(2 * kLineBytes));
}

/// As measured on an H200: of 1,024 bytes a slice has the first and third 256, its neighbour the others.
TEST(SlicesOfLines, TwoSlicesShareLinesInTurns) {
    const unsigned chunk = 8;
    for (const unsigned slices : {6U, 8U}) {
        const Slicing slicing{slices, 1, 2};
        const auto slice_of = [&](std::uint64_t line) { return slicing.slice_of(line * kLineBytes); };
        std::set<std::pair<unsigned, std::uint64_t>> places;
        std::map<unsigned, unsigned> chunks_of_pair;
        const unsigned chunks = slices / 2 * 40;
        for (std::uint64_t first = 0; first < chunks * chunk; first += chunk) {
            const unsigned even = slice_of(first);
            EXPECT_EQ(even % 2, 0U);
            ++chunks_of_pair[even / 2];
            for (unsigned k = 0; k < chunk; ++k) EXPECT_EQ(slice_of(first + k), even + k / 2 % 2) << first << " " << k;
            for (unsigned k = 0; k < chunk; k += 2)
                places.insert({slice_of(first + k), slicing.round_of((first + k) * kLineBytes)});
        }
        EXPECT_EQ(places.size(), chunks * chunk / 2) << "two groups of lines have one place in a slice";
        EXPECT_EQ(places.rbegin()->second, chunks * chunk / 2 / slices - 1) << "a slice has gaps";
        EXPECT_EQ(chunks_of_pair.size(), slices / 2);
        for (const auto& [pair, count] : chunks_of_pair) EXPECT_EQ(count, 40U) << pair;
    }
}

} // namespace
} // namespace numavp::test
