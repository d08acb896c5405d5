/// RISC-V encodings for tests: the formats of the manual's chapter 2.2, 2.3 and 16.2, and names for what tests use.
#pragma once

#include <cstdint>

namespace numavp::rv {

using Word = std::uint32_t;

constexpr Word kZero = 0, kRa = 1, kSp = 2, kT0 = 5, kT1 = 6, kT2 = 7, kS0 = 8, kS1 = 9, kA0 = 10, kA1 = 11, kA2 = 12,
               kA3 = 13, kA4 = 14, kA5 = 15;

constexpr Word field(std::int64_t value, unsigned high, unsigned low) {
    return static_cast<Word>(static_cast<std::uint64_t>(value) >> low) & ((2U << (high - low)) - 1U);
}

constexpr Word r_type(Word opcode, Word funct3, Word funct7, Word rd, Word rs1, Word rs2) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Word i_type(Word opcode, Word funct3, Word rd, Word rs1, std::int64_t imm) {
    return field(imm, 11, 0) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr Word s_type(Word funct3, Word rs2, Word rs1, std::int64_t imm) {
    return field(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | field(imm, 4, 0) << 7 | 0x23;
}
constexpr Word branch(Word funct3, Word rs1, Word rs2, std::int64_t offset) {
    return field(offset, 12, 12) << 31 | field(offset, 10, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
           field(offset, 4, 1) << 8 | field(offset, 11, 11) << 7 | 0x63;
}
constexpr Word u_type(Word opcode, Word rd, std::int64_t imm) { return field(imm, 31, 12) << 12 | rd << 7 | opcode; }

constexpr Word lui(Word rd, std::int64_t imm) { return u_type(0x37, rd, imm); }
constexpr Word auipc(Word rd, std::int64_t imm) { return u_type(0x17, rd, imm); }
constexpr Word addi(Word rd, Word rs1, std::int64_t imm) { return i_type(0x13, 0, rd, rs1, imm); }
constexpr Word addiw(Word rd, Word rs1, std::int64_t imm) { return i_type(0x1b, 0, rd, rs1, imm); }
constexpr Word slli(Word rd, Word rs1, Word shift) { return i_type(0x13, 1, rd, rs1, shift); }
constexpr Word add(Word rd, Word rs1, Word rs2) { return r_type(0x33, 0, 0, rd, rs1, rs2); }
constexpr Word bne(Word rs1, Word rs2, std::int64_t offset) { return branch(1, rs1, rs2, offset); }
constexpr Word beq(Word rs1, Word rs2, std::int64_t offset) { return branch(0, rs1, rs2, offset); }
constexpr Word jal(Word rd, std::int64_t offset) {
    return field(offset, 20, 20) << 31 | field(offset, 10, 1) << 21 | field(offset, 11, 11) << 20 |
           field(offset, 19, 12) << 12 | rd << 7 | 0x6f;
}
constexpr Word jalr(Word rd, Word rs1, std::int64_t imm) { return i_type(0x67, 0, rd, rs1, imm); }
/// Width: 0 byte, 1 half, 2 word, 3 double; 4 to 6 the same without sign.
constexpr Word load(Word width, Word rd, Word rs1, std::int64_t imm) { return i_type(0x03, width, rd, rs1, imm); }
constexpr Word store(Word width, Word rs2, Word rs1, std::int64_t imm) { return s_type(width, rs2, rs1, imm); }
constexpr Word ld(Word rd, Word rs1, std::int64_t imm) { return load(3, rd, rs1, imm); }
constexpr Word sd(Word rs2, Word rs1, std::int64_t imm) { return store(3, rs2, rs1, imm); }
constexpr Word lw(Word rd, Word rs1, std::int64_t imm) { return load(2, rd, rs1, imm); }
constexpr Word sw(Word rs2, Word rs1, std::int64_t imm) { return store(2, rs2, rs1, imm); }

/// Width: 2 word, 3 double.
constexpr Word atomic(Word funct5, Word width, Word rd, Word rs1, Word rs2) {
    return r_type(0x2f, width, funct5 << 2, rd, rs1, rs2);
}
constexpr Word lr(Word width, Word rd, Word rs1) { return atomic(2, width, rd, rs1, 0); }
constexpr Word sc(Word width, Word rd, Word rs2, Word rs1) { return atomic(3, width, rd, rs1, rs2); }
constexpr Word kAmoAdd = 0x00, kAmoSwap = 0x01, kAmoXor = 0x04, kAmoOr = 0x08, kAmoAnd = 0x0c, kAmoMin = 0x10,
               kAmoMax = 0x14, kAmoMinu = 0x18, kAmoMaxu = 0x1c;

/// funct3: 1 CSRRW, 2 CSRRS, 3 CSRRC; 5 to 7 the same with an immediate in place of rs1.
constexpr Word csr(Word funct3, Word rd, Word number, Word rs1) { return i_type(0x73, funct3, rd, rs1, number); }
constexpr Word csrw(Word number, Word rs1) { return csr(1, 0, number, rs1); }
constexpr Word csrr(Word rd, Word number) { return csr(2, rd, number, 0); }

constexpr Word kEcall = 0x00000073, kEbreak = 0x00100073, kMret = 0x30200073, kWfi = 0x10500073, kFence = 0x0ff0000f,
               kFenceI = 0x0000100f, kNop = 0x00000013;

/// Compressed: a 6-bit immediate in its usual place.
constexpr Word ci(Word quadrant, Word funct3, Word rd, std::int64_t imm) {
    return funct3 << 13 | field(imm, 5, 5) << 12 | rd << 7 | field(imm, 4, 0) << 2 | quadrant;
}
constexpr Word c_nop() { return 1; }
constexpr Word c_li(Word rd, std::int64_t imm) { return ci(1, 2, rd, imm); }
constexpr Word c_addi(Word rd, std::int64_t imm) { return ci(1, 0, rd, imm); }

} // namespace numavp::rv
