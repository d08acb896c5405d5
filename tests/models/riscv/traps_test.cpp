/// Traps, control and status registers, accesses to devices, misaligned accesses, code that changes.
#include <string>

#include <gtest/gtest.h>

#include "tests/models/riscv/machine.h"

namespace numavp {
namespace {

using namespace rv;

/// What a trap left behind, in the order of the checks below.
struct Trap {
    std::uint64_t cause, epc, value;
    bool operator==(const Trap& o) const { return cause == o.cause && epc == o.epc && value == o.value; }
};
void PrintTo(const Trap& t, std::ostream* out) {
    *out << std::hex << "cause " << t.cause << " epc " << t.epc << " value " << t.value;
}
Trap trap_of(const Machine& m) { return {m.csr(kMcause), m.csr(kMepc), m.csr(kMtval)}; }

/// Runs one instruction that must trap, at the start of RAM.
Trap trap_by(Machine& m) {
    m.core.write_csr(kMtvec, Machine::kHandler | 1); // vectored: exceptions go to the base
    CoreStop stop = m.core.run(1);
    if (stop == CoreStop::bus) {
        m.answer();
        stop = CoreStop::budget;
    }
    EXPECT_EQ(stop, CoreStop::budget);
    EXPECT_EQ(m.core.pc(), Machine::kHandler);
    EXPECT_EQ(m.core.retired(), 0U);
    EXPECT_EQ(m.core.traps(), 1U);
    return trap_of(m);
}

TEST(Rv64Traps, HaveCauseAddressAndValue) {
    constexpr std::uint64_t kPc = Machine::kRam, kNothing = Machine::kNothing,
                            kLast = Machine::kRam + Machine::kRamBytes;
    struct Row {
        const char* what;
        Word instruction;
        std::uint64_t a1; ///< an address
        Trap expected;
    };
    const Row rows[] = {
        {"ecall", kEcall, 0, {kMachineCall, kPc, 0}},
        {"ebreak", kEbreak, 0, {kBreakpoint, kPc, kPc}},
        {"c.ebreak", 0x9002, 0, {kBreakpoint, kPc, kPc}},
        {"sret: no supervisor mode", 0x10200073, 0, {kIllegalInstruction, kPc, 0x10200073}},
        {"no such CSR: satp", csrr(kA0, 0x180), 0, {kIllegalInstruction, kPc, csrr(kA0, 0x180)}},
        {"no such CSR: medeleg", csrr(kA0, 0x302), 0, {kIllegalInstruction, kPc, csrr(kA0, 0x302)}},
        {"no such CSR: pmpcfg0", csrr(kA0, 0x3a0), 0, {kIllegalInstruction, kPc, csrr(kA0, 0x3a0)}},
        {"read-only CSR", csrw(kMhartid, kA1), 0, {kIllegalInstruction, kPc, csrw(kMhartid, kA1)}},
        {"read-only CSR, set bits", csr(2, 0, kCycle, kA1), 0, {kIllegalInstruction, kPc, csr(2, 0, kCycle, kA1)}},
        {"time is read-only", csrw(kTime, 0), 0, {kIllegalInstruction, kPc, csrw(kTime, 0)}},
        {"load of a device, bus error", ld(kA0, kA1, 8), kNothing, {kLoadFault, kPc, kNothing + 8}},
        {"store to a device, bus error", sw(kA0, kA1, 4), kNothing, {kStoreFault, kPc, kNothing + 4}},
        {"load of a device, misaligned", lw(kA0, kA1, 2), kNothing, {kLoadMisaligned, kPc, kNothing + 2}},
        {"store to a device, misaligned", sd(kA0, kA1, 4), kNothing, {kStoreMisaligned, kPc, kNothing + 4}},
        {"load over the end of RAM", ld(kA0, kA1, -4), kLast, {kLoadMisaligned, kPc, kLast - 4}},
        {"store over the start of RAM", sd(kA0, kA1, -1), kPc, {kStoreMisaligned, kPc, kPc - 1}},
        {"load over address 0", ld(kA0, kA1, -1), 0, {kLoadMisaligned, kPc, ~std::uint64_t{0}}},
        {"LR misaligned", lr(3, kA0, kA1), Machine::kData + 4, {kLoadMisaligned, kPc, Machine::kData + 4}},
        {"SC misaligned", sc(2, kA0, kA0, kA1), Machine::kData + 2, {kStoreMisaligned, kPc, Machine::kData + 2}},
        {"AMO misaligned",
         atomic(kAmoAdd, 3, kA0, kA1, kA0),
         Machine::kData + 1,
         {kStoreMisaligned, kPc, Machine::kData + 1}},
        {"LR of a device", lr(3, kA0, kA1), Machine::kValue, {kLoadFault, kPc, Machine::kValue}},
        {"SC to a device", sc(3, kA0, kA0, kA1), Machine::kValue, {kStoreFault, kPc, Machine::kValue}},
        {"AMO to a device", atomic(kAmoSwap, 2, kA0, kA1, kA0), Machine::kValue, {kStoreFault, kPc, Machine::kValue}},
    };
    for (const Row& row : rows) {
        Machine m({row.instruction});
        m.core.set_x(kA0, 99);
        m.core.set_x(kA1, row.a1);
        EXPECT_EQ(trap_by(m), row.expected) << row.what;
        EXPECT_EQ(m.core.x(kA0), 99U) << row.what; // precise: no register has changed
    }
}

TEST(Rv64Traps, AFetchOutsideRamFaultsAtItsTarget) {
    for (const std::uint64_t target : {std::uint64_t{0}, Machine::kValue, Machine::kRam + Machine::kRamBytes}) {
        Machine m({jalr(kRa, kA1, 0)});
        m.core.write_csr(kMtvec, Machine::kHandler);
        m.core.set_x(kA1, target);
        EXPECT_EQ(m.core.run(2), CoreStop::budget);
        EXPECT_EQ(trap_of(m), (Trap{kFetchFault, target, target}));
        EXPECT_EQ(m.core.retired(), 1U);
        EXPECT_EQ(m.core.x(kRa), Machine::kRam + 4);
    }
}

TEST(Rv64Traps, AnInstructionHalfOutsideRamFaultsAtItsSecondHalf) {
    Machine m;
    const std::uint64_t last = Machine::kRam + Machine::kRamBytes - 2;
    const Word half = kNop & 0xffff;
    std::memcpy(&m.ram[last - Machine::kRam], &half, 2);
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.core.set_pc(last);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    EXPECT_EQ(trap_of(m), (Trap{kFetchFault, last, last + 2}));
    // A short one in the same place runs, and the next fetch is outside.
    Machine short_one;
    short_one.put(last, {c_nop()});
    short_one.core.set_pc(last);
    short_one.core.write_csr(kMtvec, Machine::kHandler);
    EXPECT_EQ(short_one.core.run(2), CoreStop::budget);
    EXPECT_EQ(trap_of(short_one), (Trap{kFetchFault, last + 2, last + 2}));
}

TEST(Rv64Traps, ATrapInATrapHandlerUsesUpBudget) {
    Machine m({kEcall}); // mtvec is 0, where there is no RAM
    EXPECT_EQ(m.core.run(1000), CoreStop::budget);
    EXPECT_EQ(m.core.traps(), 1000U);
    EXPECT_EQ(m.core.traps_in_a_row(), 1000U);
    EXPECT_EQ(m.core.retired(), 0U);
    EXPECT_EQ(trap_of(m), (Trap{kFetchFault, 0, 0}));
    EXPECT_NE(m.core.in_words().find("1000 of them in a row"), std::string::npos) << m.core.in_words();
}

TEST(Rv64Traps, StackAndReturn) {
    // The handler makes a call of its own, saves what this overwrites, and returns behind both.
    Machine m({csrw(kMtvec, kS0), csr(6, 0, kMstatus, 8), kEcall, addi(kA0, kA0, 1), sd(kA0, kS1, 0)});
    m.put(Machine::kHandler, {csrr(kT0, kMcause), addi(kA1, kA1, 1),             // 0, 4
                              addi(kT1, kZero, 2), beq(kA1, kT1, 36),            // 8, 12: the second time to 48
                              csrr(kT2, kMepc), csrr(kA2, kMstatus), kEcall,     // 16, 20, 24: nested
                              csrr(kA3, kMstatus), addi(kT2, kT2, 4),            // 28, 32
                              csrw(kMepc, kT2), csr(6, 0, kMstatus, 0), kMret}); // 36, 40, 44
    m.put(Machine::kHandler + 48, {csrr(kA4, kMepc), csrr(kA5, kMstatus), addi(kA4, kA4, 4), csrw(kMepc, kA4), kMret});
    m.core.set_x(kS0, Machine::kHandler);
    m.core.set_x(kS1, Machine::kEnd);
    EXPECT_EQ(m.run(), CoreStop::bus);
    EXPECT_EQ(m.core.x(kA0), 1U);
    EXPECT_EQ(m.core.x(kA1), 2U);
    EXPECT_EQ(m.core.traps(), 2U);
    EXPECT_EQ(m.core.x(kA2), 0x1880U); // first: MPP machine, MPIE as MIE was, MIE off
    EXPECT_EQ(m.core.x(kA5), 0x1800U); // nested: MIE was off
    EXPECT_EQ(m.core.x(kA3), 0x1880U); // after the inner MRET: MPIE set, MIE off again
    EXPECT_EQ(m.core.x(kA4), Machine::kHandler + 28);
    EXPECT_EQ(m.csr(kMstatus), 0x1888U); // after the outer: both on
}

TEST(Rv64Csr, EachHasItsBits) {
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    struct Row {
        unsigned number;
        std::uint64_t reset, after_ones, after_zeros;
    };
    constexpr Row kRows[] = {
        {kMstatus, 0x1800, 0x1888, 0x1800},
        {kMisa, 0x8000000000001105, 0x8000000000001105, 0x8000000000001105},
        {kMie, 0, 0x880, 0},
        {kMip, 0, 0, 0},
        {kMtvec, 0, kAll - 2, 0},
        {kMscratch, 0, kAll, 0},
        {kMepc, 0, kAll - 1, 0},
        {kMcause, 0, kAll, 0},
        {kMtval, 0, kAll, 0},
        {kMcountinhibit, 0, 0, 0},
        {0x323, 0, 0, 0}, // mhpmevent3
        {0x33f, 0, 0, 0},
        {0xb03, 0, 0, 0}, // mhpmcounter3
        {0xb1f, 0, 0, 0},
    };
    for (const Row& row : kRows) {
        Machine m(
            {csrr(kA0, row.number), csrw(row.number, kA5), csr(1, kA1, row.number, kZero), csrr(kA2, row.number)});
        m.core.set_x(kA5, kAll);
        EXPECT_EQ(m.core.run(4), CoreStop::budget);
        EXPECT_EQ(m.core.traps(), 0U) << std::hex << row.number;
        EXPECT_EQ(m.core.x(kA0), row.reset) << std::hex << row.number;
        EXPECT_EQ(m.core.x(kA1), row.after_ones) << std::hex << row.number;
        EXPECT_EQ(m.core.x(kA2), row.after_zeros) << std::hex << row.number;
    }
    Machine m(
        {csrr(kA0, kMhartid), csrr(kA1, kMvendorid), csrr(kA2, kMarchid), csrr(kA3, kMimpid), csrr(kA4, kMconfigptr)});
    EXPECT_EQ(m.core.run(5), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 3U);
    EXPECT_EQ(m.core.x(kA1) | m.core.x(kA2) | m.core.x(kA3) | m.core.x(kA4), 0U);
    EXPECT_EQ(m.core.traps(), 0U);
}

TEST(Rv64Csr, WritesSetsAndClears) {
    Machine m({csr(1, kA1, kMscratch, kA0),   // CSRRW
               csr(2, kA2, kMscratch, kA5),   // CSRRS
               csr(3, kA3, kMscratch, kA0),   // CSRRC
               csr(5, kA4, kMscratch, 21),    // CSRRWI
               csr(6, kT0, kMscratch, 10),    // CSRRSI
               csr(7, kT1, kMscratch, 16),    // CSRRCI
               csr(1, kA0, kMscratch, kA0)}); // source and target are one register
    m.core.set_x(kA0, 0xf0f0);
    m.core.set_x(kA5, 0x0ff0);
    EXPECT_EQ(m.core.run(7), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA1), 0U);
    EXPECT_EQ(m.core.x(kA2), 0xf0f0U);
    EXPECT_EQ(m.core.x(kA3), 0xfff0U);
    EXPECT_EQ(m.core.x(kA4), 0x0f00U);
    EXPECT_EQ(m.core.x(kT0), 21U);
    EXPECT_EQ(m.core.x(kT1), 31U);
    EXPECT_EQ(m.core.x(kA0), 15U);
    EXPECT_EQ(m.csr(kMscratch), 0xf0f0U);
}

TEST(Rv64Csr, CountersCountStepsAndCanBeSet) {
    Machine m({kNop, csrr(kA0, kMinstret), csrr(kA1, kCycle), kEcall});
    m.put(Machine::kHandler, {csrr(kA2, kInstret), csrr(kA3, kMcycle), csrw(kMinstret, kS0), csrr(kA4, kMinstret),
                              csrw(kMcycle, kS0), kNop, csrr(kA5, kMcycle)});
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.core.set_x(kS0, 1000);
    EXPECT_EQ(m.core.run(11), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 1U);
    EXPECT_EQ(m.core.x(kA1), 2U);
    EXPECT_EQ(m.core.x(kA2), 3U);    // ECALL has not retired
    EXPECT_EQ(m.core.x(kA3), 5U);    // but its trap took a step
    EXPECT_EQ(m.core.x(kA4), 1000U); // the write itself does not count
    EXPECT_EQ(m.core.x(kA5), 1001U);
    EXPECT_EQ(m.core.retired(), 10U); // for the platform it does
}

TEST(Rv64Csr, TimeIsThePlatforms) {
    Machine m({csrr(kA0, kTime), kNop});
    EXPECT_EQ(m.core.run(10), CoreStop::bus);
    EXPECT_EQ(m.core.access().what, BusAccess::What::time);
    EXPECT_NE(m.core.in_words().find(", reads time"), std::string::npos) << m.core.in_words();
    EXPECT_EQ(m.core.retired(), 0U);
    m.core.complete(12345);
    EXPECT_EQ(m.core.x(kA0), 12345U);
    EXPECT_EQ(m.core.retired(), 1U);
    Machine none({csrr(kA0, kTime)});
    none.core.write_csr(kMtvec, Machine::kHandler);
    EXPECT_EQ(none.core.run(10), CoreStop::bus);
    none.core.fail();
    EXPECT_EQ(trap_of(none), (Trap{kIllegalInstruction, Machine::kRam, csrr(kA0, kTime)}));
}

TEST(Rv64Devices, EachWidthIsOneAccessOfItsOwn) {
    Machine m({load(0, kA0, kS0, 7), load(4, kA1, kS0, 7), load(1, kA2, kS0, 6), load(5, kA3, kS0, 6),
               load(2, kA4, kS0, 4), load(6, kA5, kS0, 4), load(3, kT0, kS0, 0), store(0, kS1, kS0, 3),
               store(1, kS1, kS0, 2), store(2, kS1, kS0, 4), store(3, kS1, kS0, 0)});
    m.core.set_x(kS0, Machine::kValue);
    m.core.set_x(kS1, 0xfedcba9876543210);
    EXPECT_EQ(m.run(1000, 11), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 0xffffffffffffff88);
    EXPECT_EQ(m.core.x(kA1), 0x88U);
    EXPECT_EQ(m.core.x(kA2), 0xffffffffffff8877);
    EXPECT_EQ(m.core.x(kA3), 0x8877U);
    EXPECT_EQ(m.core.x(kA4), 0xffffffff88776655);
    EXPECT_EQ(m.core.x(kA5), 0x88776655U);
    EXPECT_EQ(m.core.x(kT0), Machine::kLoaded);
    ASSERT_EQ(m.log.size(), 11U);
    constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 4, 8, 1, 2, 4, 8};
    constexpr std::uint64_t kStored[] = {0x10, 0x3210, 0x76543210, 0xfedcba9876543210};
    for (unsigned i = 0; i < 11; ++i) {
        EXPECT_EQ(m.log[i].bytes, kBytes[i]);
        EXPECT_EQ(m.log[i].write, i >= 7);
        EXPECT_EQ(m.log[i].value, i >= 7 ? kStored[i - 7] : 0);
    }
}

