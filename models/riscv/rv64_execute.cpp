/// The fast loop: instructions that touch only registers and RAM, dispatched by a table of labels.
///
/// Each operation ends with a separate jump to the next one, which the host predicts by its history. `d` moves through
/// the decoded page; pc is computed from it only where it is needed. Instructions that the loop can't execute it
/// leaves, undone, to `execute_slow()`.

#include <cstring>

#include "models/riscv/code_page.h"
#include "models/riscv/rv64_arithmetic.h"

namespace numavp {

namespace {
using namespace rv64;

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "RAM is read and written as it lies");

bool condition_holds(RvOp condition, std::uint64_t a, std::uint64_t b) {
    switch (condition) {
    case RvOp::beq: return a == b;
    case RvOp::bne: return a != b;
    case RvOp::blt: return as_signed(a) < as_signed(b);
    case RvOp::bge: return as_signed(a) >= as_signed(b);
    case RvOp::bltu: return a < b;
    default: return a >= b;
    }
}
} // namespace

// The operands of the instruction at `d`.
#define RD x[d->rd]
#define RS1 x[d->rs1]
#define RS2 x[d->rs2]
#define IMM as_unsigned(d->imm)
#define SHIFT (static_cast<unsigned>(d->imm))
#define PC (page_pc + 2 * static_cast<std::uint64_t>(d - page->at.data()))

// Goes on with the instruction at `d`; the one before has retired.
#define DISPATCH                                                                                                       \
    if (--left == 0) goto used;                                                                                        \
    goto* kLabels[d->code]
// An operation that has a compressed form: once for each length, so that the way to the next is a constant.
#define OP(name, ...)                                                                                                  \
    name##_2 : {__VA_ARGS__} d += 1;                                                                                   \
    DISPATCH;                                                                                                          \
    name##_4 : {__VA_ARGS__} d += 2;                                                                                   \
    DISPATCH;
#define OP_LONG(name, ...)                                                                                             \
    name##_2 : name##_4 : {__VA_ARGS__} d += 2;                                                                        \
    DISPATCH;
#define BRANCH_OF(name, condition, length)                                                                             \
    name##_##length : if (condition) {                                                                                 \
        d += d->imm;                                                                                                   \
        DISPATCH;                                                                                                      \
    }                                                                                                                  \
    d += (length) / 2;                                                                                                 \
    DISPATCH;
#define BRANCH(name, condition)                                                                                        \
    BRANCH_OF(name, condition, 2)                                                                                      \
    BRANCH_OF(name, condition, 4)
#define LOAD(name, type)                                                                                               \
    OP(name, const std::uint64_t offset = RS1 + IMM - ram_base; if (offset > ram_bytes - sizeof(type)) goto slow;      \
       type value; std::memcpy(&value, ram + offset, sizeof value); RD = as_unsigned(value);)
#define STORE(name, type)                                                                                              \
    OP(name, const std::uint64_t offset = RS1 + IMM - ram_base; if (offset > ram_bytes - sizeof(type)) goto slow;      \
       const type value = static_cast<type>(RS2); std::memcpy(ram + offset, &value, sizeof value);)
// To `destination`, which may be anywhere; this instruction retires.
#define JUMP(destination)                                                                                              \
    {                                                                                                                  \
        target = (destination);                                                                                        \
        if (--left == 0) goto used_at_target;                                                                          \
        goto jump;                                                                                                     \
    }

