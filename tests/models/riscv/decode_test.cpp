/// What is an instruction and what is not. The table of compressed encodings is written down from the manual's tables
/// 16.5 to 16.7, not from the decoder.
#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tests/models/riscv/machine.h"

namespace numavp {
namespace {

using namespace rv;

/// True if RV64C has an instruction or a hint at this half-word; no floating point.
bool is_compressed_instruction(Word w) {
    const Word row = (w & 3) << 3 | w >> 13, rd = w >> 7 & 31, rs2 = w >> 2 & 31, bit12 = w >> 12 & 1;
    switch (row) {
    case 0b00'000: return (w >> 5 & 0xff) != 0;                                     // C.ADDI4SPN: nzuimm
    case 0b01'001: return rd != 0;                                                  // C.ADDIW
    case 0b01'011: return bit12 != 0 || rs2 != 0;                                   // C.ADDI16SP, C.LUI: nzimm
    case 0b01'100: return !((w >> 10 & 3) == 3 && bit12 == 1 && (w >> 6 & 1) == 1); // two of the last eight
    case 0b10'010:                                                                  // C.LWSP
    case 0b10'011: return rd != 0;                                                  // C.LDSP
    case 0b10'100: return w != 0b100'0'00000'00000'10;                              // C.JR of x0
    case 0b00'010:                                                                  // C.LW
    case 0b00'011:                                                                  // C.LD
    case 0b00'110:                                                                  // C.SW
    case 0b00'111:                                                                  // C.SD
    case 0b01'000:                                                                  // C.NOP, C.ADDI
    case 0b01'010:                                                                  // C.LI
    case 0b01'101:                                                                  // C.J
    case 0b01'110:                                                                  // C.BEQZ
    case 0b01'111:                                                                  // C.BNEZ
    case 0b10'000:                                                                  // C.SLLI
    case 0b10'110:                                                                  // C.SWSP
    case 0b10'111: return true;                                                     // C.SDSP
    default: return false;                                                          // floating point, reserved
    }
}

TEST(Rv64Decode, KnowsEveryReservedCompressedEncoding) {
    unsigned reserved = 0;
    for (Word w = 0; w < 0x10000; ++w) {
        if (is_long_encoding(w)) continue;
        const Decoded d = decode(w | 0xabcd0000); // what follows it does not count
        ASSERT_EQ(d.op() != RvOp::illegal, is_compressed_instruction(w)) << std::hex << w;
        ASSERT_EQ(d.bytes(), 2U) << std::hex << w;
        if (d.op() != RvOp::illegal) continue;
        ASSERT_EQ(d.raw(), w);
        ++reserved;
    }
    // 5 rows without instructions (4 of floating point), and the rest by rows as above.
    EXPECT_EQ(reserved, 5 * 2048U + 8 + 64 + 32 + 128 + 64 + 64 + 1);
}

TEST(Rv64Decode, ReservedEncodingsTrapWithTheirBits) {
    for (const Word w : {0x0000U, 0x8000U, 0x2001U, 0x6101U, 0x6001U, 0x9c41U, 0x9c61U, 0x4002U, 0x6002U, 0x8002U,
                         0x2000U, 0xa000U, 0x2002U, 0xa002U}) {
        Machine m({w});
        m.core.write_csr(kMtvec, Machine::kHandler);
        EXPECT_EQ(m.core.run(1), CoreStop::budget);
        EXPECT_EQ(m.core.pc(), Machine::kHandler);
        EXPECT_EQ(m.csr(kMcause), kIllegalInstruction) << std::hex << w;
        EXPECT_EQ(m.csr(kMtval), w);
        EXPECT_EQ(m.csr(kMepc), Machine::kRam);
        EXPECT_EQ(m.core.retired(), 0U);
    }
}

TEST(Rv64Decode, RowThreeIsLuiBut16spWhereItsRegisterIsTheStackPointer) {
    for (Word rd = 1; rd < 32; ++rd) {
        const Decoded d = decode(0x6005U | rd << 7); // C.LUI rd, 1, and C.ADDI16SP 32
        EXPECT_EQ(d.op(), RvOp::addi);
        EXPECT_EQ(d.rd, rd);
        EXPECT_EQ(d.rs1, rd == 2 ? 2U : 0U) << rd;
        EXPECT_EQ(d.imm, rd == 2 ? 32 : 4096) << rd;
    }
}

/// Of encodings of four bytes: how many of the 2^25 with this opcode are instructions, by funct3 and funct7 where these
/// decide, from the manual's chapter 24.
TEST(Rv64Decode, LongEncodingsAreInstructionsOnlyWhereTheManualHasThem) {
    struct Row {
        const char* what;
        Word opcode, instructions; ///< of the 1,024 combinations of funct7 and funct3, with all other fields 1
    };
    constexpr Row kRows[] = {
        {"LOAD", 0x03, 7 * 128},
        {"MISC-MEM", 0x0f, 2 * 128},
        {"OP-IMM", 0x13, 6 * 128 + 2 + 4}, // shifts: bit 25 belongs to the amount
        {"AUIPC", 0x17, 1024},
        {"OP-IMM-32", 0x1b, 128 + 1 + 2},
        {"STORE", 0x23, 4 * 128},
        {"AMO", 0x2f, 10 * 4 * 2}, // rs2 is 1: no LR
        {"OP", 0x33, 8 + 2 + 8},
        {"LUI", 0x37, 1024},
        {"OP-32", 0x3b, 3 + 2 + 5},
        {"BRANCH", 0x63, 6 * 128},
        {"JALR", 0x67, 128},
        {"JAL", 0x6f, 1024},
        {"SYSTEM", 0x73, 6 * 128},
        {"LOAD-FP", 0x07, 0},
        {"STORE-FP", 0x27, 0},
        {"OP-FP", 0x53, 0},
        {"MADD", 0x43, 0},
        {"custom-0", 0x0b, 0},
        {"48 bits", 0x1f, 0},
        {"80 bits", 0x7f, 0},
    };
    for (const Row& row : kRows) {
        Word found = 0;
        for (Word funct7 = 0; funct7 < 128; ++funct7)
            for (Word funct3 = 0; funct3 < 8; ++funct3)
                found += decode(r_type(row.opcode, funct3, funct7, 1, 1, 1)).op() != RvOp::illegal;
        EXPECT_EQ(found, row.instructions) << row.what;
    }
    EXPECT_EQ(decode(lr(2, 1, 1)).op(), RvOp::lr);
    for (const Word w : {kEcall, kEbreak, kMret, kWfi}) {
        EXPECT_NE(decode(w).op(), RvOp::illegal);
        for (const Word bit : {1U << 7, 1U << 15}) EXPECT_EQ(decode(w | bit).op(), RvOp::illegal); // rd and rs1 are 0
    }
    for (const Word w : {0x10200073U, 0x00200073U, 0x12000073U, 0x7b200073U}) // SRET, URET, SFENCE.VMA, DRET
        EXPECT_EQ(decode(w).op(), RvOp::illegal) << std::hex << w;
}

TEST(Rv64Decode, AnyFourBytesDecode) {
    Rng rng(1);
    for (unsigned i = 0; i < 200'000; ++i) {
        const Decoded d = decode(static_cast<Word>(rng.next()));
        ASSERT_TRUE(d.rd >= 1 && d.rd <= kSinkRegister && d.rs1 < 32 && d.rs2 < 32);
    }
}

} // namespace
} // namespace numavp
