/// RV64IMAC + Zicsr + Zifencei, decoded: the form in which the core caches an instruction.
///
/// Source: The RISC-V Instruction Set Manual, Volume I, 20191213: chapters 2, 3, 5, 7, 8, 9 and 16; reserved encodings
/// are those of tables 16.5 to 16.7. Every reserved encoding, including those next to a hint that are not hints,
/// decodes to `illegal`. A hint decodes to the operation that it encodes, which has no effect.
#pragma once

#include <cstdint>

namespace numavp {

/// Operations, in the order of the core's dispatch table. Those of the first row are markers, not instructions: a place
/// not yet decoded, the place behind a page of code, the first half of an instruction whose second half lies outside
/// RAM, and an encoding that traps. `*_far` jumps to another page of code; a compressed instruction has the operation
/// of the full one that it expands to.
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

/// Index of the register that takes results for x0: one past those that can be read.
inline constexpr unsigned kSinkRegister = 32;

struct Decoded {
    std::uint8_t code = 0; ///< twice the operation, plus one for an encoding of four bytes
    std::uint8_t rd = 0;   ///< `kSinkRegister` for x0; the condition (funct3) of `branch_far`
    std::uint8_t rs1 = 0, rs2 = 0;
    /// The immediate, sign-extended: for branches and jumps the distance in bytes, or in half-words once a near one is
    /// placed in its page; for `illegal`, `csr`, `lr`, `sc` and `amo` the encoding itself.
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

/// Decodes four bytes, or the low two if `is_long_encoding` is false. Without an address, all branches are near.
Decoded decode(std::uint32_t bits);

} // namespace numavp
