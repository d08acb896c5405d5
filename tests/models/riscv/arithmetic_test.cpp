/// Instructions that a comparison with another simulator leaves out, or in whose corners bugs like to live: products,
/// quotients, atomics, reservations.
#include <gtest/gtest.h>

#include "tests/models/riscv/machine.h"

namespace numavp {
namespace {

using namespace rv;

constexpr std::uint64_t kMin = std::uint64_t{1} << 63, kAllOnes = ~std::uint64_t{0};
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
        {"div by zero", multiply(4), x, 0, kAllOnes},
        {"divu by zero", multiply(5), x, 0, kAllOnes},
        {"rem by zero", multiply(6), x, 0, x},
        {"remu by zero", multiply(7), x, 0, x},
        {"div overflow", multiply(4), kMin, kAllOnes, kMin},
        {"rem overflow", multiply(6), kMin, kAllOnes, 0},
        {"div rounds towards zero", multiply(4), kAllOnes - 6, 2, kAllOnes - 2},
        {"rem has the dividend's sign", multiply(6), kAllOnes - 6, 2, kAllOnes},
        {"divw by zero", multiply_word(4), x, kMin, kAllOnes},
        {"divuw by zero", multiply_word(5), x, kMin, kAllOnes},
        {"remw by zero", multiply_word(6), x, kMin, x_word},
        {"remuw by zero", multiply_word(7), x, kMin, x_word},
        {"divw overflow", multiply_word(4), 0x80000000, 0xffffffff, kMinWord},
        {"remw overflow", multiply_word(6), 0x80000000, 0xffffffff, 0},
        {"divuw extends its sign", multiply_word(5), 0xffffffff, 1, kAllOnes},
        {"remuw extends its sign", multiply_word(7), 0xfffffffe, 0xffffffff, kAllOnes - 1},
    };
    for (const Row& r : kRows) EXPECT_EQ(result(r.instruction, r.dividend, r.divisor), r.expected) << r.what;
}

TEST(Rv64Arithmetic, MultipliesHighWithEachSign) {
    EXPECT_EQ(result(multiply(1), kMin, kMin), std::uint64_t{1} << 62);
    EXPECT_EQ(result(multiply(1), kAllOnes, kAllOnes), 0U);
    EXPECT_EQ(result(multiply(2), kAllOnes, kAllOnes), kAllOnes); // -1 * (2^64 - 1)
    EXPECT_EQ(result(multiply(2), kMin, kAllOnes), kMin);         // -2^63 * (2^64 - 1) = -2^127 + 2^63
    EXPECT_EQ(result(multiply(3), kAllOnes, kAllOnes), kAllOnes - 1);
    EXPECT_EQ(result(multiply_word(0), 0x80000001, 0xffffffff), 0x7fffffffU);
}

