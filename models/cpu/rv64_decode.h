/// RV64IMAC + Zicsr + Zifencei, decoded: what the core keeps of an instruction once it has seen it.
///
/// Source: The RISC-V Instruction Set Manual, Volume I, 20191213: chapters 2, 3, 5, 7, 8, 9 and 16, tables 16.5 to 16.7
/// for what is reserved. Every encoding that these leave reserved, and every hint's neighbour that is not a hint,
/// decodes to `illegal`; hints decode to what they are, an operation without effect.
#pragma once

#include <cstdint>

namespace numavp {

/// Operations, in the order of the core's dispatch table. The first row are no instructions of a program: a place that
/// has not been looked at, the place behind a page of code, the first half of an instruction whose second half lies
/// outside RAM, and what traps. `*_far` leaves its page of code; a compressed instruction has the operation of the one
/// that it stands for.
// clang-format off
#define NUMAVP_RV64_OPS(X) \
    X(undecoded) X(page_end) X(half_fetched) X(illegal) \
    X(addi) X(slti) X(sltiu) X(xori) X(ori) X(andi) X(slli) X(srli) X(srai) \
    X(addiw) X(slliw) X(srliw) X(sraiw) \
    X(add) X(sub) X(sll) X(slt) X(sltu) X(bxor) X(srl) X(sra) X(bor) X(band) \
    X(addw) X(subw) X(sllw) X(srlw) X(sraw) \
    X(mul) X(mulh) X(mulhsu) X(mulhu) X(div) X(divu) X(rem) X(remu) X(mulw) X(divw) X(divuw) X(remw) X(remuw) \
    X(auipc) X(jal) X(jal_far) X(jalr) X(beq) X(bne) X(blt) X(bge) X(bltu) X(bgeu) X(branch_far) \
    X(lb) X(lh) X(lw) X(ld) X(lbu) X(lhu) X(lwu) X(sb) X(sh) X(sw) X(sd) \
    X(fence) X(fence_i) X(ecall) X(ebreak) X(mret) X(wfi) X(csr) X(lr) X(sc) X(amo)
// clang-format on

enum class RvOp : std::uint8_t {
#define NUMAVP_RV64_OP(name) name,
    NUMAVP_RV64_OPS(NUMAVP_RV64_OP)
#undef NUMAVP_RV64_OP
};

/// Where results for x0 go: one past the registers that can be read.
inline constexpr unsigned kSinkRegister = 32;

struct Decoded {
    std::uint8_t code = 0; ///< twice the operation, plus one for an encoding of four bytes
    std::uint8_t rd = 0;   ///< `kSinkRegister` for x0; the condition (funct3) of `branch_far`
    std::uint8_t rs1 = 0, rs2 = 0;
    /// The immediate, sign-extended (branches and jumps: bytes from this instruction; those that stay in their page,
    /// once placed: half-words). The encoding itself of `illegal`, `csr`, `lr`, `sc` and `amo`.
    std::int32_t imm = 0;

    constexpr RvOp op() const { return static_cast<RvOp>(code >> 1); }
    constexpr unsigned bytes() const { return code & 1 ? 4 : 2; }
    constexpr std::uint32_t raw() const { return static_cast<std::uint32_t>(imm); }
    constexpr void set(RvOp op, unsigned bytes) {
        code = static_cast<std::uint8_t>(static_cast<unsigned>(op) << 1 | (bytes == 4));
    }
};
static_assert(sizeof(Decoded) == 8, "a page of code and what is decoded of it share the first-level cache");

/// True if the encoding that begins with this half-word has four bytes (or more, which this core refuses).
constexpr bool is_long_encoding(std::uint32_t half_word) { return (half_word & 3) == 3; }

/// Decodes four bytes, or two in the low half if `is_long_encoding` denies more. Knows no place: branches are near.
Decoded decode(std::uint32_t bits);

} // namespace numavp
