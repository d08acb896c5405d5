/// Cycles of an access to shared memory by its banks.
#include <array>

#include <gtest/gtest.h>

#include "models/sm/shared_banks.h"

namespace numavp {
namespace {

Inst shared_access(std::int32_t stride, unsigned width = 4, std::uint32_t mask = 0xffffffff) {
    Inst inst;
    inst.op = Op::shared;
    inst.stride = stride;
    inst.width = static_cast<std::uint8_t>(width);
    inst.mask = mask;
    return inst;
}

TEST(SharedBanks, AStrideOfKWordsTakesAsManyCyclesAsItSharesFactorsWith32) {
    for (const int k : {1, 2, 3, 4, 5, 8, 16, 17, 31, 32, 33, 64}) {
        int common = 1;
        while (common < 32 && k % (2 * common) == 0) common *= 2;
        EXPECT_EQ(shared_cycles(shared_access(4 * k), 32), static_cast<unsigned>(common)) << k << " words";
    }
}

TEST(SharedBanks, LanesOfOneWordAreServedTogether) {
    EXPECT_EQ(shared_cycles(shared_access(0), 32), 1U);
    EXPECT_EQ(shared_cycles(shared_access(1, 1), 32), 1U) << "bytes of 8 words";
    EXPECT_EQ(shared_cycles(shared_access(2, 2), 32), 1U);
}

TEST(SharedBanks, WideAccessesTakeACycleForEach128Bytes) {
    EXPECT_EQ(shared_cycles(shared_access(8, 8), 32), 2U);
    EXPECT_EQ(shared_cycles(shared_access(16, 16), 32), 4U);
    EXPECT_EQ(shared_cycles(shared_access(16, 16, 0xff), 32), 1U);
}

/// The same addresses as a list, which are counted word by word.
TEST(SharedBanks, LanesInTurnAreCountedAsAListOfThem) {
    for (const unsigned width : {4U, 8U, 16U}) {
        for (const unsigned banks : {1U, 7U, 16U, 32U, 64U, 128U}) {
            for (const std::uint32_t mask : {0xffffffffU, 0x1U, 0x7fU, 0xffffU, 0x80000001U, 0xff00U, 0U}) {
                for (const std::uint64_t base : {0U, 4U, 128U, 2U}) {
                    Inst in_turn = shared_access(static_cast<std::int32_t>(width), width, mask);
                    in_turn.base = base;
                    std::array<std::uint64_t, kWarpLanes> list{};
                    for (unsigned lane = 0; lane < kWarpLanes; ++lane) list[lane] = in_turn.address(lane);
                    Inst listed = in_turn;
                    listed.mode = AddressMode::list;
                    listed.list = list.data();
                    EXPECT_EQ(shared_cycles(in_turn, banks), shared_cycles(listed, banks))
                        << width << " bytes, " << banks << " banks, mask " << mask << ", base " << base;
                }
            }
        }
    }
}

TEST(SharedBanks, InactiveLanesNeedNothing) {
    EXPECT_EQ(shared_cycles(shared_access(128, 4, 0x15), 32), 3U);
    EXPECT_EQ(shared_cycles(shared_access(128, 4, 0), 32), 1U) << "the instruction itself";
}

TEST(SharedBanks, AListIsCountedByItsWords) {
    std::array<std::uint64_t, kWarpLanes> list{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) list[lane] = lane % 4 * 128 + lane / 4 * 4; // 4 words of 8 banks
    Inst inst = shared_access(0);
    inst.mode = AddressMode::list;
    inst.list = list.data();
    EXPECT_EQ(shared_cycles(inst, 32), 4U);
    EXPECT_EQ(shared_cycles(inst, 16), 4U);
    EXPECT_EQ(shared_cycles(inst, 4), 8U) << "32 words of 4 banks";
    EXPECT_EQ(shared_cycles(inst, 1), 32U);
}

TEST(SharedBanks, FewerBanksThanLanesTakeTurns) { EXPECT_EQ(shared_cycles(shared_access(4), 16), 2U); }

} // namespace
} // namespace numavp