TEST(Rv64Devices, AnAccessIsSeenBeforeItHappens) {
    Machine m({addi(kA0, kZero, 5), ld(kA0, kS0, 0), kNop});
    m.core.set_x(kS0, Machine::kValue);
    EXPECT_EQ(m.core.run(100), CoreStop::bus);
    EXPECT_EQ(m.core.pc(), Machine::kRam + 4);
    EXPECT_EQ(m.core.retired(), 1U);
    EXPECT_EQ(m.core.x(kA0), 5U);
    EXPECT_TRUE(m.core.access_pending());
    m.core.set_external_interrupt(true); // while it is under way: taken behind it
    m.core.write_csr(kMie, 0x800);
    m.core.write_csr(kMstatus, 8);
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.core.complete(7);
    EXPECT_EQ(m.core.retired(), 2U);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 7U);
    EXPECT_EQ(trap_of(m), (Trap{kExternalInterrupt, Machine::kRam + 8, 0}));
}

TEST(Rv64Memory, MisalignedAccessesToRamWork) {
    for (unsigned by = 0; by < 8; ++by) {
        Machine m({sd(kA0, kS0, 0), ld(kA1, kS0, 0), lw(kA2, kS0, 1), load(1, kA3, kS0, 3)});
        m.core.set_x(kS0, Machine::kData + by);
        m.core.set_x(kA0, 0x8877665544332211);
        EXPECT_EQ(m.core.run(4), CoreStop::budget);
        EXPECT_EQ(m.core.x(kA1), 0x8877665544332211);
        EXPECT_EQ(m.core.x(kA2), 0x55443322U);
        EXPECT_EQ(m.core.x(kA3), 0x5544U);
        EXPECT_EQ(m.core.traps(), 0U);
    }
    Machine m({sd(kA0, kS0, -8), load(4, kA1, kS0, -1)}); // the last bytes of RAM
    m.core.set_x(kS0, Machine::kRam + Machine::kRamBytes);
    m.core.set_x(kA0, 0x8877665544332211);
    EXPECT_EQ(m.core.run(2), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA1), 0x88U);
}