bool Rv64Core::execute(const std::uint64_t steps) {
    static const void* const kLabels[] = {
#define LABELS(name) &&name##_2, &&name##_4,
        NUMAVP_RV64_OPS(LABELS)
#undef LABELS
    };
    std::uint64_t* const x = x_;
    unsigned char* const ram = ram_;
    const std::uint64_t ram_base = ram_base_, ram_bytes = ram_bytes_;
    std::uint64_t left = steps, target = pc_, page_pc = 0;
    CodePage* page = nullptr;
    Decoded* d = nullptr;

jump : {
    const std::uint64_t offset = target - ram_base;
    if (offset >= ram_bytes) {
        slow_ = Decoded{};
        goto stop_at_target;
    }
    page = page_at(offset);
    page_pc = target & ~std::uint64_t{(1U << CodePage::kShift) - 1};
    d = &page->at[(target - page_pc) >> 1];
    goto* kLabels[d->code];
}
undecoded_2:
undecoded_4:
    fill(*page, page_pc - ram_base, static_cast<unsigned>(d - page->at.data()));
    goto* kLabels[d->code];
page_end_2:
page_end_4:
    target = PC;
    goto jump;

    OP(addi, RD = RS1 + IMM;)
    OP_LONG(slti, RD = as_signed(RS1) < d->imm;)
    OP_LONG(sltiu, RD = RS1 < IMM;)
    OP_LONG(xori, RD = RS1 ^ IMM;)
    OP_LONG(ori, RD = RS1 | IMM;)
    OP(andi, RD = RS1 & IMM;)
    OP(slli, RD = RS1 << SHIFT;)
    OP(srli, RD = RS1 >> SHIFT;)
    OP(srai, RD = shift_arithmetic(RS1, SHIFT);)
    OP(addiw, RD = word(RS1 + IMM);)
    OP_LONG(slliw, RD = word(RS1 << SHIFT);)
    OP_LONG(srliw, RD = word(static_cast<std::uint32_t>(RS1) >> SHIFT);)
    OP_LONG(sraiw, RD = shift_word(RS1, SHIFT);)
    OP(add, RD = RS1 + RS2;)
    OP(sub, RD = RS1 - RS2;)
    OP_LONG(sll, RD = RS1 << (RS2 & 63);)
    OP_LONG(slt, RD = as_signed(RS1) < as_signed(RS2);)
    OP_LONG(sltu, RD = RS1 < RS2;)
    OP(bxor, RD = RS1 ^ RS2;)
    OP_LONG(srl, RD = RS1 >> (RS2 & 63);)
    OP_LONG(sra, RD = shift_arithmetic(RS1, RS2 & 63);)
    OP(bor, RD = RS1 | RS2;)
    OP(band, RD = RS1 & RS2;)
    OP(addw, RD = word(RS1 + RS2);)
    OP(subw, RD = word(RS1 - RS2);)
    OP_LONG(sllw, RD = word(RS1 << (RS2 & 31));)
    OP_LONG(srlw, RD = word(static_cast<std::uint32_t>(RS1) >> (RS2 & 31));)
    OP_LONG(sraw, RD = shift_word(RS1, RS2 & 31);)
    OP_LONG(mul, RD = RS1 * RS2;)
    OP_LONG(mulh, RD = high_ss(RS1, RS2);)
    OP_LONG(mulhsu, RD = high_su(RS1, RS2);)
    OP_LONG(mulhu, RD = high_uu(RS1, RS2);)
    OP_LONG(div, RD = as_unsigned(divide(as_signed(RS1), as_signed(RS2)));)
    OP_LONG(divu, RD = divide_unsigned(RS1, RS2);)
    OP_LONG(rem, RD = as_unsigned(rv64::remainder(as_signed(RS1), as_signed(RS2)));)
    OP_LONG(remu, RD = remainder_unsigned(RS1, RS2);)
    OP_LONG(mulw, RD = word(RS1 * RS2);)
    OP_LONG(divw, RD = as_unsigned(divide(signed_word(RS1), signed_word(RS2)));)
    OP_LONG(divuw, RD = word(divide_unsigned(static_cast<std::uint32_t>(RS1), static_cast<std::uint32_t>(RS2)));)
    OP_LONG(remw, RD = as_unsigned(rv64::remainder(signed_word(RS1), signed_word(RS2)));)
    OP_LONG(remuw, RD = word(remainder_unsigned(static_cast<std::uint32_t>(RS1), static_cast<std::uint32_t>(RS2)));)
    OP_LONG(auipc, RD = PC + IMM;)
    OP_LONG(fence, )
    LOAD(lb, std::int8_t)
    LOAD(lh, std::int16_t)
    LOAD(lw, std::int32_t)
    LOAD(ld, std::int64_t)
    LOAD(lbu, std::uint8_t)
    LOAD(lhu, std::uint16_t)
    LOAD(lwu, std::uint32_t)
    STORE(sb, std::uint8_t)
    STORE(sh, std::uint16_t)
    STORE(sw, std::uint32_t)
    STORE(sd, std::uint64_t)
    BRANCH(beq, RS1 == RS2)
    BRANCH(bne, RS1 != RS2)
    BRANCH(blt, as_signed(RS1) < as_signed(RS2))
    BRANCH(bge, as_signed(RS1) >= as_signed(RS2))
    BRANCH(bltu, RS1 < RS2)
    BRANCH(bgeu, RS1 >= RS2)
jal_2:
jal_4:
    RD = PC + d->bytes();
    d += d->imm;
    DISPATCH;
jal_far_2:
jal_far_4 : {
    const std::uint64_t pc = PC;
    RD = pc + d->bytes();
    JUMP(pc + IMM)
}
jalr_2:
jalr_4 : {
    const std::uint64_t destination = (RS1 + IMM) & ~std::uint64_t{1}; // before RD, which may be the same register
    RD = PC + d->bytes();
    JUMP(destination)
}
branch_far_2:
branch_far_4:
    JUMP(PC + (condition_holds(static_cast<RvOp>(d->rd), RS1, RS2) ? IMM : d->bytes()))

half_fetched_2:
half_fetched_4:
illegal_2:
illegal_4:
fence_i_2:
fence_i_4:
ecall_2:
ecall_4:
ebreak_2:
ebreak_4:
mret_2:
mret_4:
wfi_2:
wfi_4:
csr_2:
csr_4:
lr_2:
lr_4:
sc_2:
sc_4:
amo_2:
amo_4:
slow:
    slow_ = *d;
    target = PC;
stop_at_target:
    count(steps - left, target);
    return false;
used:
    target = PC;
used_at_target:
    count(steps, target);
    return true;
}

} // namespace numavp
