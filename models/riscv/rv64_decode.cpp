#include "models/riscv/rv64_decode.h"

namespace numavp {

namespace {

constexpr std::uint32_t bits(std::uint32_t w, unsigned high, unsigned low) {
    return (w >> low) & ((2U << (high - low)) - 1U);
}
/// Bits [high:low] of `w`, moved so that the lowest of them is bit `to`: how the manual writes scattered immediates.
constexpr std::uint32_t take(std::uint32_t w, unsigned high, unsigned low, unsigned to) {
    return bits(w, high, low) << to;
}
/// `value` of `width` bits, sign-extended.
constexpr std::int32_t extend(std::uint32_t value, unsigned width) {
    const std::uint32_t sign = 1U << (width - 1);
    return static_cast<std::int32_t>((value ^ sign) - sign);
}
constexpr std::uint8_t target(std::uint32_t rd) { return static_cast<std::uint8_t>(rd == 0 ? kSinkRegister : rd); }

Decoded make(RvOp op, unsigned bytes, std::uint32_t rd, std::uint32_t rs1, std::uint32_t rs2, std::int32_t imm) {
    Decoded d;
    d.set(op, bytes);
    d.rd = target(rd);
    d.rs1 = static_cast<std::uint8_t>(rs1);
    d.rs2 = static_cast<std::uint8_t>(rs2);
    d.imm = imm;
    return d;
}
Decoded make_raw(RvOp op, std::uint32_t w) {
    return make(op, is_long_encoding(w) ? 4 : 2, bits(w, 11, 7), bits(w, 19, 15), bits(w, 24, 20),
                static_cast<std::int32_t>(w));
}
Decoded illegal(std::uint32_t w) { return make_raw(RvOp::illegal, w); }

// ---- Four bytes. Tables by funct3, as chapter 24 lists them; `illegal` where there is none.

constexpr RvOp kX = RvOp::illegal;
constexpr RvOp kLoads[8] = {RvOp::lb, RvOp::lh, RvOp::lw, RvOp::ld, RvOp::lbu, RvOp::lhu, RvOp::lwu, kX};
constexpr RvOp kStores[8] = {RvOp::sb, RvOp::sh, RvOp::sw, RvOp::sd, kX, kX, kX, kX};
constexpr RvOp kBranches[8] = {RvOp::beq, RvOp::bne, kX, kX, RvOp::blt, RvOp::bge, RvOp::bltu, RvOp::bgeu};
constexpr RvOp kRegister[8] = {RvOp::add,  RvOp::sll, RvOp::slt, RvOp::sltu,
                               RvOp::bxor, RvOp::srl, RvOp::bor, RvOp::band};
constexpr RvOp kMultiply[8] = {RvOp::mul, RvOp::mulh, RvOp::mulhsu, RvOp::mulhu,
                               RvOp::div, RvOp::divu, RvOp::rem,    RvOp::remu};
constexpr RvOp kAlternative[8] = {RvOp::sub, kX, kX, kX, kX, RvOp::sra, kX, kX};
constexpr RvOp kRegisterW[8] = {RvOp::addw, RvOp::sllw, kX, kX, kX, RvOp::srlw, kX, kX};
constexpr RvOp kMultiplyW[8] = {RvOp::mulw, kX, kX, kX, RvOp::divw, RvOp::divuw, RvOp::remw, RvOp::remuw};
constexpr RvOp kAlternativeW[8] = {RvOp::subw, kX, kX, kX, kX, RvOp::sraw, kX, kX};
constexpr RvOp kImmediate[8] = {RvOp::addi, kX, RvOp::slti, RvOp::sltiu, RvOp::xori, kX, RvOp::ori, RvOp::andi};

std::int32_t imm_i(std::uint32_t w) { return extend(bits(w, 31, 20), 12); }
std::int32_t imm_s(std::uint32_t w) { return extend(take(w, 31, 25, 5) | bits(w, 11, 7), 12); }
std::int32_t imm_b(std::uint32_t w) {
    return extend(take(w, 31, 31, 12) | take(w, 7, 7, 11) | take(w, 30, 25, 5) | take(w, 11, 8, 1), 13);
}
std::int32_t imm_u(std::uint32_t w) { return static_cast<std::int32_t>(w & 0xfffff000U); }
std::int32_t imm_j(std::uint32_t w) {
    return extend(take(w, 31, 31, 20) | take(w, 19, 12, 12) | take(w, 20, 20, 11) | take(w, 30, 21, 1), 21);
}

Decoded with(RvOp op, std::uint32_t w, std::int32_t imm) {
    if (op == RvOp::illegal) return illegal(w);
    return make(op, 4, bits(w, 11, 7), bits(w, 19, 15), bits(w, 24, 20), imm);
}

Decoded decode_immediate(std::uint32_t w) {
    const std::uint32_t shift = bits(w, 25, 20), funct6 = bits(w, 31, 26);
    switch (bits(w, 14, 12)) {
    case 1: return with(funct6 == 0 ? RvOp::slli : kX, w, static_cast<std::int32_t>(shift));
    case 5:
        return with(funct6 == 0 ? RvOp::srli : funct6 == 0x10 ? RvOp::srai : kX, w, static_cast<std::int32_t>(shift));
    default: return with(kImmediate[bits(w, 14, 12)], w, imm_i(w));
    }
}

Decoded decode_immediate_w(std::uint32_t w) {
    const std::uint32_t funct7 = bits(w, 31, 25);
    const auto shift = static_cast<std::int32_t>(bits(w, 24, 20));
    switch (bits(w, 14, 12)) {
    case 0: return with(RvOp::addiw, w, imm_i(w));
    case 1: return with(funct7 == 0 ? RvOp::slliw : kX, w, shift);
    case 5: return with(funct7 == 0 ? RvOp::srliw : funct7 == 0x20 ? RvOp::sraiw : kX, w, shift);
    default: return illegal(w);
    }
}

Decoded decode_register(std::uint32_t w, const RvOp (&base)[8], const RvOp (&multiply)[8],
                        const RvOp (&alternative)[8]) {
    const std::uint32_t funct3 = bits(w, 14, 12);
    switch (bits(w, 31, 25)) {
    case 0: return with(base[funct3], w, 0);
    case 1: return with(multiply[funct3], w, 0);
    case 0x20: return with(alternative[funct3], w, 0);
    default: return illegal(w);
    }
}

Decoded decode_system(std::uint32_t w) {
    const std::uint32_t funct3 = bits(w, 14, 12);
    if (funct3 != 0) return make_raw(funct3 == 4 ? kX : RvOp::csr, w);
    switch (w) {
    case 0x00000073: return make_raw(RvOp::ecall, w);
    case 0x00100073: return make_raw(RvOp::ebreak, w);
    case 0x30200073: return make_raw(RvOp::mret, w);
    case 0x10500073: return make_raw(RvOp::wfi, w);
    default: return illegal(w);
    }
}

Decoded decode_atomic(std::uint32_t w) {
    if (bits(w, 14, 13) != 1) return illegal(w); // neither .W nor .D
    switch (bits(w, 31, 27)) {
    case 0x02: return make_raw(bits(w, 24, 20) == 0 ? RvOp::lr : kX, w);
    case 0x03: return make_raw(RvOp::sc, w);
    case 0x00: // add
    case 0x01: // swap
    case 0x04: // xor
    case 0x08: // or
    case 0x0c: // and
    case 0x10: // min
    case 0x14: // max
    case 0x18: // minu
    case 0x1c: // maxu
        return make_raw(RvOp::amo, w);
    default: return illegal(w);
    }
}

Decoded decode_long(std::uint32_t w) {
    const std::uint32_t funct3 = bits(w, 14, 12);
    switch (w & 0x7f) {
    case 0x03: return with(kLoads[funct3], w, imm_i(w));
    case 0x0f: return funct3 == 0 ? make_raw(RvOp::fence, w) : make_raw(funct3 == 1 ? RvOp::fence_i : kX, w);
    case 0x13: return decode_immediate(w);
    case 0x17: return with(RvOp::auipc, w, imm_u(w));
    case 0x1b: return decode_immediate_w(w);
    case 0x23: return with(kStores[funct3], w, imm_s(w));
    case 0x2f: return decode_atomic(w);
    case 0x33: return decode_register(w, kRegister, kMultiply, kAlternative);
    case 0x37: return make(RvOp::addi, 4, bits(w, 11, 7), 0, 0, imm_u(w)); // LUI: the core's addi takes 32 bits
    case 0x3b: return decode_register(w, kRegisterW, kMultiplyW, kAlternativeW);
    case 0x63: return with(kBranches[funct3], w, imm_b(w));
    case 0x67: return with(funct3 == 0 ? RvOp::jalr : kX, w, imm_i(w));
    case 0x6f: return with(RvOp::jal, w, imm_j(w));
    case 0x73: return decode_system(w);
    default: return illegal(w);
    }
}

// ---- Two bytes (chapter 16).

constexpr std::uint32_t popular(std::uint32_t three_bits) { return three_bits + 8; } // x8 to x15

std::uint32_t offset_w(std::uint32_t w) { return take(w, 12, 10, 3) | take(w, 6, 6, 2) | take(w, 5, 5, 6); }
std::uint32_t offset_d(std::uint32_t w) { return take(w, 12, 10, 3) | take(w, 6, 5, 6); }
std::int32_t imm_6(std::uint32_t w) { return extend(take(w, 12, 12, 5) | bits(w, 6, 2), 6); }
std::int32_t shift_6(std::uint32_t w) { return static_cast<std::int32_t>(take(w, 12, 12, 5) | bits(w, 6, 2)); }

Decoded decode_quadrant_0(std::uint32_t w) {
    const std::uint32_t low = popular(bits(w, 4, 2)), base = popular(bits(w, 9, 7));
    const auto w_offset = static_cast<std::int32_t>(offset_w(w)), d_offset = static_cast<std::int32_t>(offset_d(w));
    switch (bits(w, 15, 13)) {
    case 0: { // C.ADDI4SPN; the word 0 is one of those without an immediate
        const std::uint32_t imm = take(w, 12, 11, 4) | take(w, 10, 7, 6) | take(w, 6, 6, 2) | take(w, 5, 5, 3);
        return imm == 0 ? illegal(w) : make(RvOp::addi, 2, low, 2, 0, static_cast<std::int32_t>(imm));
    }
    case 2: return make(RvOp::lw, 2, low, base, 0, w_offset);
    case 3: return make(RvOp::ld, 2, low, base, 0, d_offset);
    case 6: return make(RvOp::sw, 2, 0, base, low, w_offset);
    case 7: return make(RvOp::sd, 2, 0, base, low, d_offset);
    default: return illegal(w); // floating point, reserved
    }
}

Decoded decode_c_arithmetic(std::uint32_t w) {
    const std::uint32_t rd = popular(bits(w, 9, 7)), rs2 = popular(bits(w, 4, 2));
    switch (bits(w, 11, 10)) {
    case 0: return make(RvOp::srli, 2, rd, rd, 0, shift_6(w));
    case 1: return make(RvOp::srai, 2, rd, rd, 0, shift_6(w));
    case 2: return make(RvOp::andi, 2, rd, rd, 0, imm_6(w));
    default: break;
    }
    constexpr RvOp kOps[8] = {RvOp::sub, RvOp::bxor, RvOp::bor, RvOp::band, RvOp::subw, RvOp::addw, kX, kX};
    const RvOp op = kOps[take(w, 12, 12, 2) | bits(w, 6, 5)];
    return op == kX ? illegal(w) : make(op, 2, rd, rd, rs2, 0);
}

Decoded decode_quadrant_1(std::uint32_t w) {
    const std::uint32_t rd = bits(w, 11, 7);
    switch (bits(w, 15, 13)) {
    case 0: return make(RvOp::addi, 2, rd, rd, 0, imm_6(w));
    case 1: return rd == 0 ? illegal(w) : make(RvOp::addiw, 2, rd, rd, 0, imm_6(w));
    case 2: return make(RvOp::addi, 2, rd, 0, 0, imm_6(w));
    case 3: { // C.ADDI16SP and C.LUI
        if (imm_6(w) == 0) return illegal(w);
        if (rd != 2) return make(RvOp::addi, 2, rd, 0, 0, imm_6(w) * 4096);
        const std::uint32_t imm =
            take(w, 12, 12, 9) | take(w, 6, 6, 4) | take(w, 5, 5, 6) | take(w, 4, 3, 7) | take(w, 2, 2, 5);
        return make(RvOp::addi, 2, 2, 2, 0, extend(imm, 10));
    }
    case 4: return decode_c_arithmetic(w);
    case 5: {
        const std::uint32_t imm = take(w, 12, 12, 11) | take(w, 11, 11, 4) | take(w, 10, 9, 8) | take(w, 8, 8, 10) |
                                  take(w, 7, 7, 6) | take(w, 6, 6, 7) | take(w, 5, 3, 1) | take(w, 2, 2, 5);
        return make(RvOp::jal, 2, 0, 0, 0, extend(imm, 12));
    }
    default: {
        const std::uint32_t imm =
            take(w, 12, 12, 8) | take(w, 11, 10, 3) | take(w, 6, 5, 6) | take(w, 4, 3, 1) | take(w, 2, 2, 5);
        return make(bits(w, 13, 13) ? RvOp::bne : RvOp::beq, 2, 0, popular(bits(w, 9, 7)), 0, extend(imm, 9));
    }
    }
}

Decoded decode_c_jump_or_move(std::uint32_t w) {
    const std::uint32_t rd = bits(w, 11, 7), rs2 = bits(w, 6, 2);
    const bool second = bits(w, 12, 12) != 0; // C.JALR, C.EBREAK, C.ADD
    if (rs2 != 0) return make(RvOp::add, 2, rd, second ? rd : 0, rs2, 0);
    if (rd != 0) return make(RvOp::jalr, 2, second ? 1 : 0, rd, 0, 0);
    return second ? make_raw(RvOp::ebreak, w) : illegal(w);
}

Decoded decode_quadrant_2(std::uint32_t w) {
    const std::uint32_t rd = bits(w, 11, 7), rs2 = bits(w, 6, 2);
    switch (bits(w, 15, 13)) {
    case 0: return make(RvOp::slli, 2, rd, rd, 0, shift_6(w));
    case 2: {
        const std::uint32_t offset = take(w, 12, 12, 5) | take(w, 6, 4, 2) | take(w, 3, 2, 6);
        return rd == 0 ? illegal(w) : make(RvOp::lw, 2, rd, 2, 0, static_cast<std::int32_t>(offset));
    }
    case 3: {
        const std::uint32_t offset = take(w, 12, 12, 5) | take(w, 6, 5, 3) | take(w, 4, 2, 6);
        return rd == 0 ? illegal(w) : make(RvOp::ld, 2, rd, 2, 0, static_cast<std::int32_t>(offset));
    }
    case 4: return decode_c_jump_or_move(w);
    case 6: return make(RvOp::sw, 2, 0, 2, rs2, static_cast<std::int32_t>(take(w, 12, 9, 2) | take(w, 8, 7, 6)));
    case 7: return make(RvOp::sd, 2, 0, 2, rs2, static_cast<std::int32_t>(take(w, 12, 10, 3) | take(w, 9, 7, 6)));
    default: return illegal(w); // floating point
    }
}

} // namespace

Decoded decode(std::uint32_t w) {
    if (is_long_encoding(w)) return decode_long(w);
    w &= 0xffff;
    switch (w & 3) {
    case 0: return decode_quadrant_0(w);
    case 1: return decode_quadrant_1(w);
    default: return decode_quadrant_2(w);
    }
}

} // namespace numavp