TEST(Rv64Code, ChangesAreSeenAfterFenceI) {
    // A loop writes over its own first instruction.
    Machine m({addi(kA0, kA0, 1), sw(kA1, kS0, 0), kFenceI, jal(0, -12)});
    m.core.set_x(kS0, Machine::kRam);
    m.core.set_x(kA1, addi(kA0, kA0, 100));
    EXPECT_EQ(m.core.run(4), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 1U);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 101U);
}

TEST(Rv64Code, ChangesByOthersAreSeenWhenTold) {
    for (const int how : {0, 1, 2}) {
        Machine m({addi(kA0, kA0, 1), jal(0, -4)});
        EXPECT_EQ(m.core.run(4), CoreStop::budget);
        m.put(Machine::kRam, {addi(kA0, kA0, 100)});
        if (how == 1) m.core.ram_written(Machine::kRam, 4);
        if (how == 2) m.core.flush_code();
        EXPECT_EQ(m.core.run(2), CoreStop::budget);
        EXPECT_EQ(m.core.x(kA0), how == 0 ? 3U : 102U);
    }
    // An instruction over the border of two pages, of whose second half alone someone writes.
    Machine m;
    const std::uint64_t border = Machine::kRam + 0x1000;
    m.put(border - 2, {addi(kA0, kA0, 1), jal(0, -4)});
    m.core.set_pc(border - 2);
    EXPECT_EQ(m.core.run(2), CoreStop::budget);
    m.put(border - 2, {addi(kA0, kA0, 100)});
    m.core.ram_written(border, 2);
    EXPECT_EQ(m.core.run(1), CoreStop::budget);
    EXPECT_EQ(m.core.x(kA0), 101U);
}

TEST(Rv64Code, JumpsAndBranchesReachOtherPages) {
    for (const std::int64_t distance : {4094, -4094, 4090, 8, -8}) {
        for (const Word funct3 : {0U, 1U, 4U, 5U, 6U, 7U}) {
            const bool taken = funct3 == 0 || funct3 == 5 || funct3 == 7; // of equal operands
            Machine m;
            const std::uint64_t at = Machine::kRam + 0x1ffe; // over the border of two pages
            m.put(at, {branch(funct3, kZero, kZero, distance)});
            m.core.set_pc(at);
            EXPECT_EQ(m.core.run(1), CoreStop::budget);
            EXPECT_EQ(m.core.pc(), taken ? at + static_cast<std::uint64_t>(distance) : at + 4);
        }
        Machine m;
        m.put(Machine::kData, {jal(kRa, 2 * distance)});
        m.core.set_pc(Machine::kData);
        EXPECT_EQ(m.core.run(1), CoreStop::budget);
        EXPECT_EQ(m.core.pc(), Machine::kData + 2 * static_cast<std::uint64_t>(distance));
        EXPECT_EQ(m.core.x(kRa), Machine::kData + 4);
    }
}

} // namespace
} // namespace numavp
