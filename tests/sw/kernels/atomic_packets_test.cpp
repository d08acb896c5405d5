/// Transactions of an atomic whose lanes are serialised.
#include <array>

#include <gtest/gtest.h>

#include "models/sm/atomic_packets.h"

namespace numavp {
namespace {

struct Packets {
    explicit Packets(const Inst& inst) : count(serialise_atomic(inst, lines.data())) {}
    unsigned bytes() const {
        unsigned sum = 0;
        for (unsigned i = 0; i < count; ++i) sum += lines[i].mask.count();
        return sum;
    }
    std::array<LineAccess, kMaxLinesPerInst> lines;
    unsigned count;
};

Inst atomic_access(std::uint64_t base, std::int32_t stride, unsigned width = 4, std::uint32_t mask = 0xffffffff) {
    Inst inst;
    inst.op = Op::reduce;
    inst.base = base;
    inst.stride = stride;
    inst.width = static_cast<std::uint8_t>(width);
    inst.mask = mask;
    return inst;
}

TEST(AtomicPackets, NLanesOfOneWordAreNTransactions) {
    for (unsigned n = 1; n <= kWarpLanes; ++n) {
        const Packets packets(atomic_access(0x1000, 0, 4, static_cast<std::uint32_t>((1ULL << n) - 1)));
        EXPECT_EQ(packets.count, n);
        EXPECT_EQ(packets.bytes(), 4 * n);
    }
}

TEST(AtomicPackets, DifferentWordsOf32BytesShareOne) {
    const Packets packets(atomic_access(0x1000, 4));
    ASSERT_EQ(packets.count, 4U);
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT_EQ(packets.lines[i].line_address, 0x1000U);
        EXPECT_EQ(packets.lines[i].mask, ByteMask::range(32 * i, 32));
    }
    EXPECT_EQ(Packets(atomic_access(0x1000, 8, 8)).count, 8U);
    EXPECT_EQ(Packets(atomic_access(0x1000, 128)).count, 32U);
}

TEST(AtomicPackets, WordsThatSeveralLanesHitTakeAsManyAsTheBusiestOfTheirSector) {
    std::array<std::uint64_t, kWarpLanes> list{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) list[lane] = 0x2000 + (lane < 5 ? 0 : 4 + lane % 3 * 4);
    list[31] = 0x2000 + 32; // alone in the next sector
    Inst inst = atomic_access(0, 0);
    inst.mode = AddressMode::list;
    inst.list = list.data();
    const Packets packets(inst);
    EXPECT_EQ(packets.count, 9U + 1) << "26 lanes of 3 words, 9 of one; the 5 of the first word go with them";
    EXPECT_EQ(packets.bytes(), 128U);
}

TEST(AtomicPackets, NothingForNoLane) { EXPECT_EQ(Packets(atomic_access(0x1000, 4, 4, 0)).count, 0U); }

TEST(AtomicPackets, AnAccessOverTwoSectorsIsTwo) {
    const Packets packets(atomic_access(0x1000 + 28, 0, 8, 1));
    ASSERT_EQ(packets.count, 2U);
    EXPECT_EQ(packets.lines[0].mask, ByteMask::range(28, 4));
    EXPECT_EQ(packets.lines[1].mask, ByteMask::range(32, 4));
}

} // namespace
} // namespace numavp
