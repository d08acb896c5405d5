/// The register tables that are made from the map, and what an access gets.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <sw/driver/register_map.h>
#include <sw/driver/registers.h>

namespace numavp {
namespace {

/// The C header and the C++ table come from one file; a few values as the design has them.
TEST(Registers, AreWhereTheDesignHasThem) {
    EXPECT_EQ(FAULT_UNIT_INVALIDATE, 0x10000038U);
    EXPECT_EQ(COPY_ENGINE_DONE_COUNT, 0x10010030U);
    EXPECT_EQ(SYSTEM_TABLE_BASE, 0x10020088U);
    EXPECT_EQ(TIMER_MTIME, 0x0200bff8U);
    EXPECT_EQ(RAM_BASE, 0x80000000U);
    EXPECT_EQ(PLATFORM_BASE, 0x4000000000000000U);
    EXPECT_EQ(FAULT_UNIT_HEAD_INFO_SOCKETS_SHIFT, 32);
    EXPECT_EQ(FAULT_UNIT_HEAD_INFO_SOCKETS_MASK, 0xffffffff00000000U);
    EXPECT_EQ(FAULT_UNIT_HEAD_INFO_VALID_MASK, 1U << 17);
    EXPECT_EQ(COPY_ENGINE_COMMAND_FILL, 2U);

    const RegisterInfo& info = kFaultUnitRegisters[static_cast<std::size_t>(FaultUnitRegister::head_info)];
    EXPECT_STREQ(info.name, "head_info");
    EXPECT_EQ(kFaultUnitBlock.base + info.offset, FAULT_UNIT_HEAD_INFO);
    EXPECT_EQ(info.access, RegisterAccess::read_only);
    ASSERT_EQ(info.field_count, 4U);
    EXPECT_EQ(info.fields[3].mask(), FAULT_UNIT_HEAD_INFO_SOCKETS_MASK);
    EXPECT_EQ(info.fields[3].of(0x0000000500020003U), 5U);
    EXPECT_EQ((RegisterField{"all", 0, 63, ""}.mask()), ~std::uint64_t{0});
    EXPECT_EQ(kTimerRegisters[0].reset, ~std::uint64_t{0}) << "no timer interrupt at the start";
    EXPECT_TRUE(kSystemRegisters[0].configured);
    EXPECT_FALSE(info.configured);
}

RegisterError error_of(std::uint64_t offset, std::uint64_t bytes, bool write) {
    return decide(kFaultUnitBlock, offset, bytes, write).error;
}

TEST(Registers, EveryWrongAccessHasItsError) {
    EXPECT_EQ(error_of(0x08, 8, true), RegisterError::none);
    EXPECT_EQ(error_of(0x08, 8, false), RegisterError::none);
    EXPECT_EQ(error_of(0x00, 8, true), RegisterError::write_of_read_only);
    EXPECT_EQ(error_of(0x20, 8, false), RegisterError::read_of_write_only);
    EXPECT_EQ(error_of(0x68, 8, false), RegisterError::unmapped);
    EXPECT_EQ(error_of(0x0c, 8, false), RegisterError::misaligned);
    EXPECT_EQ(error_of(0x08, 4, false), RegisterError::size);
    EXPECT_EQ(error_of(0x08, 16, false), RegisterError::size);
    EXPECT_EQ(error_of(0x10000, 8, false), RegisterError::outside);
    EXPECT_EQ(decide(kFaultUnitBlock, 0x08, 8, true).index, static_cast<std::size_t>(FaultUnitRegister::control));
    static_assert(decide(kSystemBlock, 0x78, 8, true).index == static_cast<std::size_t>(SystemRegister::console));
}

/// Contract of the whole table: each register is reached at its offset alone, and only as its access says.
TEST(Registers, EachIsReachedAtItsOffsetOnly) {
    for (const RegisterBlock& block : kRegisterBlocks) {
        std::size_t reached = 0;
        for (std::uint64_t offset = 0; offset < block.bytes; ++offset) {
            for (const bool write : {false, true}) {
                const RegisterDecision decision = decide(block, offset, 8, write);
                if (decision.error != RegisterError::none) continue;
                ++reached;
                const RegisterInfo& info = block.registers[decision.index];
                EXPECT_EQ(info.offset, offset);
                EXPECT_NE(info.access, write ? RegisterAccess::read_only : RegisterAccess::write_only);
            }
        }
        std::size_t expected = 0;
        for (std::size_t i = 0; i < block.register_count; ++i) {
            expected += block.registers[i].access == RegisterAccess::read_write ? 2 : 1;
        }
        EXPECT_EQ(reached, expected) << block.name;
    }
}

TEST(Registers, ErrorsHaveSentences) {
    EXPECT_EQ("a store of 8 bytes to fault_unit.status " + std::string(why(RegisterError::write_of_read_only)),
              "a store of 8 bytes to fault_unit.status writes a read-only register");
}

} // namespace
} // namespace numavp
