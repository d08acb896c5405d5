/// The coalescer against a naive one: bytes lane by lane, lines in order of first touch.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "sw/work/coalesce.h"

namespace numavp {
namespace {

std::vector<LineAccess> naive(const Inst& inst) {
    std::vector<LineAccess> lines;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((inst.mask >> lane & 1) == 0) continue;
        const std::uint64_t first = inst.mode == AddressMode::list
                                        ? inst.list[lane]
                                        : inst.base + static_cast<std::uint64_t>(std::int64_t{inst.stride} * lane);
        for (unsigned i = 0; i < inst.width; ++i) {
            const std::uint64_t line = (first + i) / kLineBytes * kLineBytes;
            auto entry = std::find_if(lines.begin(), lines.end(), [&](auto& l) { return l.line_address == line; });
            if (entry == lines.end()) entry = lines.insert(lines.end(), LineAccess{line, {}});
            entry->mask |= ByteMask::range(static_cast<unsigned>((first + i) % kLineBytes), 1);
        }
    }
    return lines;
}

void expect_same(const Inst& inst) {
    LineAccess out[kMaxLinesPerInst];
    const unsigned n = coalesce(inst, out);
    const std::vector<LineAccess> expected = naive(inst);
    ASSERT_EQ(n, expected.size());
    for (unsigned i = 0; i < n; ++i) {
        EXPECT_EQ(out[i].line_address, expected[i].line_address) << "line " << i;
        EXPECT_TRUE(out[i].mask == expected[i].mask) << "line " << i;
    }
}

Inst affine(std::uint64_t base, std::int32_t stride, std::uint8_t width, std::uint32_t mask = 0xffffffff) {
    Inst inst;
    inst.op = Op::load;
    inst.base = base;
    inst.stride = stride;
    inst.width = width;
    inst.mask = mask;
    return inst;
}

TEST(Coalesce, AlignedWordsAreOneFullLine) {
    LineAccess out[kMaxLinesPerInst];
    ASSERT_EQ(coalesce(affine(0x1000, 4, 4), out), 1U);
    EXPECT_EQ(out[0].line_address, 0x1000U);
    EXPECT_TRUE(out[0].mask.all());
}

TEST(Coalesce, SixteenBytesALaneAreFourFullLines) {
    LineAccess out[kMaxLinesPerInst];
    ASSERT_EQ(coalesce(affine(0x1000, 16, 16), out), 4U);
    for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(out[i].mask.all());
}

TEST(Coalesce, NoActiveLaneTouchesNothing) {
    LineAccess out[kMaxLinesPerInst];
    EXPECT_EQ(coalesce(affine(0x1000, 4, 4, 0), out), 0U);
}

TEST(Coalesce, EveryLaneStraddlingTouchesSixtyFourLines) {
    std::uint64_t list[kWarpLanes];
    for (unsigned i = 0; i < kWarpLanes; ++i) list[i] = 0x10000 + i * 0x1000 + 124;
    Inst inst = affine(0, 0, 8);
    inst.mode = AddressMode::list;
    inst.list = list;
    LineAccess out[kMaxLinesPerInst];
    EXPECT_EQ(coalesce(inst, out), 64U);
    expect_same(inst);
}

TEST(Coalesce, LinesWithTheSameHashAreKeptApart) {
    // Lines far apart, many more than slots of one hash value: correctness must not depend on the hash.
    std::uint64_t list[kWarpLanes];
    Rng rng(7);
    for (int round = 0; round < 1000; ++round) {
        for (std::uint64_t& address : list) address = rng.next() & ~0xfULL;
        Inst inst = affine(0, 0, 16);
        inst.mode = AddressMode::list;
        inst.list = list;
        expect_same(inst);
    }
}

TEST(Coalesce, RandomInstructionsAgreeWithTheNaiveOne) {
    Rng rng(1);
    std::uint64_t list[kWarpLanes];
    for (int round = 0; round < 20000; ++round) {
        Inst inst = affine(0x100000 + rng.below(512), static_cast<std::int32_t>(rng.below(600)) - 300,
                           static_cast<std::uint8_t>(1U << rng.below(5)));
        if (rng.chance(1, 2)) inst.stride = inst.width;
        if (rng.chance(1, 2)) inst.mask = static_cast<std::uint32_t>(rng.next());
        if (rng.chance(1, 4)) {
            const auto first = static_cast<unsigned>(rng.below(32));
            inst.mask = 0xffffffffU << first >> rng.below(32 - first);
        }
        if (rng.chance(1, 2)) {
            const std::uint64_t span = 1ULL << (4 + rng.below(12));
            for (std::uint64_t& address : list) address = 0x200000 + rng.below(span);
            inst.mode = AddressMode::list;
            inst.list = list;
        }
        expect_same(inst);
        if (HasFatalFailure()) return;
    }
}

} // namespace
} // namespace numavp