TEST(Rv64Arithmetic, ShiftsUseTheLowBitsOfTheirAmount) {
    EXPECT_EQ(result(r_type(0x33, 1, 0, kA0, kA1, kA2), 1, 64 + 63), kMin);            // SLL
    EXPECT_EQ(result(r_type(0x33, 5, 0x20, kA0, kA1, kA2), kMin, 64 + 63), kAllOnes);  // SRA
    EXPECT_EQ(result(r_type(0x3b, 1, 0, kA0, kA1, kA2), 1, 32 + 31), kMinWord);        // SLLW
    EXPECT_EQ(result(r_type(0x3b, 5, 0, kA0, kA1, kA2), kAllOnes, 32 + 0), kAllOnes);  // SRLW by 0 extends its sign
    EXPECT_EQ(result(r_type(0x3b, 5, 0x20, kA0, kA1, kA2), 0x80000000, 31), kAllOnes); // SRAW
    EXPECT_EQ(result(i_type(0x1b, 5, kA0, kA1, 31), 0xffffffff80000000, 0), 1U);       // SRLIW
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

/// rd of the SC that ends a program: 0 if it stored.
std::uint64_t reserve(std::initializer_list<Word> program, std::uint64_t data = Machine::kData) {
    Machine m(program, false);
    m.core.set_x(kA1, data);
    m.core.set_x(kA2, data + 8);
    m.core.set_x(kA3, 0x5a5a5a5a5a5a5a5a);
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.put(Machine::kHandler, {csrr(kT0, kMepc), addi(kT0, kT0, 4), csrw(kMepc, kT0), kMret});
    m.poke(data, 1);
    for (std::size_t i = 0; i < program.size(); ++i) EXPECT_EQ(m.core.run(1), CoreStop::budget);
    while (m.core.pc() != Machine::kRam + 4 * program.size()) m.core.run(1);
    EXPECT_EQ(m.peek(data) == 1, m.core.x(kA0) == 1);
    return m.core.x(kA0);
}

TEST(Rv64Reservation, OneScFollowsOneLr) {
    EXPECT_EQ(reserve({lr(3, kA0, kA1), sc(3, kA0, kA3, kA1)}), 0U);
    EXPECT_EQ(reserve({lr(2, kA0, kA1), sc(2, kA0, kA3, kA1)}), 0U);
    EXPECT_EQ(reserve({sc(3, kA0, kA3, kA1)}), 1U);                                        // no LR
    EXPECT_EQ(reserve({lr(3, kA0, kA2), sc(3, kA0, kA3, kA1)}), 1U);                       // another address
    EXPECT_EQ(reserve({lr(3, kA0, kA1), sc(2, kA0, kA3, kA1)}), 1U);                       // another width
    EXPECT_EQ(reserve({lr(3, kA0, kA1), lr(3, kA0, kA2), sc(3, kA0, kA3, kA1)}), 1U);      // the last LR counts
    EXPECT_EQ(reserve({lr(3, kA0, kA1), sc(3, kA0, kA3, kA2), sc(3, kA0, kA3, kA1)}), 1U); // one SC
    EXPECT_EQ(reserve({lr(3, kA0, kA1), kEcall, sc(3, kA0, kA3, kA1)}), 1U);               // a trap between
    EXPECT_EQ(reserve({lr(3, kA0, kA1), addi(kA0, kZero, 9), sc(3, kA0, kA3, kA1)}), 0U);
}

TEST(Rv64Reservation, EndsAtATrapAndAtItsReturn) {
    for (const bool in_handler : {true, false}) {
        // An LR before the trap and the SC in the handler, or an LR in the handler and the SC behind it.
        Machine m({lr(3, kA0, kA1), kEcall}, false);
        m.put(Machine::kHandler, {sc(3, kA0, kA3, kA1), lr(3, kA4, kA1), csrw(kMepc, kS0), kMret});
        m.put(Machine::kData, {sc(3, kA0, kA3, kA1)});
        m.core.write_csr(kMtvec, Machine::kHandler);
        m.core.set_x(kA1, Machine::kData + 8);
        m.core.set_x(kS0, Machine::kData);
        EXPECT_EQ(m.core.run(in_handler ? 3 : 7), CoreStop::budget);
        EXPECT_EQ(m.core.pc(), in_handler ? Machine::kHandler + 4 : Machine::kData + 4);
        EXPECT_EQ(m.core.x(kA0), 1U);
    }
}

TEST(Rv64Reservation, SomeoneElsesWriteBreaksIt) {
    for (const std::uint64_t at : {Machine::kData - 8, Machine::kData, Machine::kData + 7, Machine::kData + 8}) {
        Machine m({lr(3, kA0, kA1), sc(3, kA0, kA3, kA1)}, false);
        m.core.set_x(kA1, Machine::kData);
        EXPECT_EQ(m.core.run(1), CoreStop::budget);
        m.core.ram_written(at, 8);
        EXPECT_EQ(m.core.run(1), CoreStop::budget);
        EXPECT_EQ(m.core.x(kA0), at < Machine::kData || at > Machine::kData + 7 ? 0U : 1U) << std::hex << at;
    }
}

TEST(Rv64Reservation, AtomicsStopToSynchronise) {
    Machine m({lr(3, kA0, kA1), atomic(kAmoAdd, 3, kA0, kA1, kA3), sc(3, kA0, kA3, kA1)});
    m.core.set_x(kA1, Machine::kData);
    m.core.set_x(kA3, 4);
    m.poke(Machine::kData, 10);
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(m.core.run(100), CoreStop::bus);
        EXPECT_EQ(m.core.access().what, BusAccess::What::atomic);
        EXPECT_EQ(m.core.access().write, i != 0);
        EXPECT_EQ(m.core.retired(), i);
        if (i == 1) m.poke(Machine::kData, 20); // someone else, at the time that has been reached
        m.core.complete(0);
    }
    EXPECT_EQ(m.peek(Machine::kData), 4U); // the AMO is ours: it leaves the reservation
}

} // namespace
} // namespace numavp
