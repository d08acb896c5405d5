/// Instructions that a comparison with another simulator leaves out, or in whose corners bugs like to live.
#include <gtest/gtest.h>

#include "tests/cpu/machine.h"

namespace numavp {
namespace {

using namespace rv;

constexpr std::uint64_t kMin = std::uint64_t{1} << 63, kAll = ~std::uint64_t{0};
constexpr std::uint64_t kMinWord = 0xffffffff80000000; // sign-extended

/// rd of one instruction on two registers.
std::uint64_t result(Word instruction, std::uint64_t rs1, std::uint64_t rs2) {
    Machine m({instruction});
    m.core.set_x(kA1, rs1);
    m.core.set_x(kA2, rs2);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    EXPECT_EQ(m.core.traps(), 0U);
    EXPECT_EQ(m.core.retired(), 1U);
    return m.core.x(kA0);
}

constexpr Word multiply(Word funct3) { return r_type(0x33, funct3, 1, kA0, kA1, kA2); }
constexpr Word multiply_word(Word funct3) { return r_type(0x3b, funct3, 1, kA0, kA1, kA2); }

TEST(Rv64Arithmetic, DividesByZeroAndOverflowsAsTheManualSays) {
    struct Row {
        const char* what;
        Word instruction;
        std::uint64_t dividend, divisor, expected;
    };
    constexpr std::uint64_t x = 0x1234567887654321;
    constexpr std::uint64_t x_word = 0xffffffff87654321;
    constexpr Row kRows[] = {
        {"div by zero", multiply(4), x, 0, kAll},
        {"divu by zero", multiply(5), x, 0, kAll},
        {"rem by zero", multiply(6), x, 0, x},
        {"remu by zero", multiply(7), x, 0, x},
        {"div overflow", multiply(4), kMin, kAll, kMin},
        {"rem overflow", multiply(6), kMin, kAll, 0},
        {"div rounds towards zero", multiply(4), kAll - 6, 2, kAll - 2},
        {"rem has the dividend's sign", multiply(6), kAll - 6, 2, kAll},
        {"divw by zero", multiply_word(4), x, kMin, kAll},
        {"divuw by zero", multiply_word(5), x, kMin, kAll},
        {"remw by zero", multiply_word(6), x, kMin, x_word},
        {"remuw by zero", multiply_word(7), x, kMin, x_word},
        {"divw overflow", multiply_word(4), 0x80000000, 0xffffffff, kMinWord},
        {"remw overflow", multiply_word(6), 0x80000000, 0xffffffff, 0},
        {"divuw extends its sign", multiply_word(5), 0xffffffff, 1, kAll},
        {"remuw extends its sign", multiply_word(7), 0xfffffffe, 0xffffffff, kAll - 1},
    };
    for (const Row& r : kRows) EXPECT_EQ(result(r.instruction, r.dividend, r.divisor), r.expected) << r.what;
}

TEST(Rv64Arithmetic, MultipliesHighWithEachSign) {
    EXPECT_EQ(result(multiply(1), kMin, kMin), std::uint64_t{1} << 62);
    EXPECT_EQ(result(multiply(1), kAll, kAll), 0U);
    EXPECT_EQ(result(multiply(2), kAll, kAll), kAll); // -1 * (2^64 - 1)
    EXPECT_EQ(result(multiply(2), kMin, kAll), kMin); // -2^63 * (2^64 - 1) = -2^127 + 2^63
    EXPECT_EQ(result(multiply(3), kAll, kAll), kAll - 1);
    EXPECT_EQ(result(multiply_word(0), 0x80000001, 0xffffffff), 0x7fffffffU);
}

TEST(Rv64Arithmetic, ShiftsUseTheLowBitsOfTheirAmount) {
    EXPECT_EQ(result(r_type(0x33, 1, 0, kA0, kA1, kA2), 1, 64 + 63), kMin);        // SLL
    EXPECT_EQ(result(r_type(0x33, 5, 0x20, kA0, kA1, kA2), kMin, 64 + 63), kAll);  // SRA
    EXPECT_EQ(result(r_type(0x3b, 1, 0, kA0, kA1, kA2), 1, 32 + 31), kMinWord);    // SLLW
    EXPECT_EQ(result(r_type(0x3b, 5, 0, kA0, kA1, kA2), kAll, 32 + 0), kAll);      // SRLW by 0 extends its sign
    EXPECT_EQ(result(r_type(0x3b, 5, 0x20, kA0, kA1, kA2), 0x80000000, 31), kAll); // SRAW
    EXPECT_EQ(result(i_type(0x1b, 5, kA0, kA1, 31), 0xffffffff80000000, 0), 1U);   // SRLIW
}

TEST(Rv64Arithmetic, NothingReachesX0) {
    Machine m({addi(kZero, kZero, 5), lui(kZero, 0x12345000), auipc(kZero, 0), jal(kZero, 4), csrr(kZero, kMhartid),
               load(3, kZero, kA1, 0), lr(3, kZero, kA1), atomic(kAmoAdd, 3, kZero, kA1, kA1), add(kA0, kZero, kZero)},
              false);
    m.core.set_x(kA1, Machine::kData);
    m.core.set_x(kA0, 77);
    EXPECT_EQ(m.run(1000, 9), CoreStop::budget);
    EXPECT_EQ(m.core.x(0), 0U);
    EXPECT_EQ(m.core.x(kA0), 0U);
    EXPECT_EQ(m.core.traps(), 0U);
}

/// {rd, memory afterwards} of an AMO on a double word of memory.
std::pair<std::uint64_t, std::uint64_t> amo(Word funct5, Word width, std::uint64_t memory, std::uint64_t operand) {
    Machine m({atomic(funct5, width, kA0, kA1, kA2)}, false);
    m.poke(Machine::kData, memory);
    m.core.set_x(kA1, Machine::kData);
    m.core.set_x(kA2, operand);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    return {m.core.x(kA0), m.peek(Machine::kData)};
}

TEST(Rv64Atomics, MinimaAndMaximaCompareWordsByTheirSign) {
    using P = std::pair<std::uint64_t, std::uint64_t>;
    constexpr std::uint64_t above = 0xabcdef0100000000; // what a word access must leave alone
    constexpr std::uint64_t minus3 = above | 0xfffffffd, old = 0xfffffffffffffffd;
    const std::uint64_t operands[] = {5, 0x123456789abcdef0, above | 5}; // upper halves do not count
    EXPECT_EQ(amo(kAmoMin, 2, minus3, operands[0]), P(old, minus3));
    EXPECT_EQ(amo(kAmoMax, 2, minus3, operands[0]), P(old, above | 5));
    EXPECT_EQ(amo(kAmoMin, 2, minus3, operands[1]), P(old, above | 0x9abcdef0));
    EXPECT_EQ(amo(kAmoMax, 2, minus3, operands[1]), P(old, minus3));
    EXPECT_EQ(amo(kAmoMinu, 2, minus3, operands[2]), P(old, above | 5));
    EXPECT_EQ(amo(kAmoMaxu, 2, minus3, operands[2]), P(old, minus3));
    EXPECT_EQ(amo(kAmoMinu, 2, minus3, operands[1]), P(old, above | 0x9abcdef0));
    EXPECT_EQ(amo(kAmoMaxu, 2, above | 0x7fffffff, operands[1]), P(0x7fffffff, above | 0x9abcdef0));
    EXPECT_EQ(amo(kAmoMin, 3, kMin, 1), P(kMin, kMin));
    EXPECT_EQ(amo(kAmoMax, 3, kMin, 1), P(kMin, 1));
    EXPECT_EQ(amo(kAmoMinu, 3, kMin, 1), P(kMin, 1));
    EXPECT_EQ(amo(kAmoMaxu, 3, kMin, 1), P(kMin, kMin));
}

TEST(Rv64Atomics, OthersGiveTheOldValueAndStoreTheNew) {
    using P = std::pair<std::uint64_t, std::uint64_t>;
    constexpr std::uint64_t a = 0xf0f0f0f0f0f0f0f0, b = 0x123456789abcdef0, mask = 0xffffffff;
    constexpr std::uint64_t old_word = 0xfffffffff0f0f0f0;
    EXPECT_EQ(amo(kAmoSwap, 3, a, b), P(a, b));
    EXPECT_EQ(amo(kAmoAdd, 3, a, b), P(a, a + b));
    EXPECT_EQ(amo(kAmoXor, 3, a, b), P(a, a ^ b));
    EXPECT_EQ(amo(kAmoOr, 3, a, b), P(a, a | b));
    EXPECT_EQ(amo(kAmoAnd, 3, a, b), P(a, a & b));
    EXPECT_EQ(amo(kAmoSwap, 2, a, b), P(old_word, (a & ~mask) | (b & mask)));
    EXPECT_EQ(amo(kAmoAdd, 2, a, b), P(old_word, (a & ~mask) | ((a + b) & mask)));
}

} // namespace
} // namespace numavp
