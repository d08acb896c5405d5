/// Interrupts between any two instructions, WFI, and that budgets change nothing.
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/models/riscv/machine.h"

namespace numavp {
namespace {

using namespace rv;

constexpr std::uint64_t kFrame = Machine::kData + 0x100, kLog = Machine::kData + 0x200;

/// Adds up squares in a loop with a call, loads, stores, an AMO and a device; then the end. The handler keeps its
/// registers, writes mepc behind those before it, lowers the lines and returns.
void load_program(Machine& m) {
    const std::uint64_t square = Machine::kRam + 0x100;
    std::uint64_t at = m.put(Machine::kRam, {csrw(kMtvec, kS0), csrw(kMscratch, kT2), csrw(kMie, kS1),
                                             csr(6, 0, kMstatus, 8), c_li(kA0, 0), c_li(kA1, 4)});
    const std::uint64_t loop = at;
    at = m.put(at, {jal(kRa, static_cast<std::int64_t>(square - at)), sd(kA2, kSp, 0), add(kA0, kA0, kA2)});
    at = m.put(at,
               {atomic(kAmoAdd, 3, kA3, kSp, kA2), ld(kA4, kSp, 0), ld(kA5, kT1, 0), sd(kA0, kT1, 0), c_addi(kA1, -1)});
    at = m.put(at, {bne(kA1, kZero, -static_cast<std::int64_t>(at - loop))});
    m.put(at, {csr(7, 0, kMstatus, 8), sd(kA0, kT0, 0)}); // MIE off; the end
    m.put(square, {r_type(0x33, 0, 1, kA2, kA1, kA1), jalr(0, kRa, 0)});
    // mscratch holds the frame: registers 10 and 11 are kept in it, and the place in the log.
    m.put(Machine::kHandler,
          {csr(1, kA0, kMscratch, kA0), sd(kA1, kA0, 0), sd(kA2, kA0, 8), ld(kA1, kA0, 16), csrr(kA2, kMepc),
           sd(kA2, kA1, 0), addi(kA1, kA1, 8), sd(kA1, kA0, 16), lui(kA2, 0x10000000), sd(kZero, kA2, 8),
           ld(kA1, kA0, 0), ld(kA2, kA0, 8), csr(1, kA0, kMscratch, kA0), kMret});
    m.poke(kFrame + 16, kLog);
    m.core.set_x(kS0, Machine::kHandler);
    m.core.set_x(kS1, 0x880);
    m.core.set_x(kT2, kFrame);
    m.core.set_x(kSp, Machine::kData);
    m.core.set_x(kT1, Machine::kValue);
    m.core.set_x(kT0, Machine::kEnd);
}

struct Outcome {
    std::vector<std::uint64_t> registers;
    std::uint64_t data = 0, retired = 0, traps = 0;
    bool operator==(const Outcome& o) const {
        return registers == o.registers && data == o.data && retired == o.retired && traps == o.traps;
    }
};

Outcome outcome(const Machine& m) {
    Outcome o;
    for (unsigned i = 0; i < 32; ++i) o.registers.push_back(m.core.x(i));
    o.registers.push_back(m.core.pc());
    o.data = m.peek(Machine::kData);
    o.retired = m.core.retired();
    o.traps = m.core.traps();
    return o;
}

TEST(Rv64Interrupts, AfterEachInstructionTheProgramEndsAlike) {
    Machine undisturbed;
    load_program(undisturbed);
    ASSERT_EQ(undisturbed.run(), CoreStop::bus);
    const Outcome expected = outcome(undisturbed);
    ASSERT_EQ(expected.registers[kA0], 4U * 4 + 3 * 3 + 2 * 2 + 1);
    const std::uint64_t length = undisturbed.core.steps();
    ASSERT_GT(length, 40U);
    constexpr std::uint64_t kEnabledAfter = 4, kHandlerInstructions = 14;
    for (std::uint64_t k = 0; k + 2 < length; ++k) {
        Machine m;
        load_program(m);
        ASSERT_EQ(m.run(1000, k), CoreStop::budget);
        const std::uint64_t pc = k < kEnabledAfter ? Machine::kRam + 4 * kEnabledAfter : m.core.pc();
        m.set_lines(k % 2 == 0, k % 2 == 1);
        ASSERT_EQ(m.run(), CoreStop::bus);
        Outcome o = outcome(m);
        EXPECT_EQ(o.traps, 1U) << k;
        EXPECT_EQ(m.peek(kLog), pc) << k; // exactly there
        EXPECT_EQ(o.retired, expected.retired + kHandlerInstructions) << k;
        EXPECT_EQ(m.csr(kMcause), k % 2 == 0 ? kExternalInterrupt : kTimerInterrupt);
        o.retired = expected.retired;
        o.traps = 0;
        EXPECT_EQ(o, expected) << k;
    }
}

TEST(Rv64Interrupts, ResultsAndCountsAreTheSameAtEveryQuantum) {
    std::vector<Outcome> outcomes;
    for (const std::uint64_t quantum : {1U, 2U, 3U, 7U, 10U, 1000U}) {
        Machine m;
        load_program(m);
        ASSERT_EQ(m.run(quantum, 23), CoreStop::budget);
        EXPECT_EQ(m.core.steps(), 23U);
        m.set_lines(true, true);
        ASSERT_EQ(m.run(quantum), CoreStop::bus);
        outcomes.push_back(outcome(m));
        EXPECT_EQ(outcomes.back(), outcomes.front()) << quantum;
        EXPECT_EQ(m.log.size(), 14U); // 4 AMOs, 4 loads, 4 stores, 1 answer, the end
    }
}

TEST(Rv64Interrupts, VectorsAndPriority) {
    for (const bool vectored : {false, true}) {
        for (const unsigned lines : {1U, 2U, 3U}) {
            Machine m({kNop});
            m.core.write_csr(kMtvec, Machine::kHandler | (vectored ? 1 : 0));
            m.core.write_csr(kMie, 0x880);
            m.core.write_csr(kMstatus, 8);
            m.set_lines(lines & 1, lines & 2);
            EXPECT_EQ(m.csr(kMip), (lines & 1 ? 0x800U : 0U) | (lines & 2 ? 0x80U : 0U));
            EXPECT_EQ(m.core.run(1), CoreStop::budget);
            const bool external = lines & 1;
            EXPECT_EQ(m.csr(kMcause), external ? kExternalInterrupt : kTimerInterrupt);
            EXPECT_EQ(m.core.pc(), Machine::kHandler + (vectored ? external ? 44 : 28 : 0));
            EXPECT_EQ(m.csr(kMepc), Machine::kRam);
            EXPECT_EQ(m.csr(kMstatus), 0x1880U);
            EXPECT_EQ(m.core.retired(), 0U);
        }
    }
}

TEST(Rv64Interrupts, EnablingTakesEffectBehindTheInstructionThatEnables) {
    // The idiom of drivers: the window is one instruction wide.
    for (const std::uint64_t quantum : {1U, 2U, 1000U}) {
        Machine m({csr(7, 0, kMstatus, 8), kWfi, csr(6, 0, kMstatus, 8), csr(7, 0, kMstatus, 8), kNop});
        m.core.write_csr(kMtvec, Machine::kHandler);
        m.core.write_csr(kMie, 0x800);
        m.put(Machine::kHandler, {jal(0, 0)});
        EXPECT_EQ(m.run(quantum, 50), CoreStop::wait);
        m.core.set_external_interrupt(true);
        EXPECT_EQ(m.run(quantum, 2), CoreStop::budget);
        EXPECT_EQ(m.core.pc(), Machine::kHandler);
        EXPECT_EQ(m.csr(kMepc), Machine::kRam + 12);
    }
    // MRET enables as well.
    Machine m({csrw(kMepc, kA0), kMret});
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.core.write_csr(kMie, 0x800);
    m.core.write_csr(kMstatus, 0x80);
    m.core.set_x(kA0, Machine::kData);
    m.core.set_external_interrupt(true);
    EXPECT_EQ(m.core.run(3), CoreStop::budget);
    EXPECT_EQ(m.csr(kMepc), Machine::kData);
    EXPECT_EQ(m.core.pc(), Machine::kHandler);
}

struct WfiCase {
    const char* what;
    std::uint64_t enabled;
    bool global, raised_before;
    unsigned lines;
    bool waits, traps; ///< with the lines as they are
};

TEST(Rv64Wfi, InAllCases) {
    constexpr WfiCase kCases[] = {
        {"nothing", 0x880, true, true, 0, true, false},
        {"pending before, MIE off", 0x800, false, true, 1, false, false},
        {"pending later, MIE off", 0x800, false, false, 1, false, false},
        {"pending later, MIE on", 0x800, true, false, 1, false, true},
        {"timer later, MIE on", 0x80, true, false, 2, false, true},
        {"timer later, MIE off", 0x80, false, false, 2, false, false},
        {"pending but not in mie", 0x80, true, false, 1, true, false},
        {"pending but not in mie, before", 0x800, true, true, 2, true, false},
        {"mie empty", 0, true, true, 3, true, false},
        {"both, one in mie", 0x80, true, false, 3, false, true},
    };
    for (const WfiCase& c : kCases) {
        for (const std::uint64_t quantum : {1U, 2U, 100U}) {
            Machine m({kWfi, addi(kA0, kA0, 1), jal(0, 0)});
            m.core.write_csr(kMtvec, Machine::kHandler);
            m.put(Machine::kHandler, {jal(0, 0)});
            m.core.write_csr(kMie, c.enabled);
            m.core.write_csr(kMstatus, c.global ? 8 : 0);
            if (c.raised_before) m.set_lines(c.lines & 1, c.lines & 2);
            if (!c.raised_before || c.waits) {
                EXPECT_EQ(m.run(quantum, 10), CoreStop::wait) << c.what;
                EXPECT_TRUE(m.core.waits()) << c.what;
                EXPECT_EQ(m.core.retired(), 1U) << c.what; // WFI itself
                EXPECT_EQ(m.core.pc(), Machine::kRam + 4) << c.what;
                EXPECT_EQ(m.core.run(10), CoreStop::wait) << c.what; // still
                EXPECT_EQ(m.core.steps(), 1U) << c.what;
                m.set_lines(c.lines & 1, c.lines & 2);
            }
            const CoreStop stop = m.run(quantum, 10);
            EXPECT_EQ(stop, c.waits ? CoreStop::wait : CoreStop::budget) << c.what;
            EXPECT_EQ(m.core.traps(), c.traps ? 1U : 0U) << c.what;
            EXPECT_EQ(m.csr(kMepc), c.traps ? Machine::kRam + 4 : 0) << c.what;
            EXPECT_EQ(m.core.x(kA0), c.waits || c.traps ? 0U : 1U) << c.what;
        }
    }
}

TEST(Rv64Wfi, AnInterruptThatIsAlreadyDueIsTakenBeforeIt) {
    Machine m({kWfi});
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.core.write_csr(kMie, 0x800);
    m.core.write_csr(kMstatus, 8);
    m.core.set_external_interrupt(true);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    EXPECT_EQ(m.csr(kMepc), Machine::kRam);
}

TEST(Rv64Wfi, OnceAwakeTheCoreGoesOnWithoutTheLine) {
    Machine m({kWfi, kNop, kNop, jal(0, 0)});
    m.core.write_csr(kMie, 0x800);
    EXPECT_EQ(m.core.run(10), CoreStop::wait);
    m.core.set_external_interrupt(true);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    m.core.set_external_interrupt(false);
    EXPECT_FALSE(m.core.waits());
    EXPECT_EQ(m.core.run(10), CoreStop::budget);
    EXPECT_EQ(m.core.retired(), 12U);
}

TEST(Rv64Wfi, ALineThatFellAgainDoesNotWake) {
    Machine m({kWfi, kNop});
    m.core.write_csr(kMie, 0x800);
    EXPECT_EQ(m.core.run(10), CoreStop::wait);
    m.core.set_external_interrupt(true);
    m.core.set_external_interrupt(false);
    EXPECT_EQ(m.core.run(10), CoreStop::wait);
    EXPECT_NE(m.core.in_words().find("waits for an interrupt"), std::string::npos);
    m.core.reset();
    EXPECT_FALSE(m.core.waits());
    EXPECT_EQ(m.core.pc(), Machine::kRam);
    EXPECT_EQ(m.core.retired(), 0U);
}

TEST(Rv64Core, MisuseIsAModelError) {
    Machine m({ld(kA0, kA1, 0)});
    EXPECT_THROW(m.core.complete(0), ModelError);
    EXPECT_THROW(m.core.fail(), ModelError);
    EXPECT_EQ(m.core.run(1), CoreStop::bus);
    EXPECT_THROW(m.core.run(1), ModelError);
    EXPECT_THROW(m.core.step(), ModelError);
    EXPECT_THROW(m.core.set_pc(0), ModelError);
    EXPECT_THROW(m.core.ram_written(Machine::kRam + Machine::kRamBytes - 1, 2), ModelError);
    Rv64Core::Config config;
    config.ram = m.ram.data();
    config.ram_bytes = 4095;
    EXPECT_THROW(Rv64Core{config}, ModelError);
}

TEST(Rv64Core, CoresAreIndependent) {
    Machine a({addi(kA0, kZero, 1), sd(kA0, kA1, 0)}), b({addi(kA0, kZero, 2), ld(kA0, kA1, 0)});
    EXPECT_EQ(a.core.run(10), CoreStop::bus);
    EXPECT_EQ(b.core.run(10), CoreStop::bus);
    EXPECT_TRUE(a.core.access().write);
    EXPECT_FALSE(b.core.access().write);
    EXPECT_EQ(a.core.x(kA0), 1U);
    EXPECT_EQ(b.core.x(kA0), 2U);
}

} // namespace
} // namespace numavp
