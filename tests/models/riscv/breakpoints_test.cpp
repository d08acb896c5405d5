/// Breakpoints, watchpoints and single steps.
#include <gtest/gtest.h>

#include "tests/models/riscv/machine.h"

namespace numavp {
namespace {

using namespace rv;

TEST(Breakpoints, StopBeforeTheirInstructionEachTime) {
    for (const std::uint64_t quantum : {1U, 2U, 3U, 100U}) {
        Machine m({addi(kA0, kA0, 1), addi(kA1, kA1, 1), jal(0, -8)});
        m.core.breakpoints().add(Machine::kRam + 4);
        m.core.breakpoints().add(Machine::kRam + 4);
        for (unsigned i = 1; i < 4; ++i) {
            EXPECT_EQ(m.run(quantum), CoreStop::breakpoint);
            EXPECT_EQ(m.core.pc(), Machine::kRam + 4);
            EXPECT_EQ(m.core.x(kA0), i);
            EXPECT_EQ(m.core.x(kA1), i - 1);
        }
        EXPECT_TRUE(m.core.breakpoints().remove(Machine::kRam + 4));
        EXPECT_FALSE(m.core.breakpoints().remove(Machine::kRam + 4));
        EXPECT_EQ(m.run(quantum, 30), CoreStop::budget);
        EXPECT_EQ(m.core.steps(), 7U + 30);
        // Set where the core stands, it stops at once.
        m.core.breakpoints().add(m.core.pc());
        EXPECT_EQ(m.core.run(1), CoreStop::breakpoint);
    }
}

TEST(Breakpoints, OnAnInstructionThatJumpsToItself) {
    Machine m({jal(0, 0)});
    m.core.breakpoints().add(Machine::kRam);
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(m.core.run(10), CoreStop::breakpoint);
        EXPECT_EQ(m.core.retired(), i);
    }
    EXPECT_EQ(m.core.step(), CoreStop::stepped); // whatever breakpoint is here
    EXPECT_EQ(m.core.run(10), CoreStop::breakpoint);
}

TEST(Breakpoints, InterruptsComeFirst) {
    Machine m({kNop, kNop});
    m.put(Machine::kHandler, {csrw(kMie, kZero), kMret});
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.core.write_csr(kMie, 0x800);
    m.core.write_csr(kMstatus, 8);
    m.core.set_external_interrupt(true);
    m.core.breakpoints().add(Machine::kRam);
    m.core.breakpoints().add(Machine::kHandler);
    EXPECT_EQ(m.core.run(10), CoreStop::breakpoint);
    EXPECT_EQ(m.core.pc(), Machine::kHandler);
    EXPECT_EQ(m.core.run(10), CoreStop::breakpoint);
    EXPECT_EQ(m.core.pc(), Machine::kRam);
}

TEST(Watchpoints, StopBehindTheAccess) {
    struct Row {
        const char* what;
        Word instruction;
        Watchpoint watch;
        bool hits;
    };
    constexpr std::uint64_t d = Machine::kData;
    const Row rows[] = {
        {"store, write", sd(kA0, kS0, 0), {d, 8, WatchKind::write}, true},
        {"store, read", sd(kA0, kS0, 0), {d, 8, WatchKind::read}, false},
        {"store, access", sd(kA0, kS0, 0), {d, 8, WatchKind::access}, true},
        {"load, read", ld(kA0, kS0, 0), {d, 8, WatchKind::read}, true},
        {"load, write", ld(kA0, kS0, 0), {d, 8, WatchKind::write}, false},
        {"its last byte", sd(kA0, kS0, 0), {d + 7, 1, WatchKind::write}, true},
        {"behind it", sd(kA0, kS0, 0), {d + 8, 8, WatchKind::write}, false},
        {"before it", sd(kA0, kS0, 8), {d, 8, WatchKind::write}, false},
        {"a byte of what is watched", store(0, kA0, kS0, 5), {d, 8, WatchKind::write}, true},
        {"short form", 0xe008, {d, 8, WatchKind::write}, true}, // C.SD a0, 0(s0)
        {"AMO, read", atomic(kAmoAdd, 3, kA0, kS0, kA0), {d, 8, WatchKind::read}, true},
        {"AMO, write", atomic(kAmoAdd, 3, kA0, kS0, kA0), {d, 8, WatchKind::write}, true},
        {"LR, write", lr(3, kA0, kS0), {d, 8, WatchKind::write}, false},
        {"no access", addi(kS0, kS0, 0), {d, 8, WatchKind::access}, false},
    };
    for (const Row& row : rows) {
        Machine m({kNop, row.instruction, kNop, jal(0, 0)});
        m.core.set_x(kS0, d);
        m.core.breakpoints().add(row.watch);
        EXPECT_EQ(m.run(100, 10), row.hits ? CoreStop::watchpoint : CoreStop::budget) << row.what;
        EXPECT_EQ(m.core.retired(), row.hits ? 2U : 10U) << row.what;
        if (!row.hits) continue;
        EXPECT_TRUE(m.core.watch_hit().watch == row.watch) << row.what;
        EXPECT_EQ(m.run(100, 10), CoreStop::budget) << row.what;
        EXPECT_TRUE(m.core.breakpoints().remove(row.watch));
        EXPECT_TRUE(m.core.breakpoints().empty());
    }
}

TEST(Watchpoints, OnADeviceHitWhenTheAccessIsComplete) {
    Machine m({ld(kA0, kS0, 0), kNop, ld(kA0, kS1, 0)});
    m.core.set_x(kS0, Machine::kValue);
    m.core.set_x(kS1, Machine::kNothing);
    m.core.breakpoints().add(Watchpoint{Machine::kValue, 8, WatchKind::read});
    m.core.breakpoints().add(Watchpoint{Machine::kNothing, 8, WatchKind::read});
    m.put(Machine::kHandler, {jal(0, 0)});
    m.core.write_csr(kMtvec, Machine::kHandler);
    EXPECT_EQ(m.core.run(1), CoreStop::bus);
    m.core.complete(9);
    EXPECT_EQ(m.core.run(0), CoreStop::watchpoint);
    EXPECT_EQ(m.core.x(kA0), 9U);
    EXPECT_EQ(m.core.watch_hit().address, Machine::kValue);
    EXPECT_EQ(m.core.watch_hit().bytes, 8U);
    EXPECT_TRUE(m.core.watch_hit().read);
    EXPECT_EQ(m.run(100, 10), CoreStop::budget); // the second fails: nothing was accessed
    EXPECT_EQ(m.core.traps(), 1U);
}

TEST(Watchpoints, TakenAwayWhileAnAccessIsUnderWay) {
    const Watchpoint watch{Machine::kValue, 8, WatchKind::read};
    for (const bool fails : {false, true}) {
        Machine m({ld(kA0, kS0, 0), kNop});
        m.put(Machine::kHandler, {ld(kA0, kS0, 0)});
        m.core.write_csr(kMtvec, Machine::kHandler);
        m.core.set_x(kS0, Machine::kValue);
        m.core.breakpoints().add(watch);
        EXPECT_EQ(m.core.run(10), CoreStop::bus);
        if (fails)
            m.core.fail();
        else
            m.core.complete(0);
        EXPECT_TRUE(m.core.breakpoints().remove(watch));
        // What was hit is still reported, once; what failed is not, nor is the next access.
        EXPECT_EQ(m.core.run(1), fails ? CoreStop::bus : CoreStop::watchpoint);
        if (fails) m.core.complete(0);
        EXPECT_EQ(m.core.run(1), CoreStop::budget);
    }
}

TEST(Watchpoints, AnAccessThatTrapsIsNone) {
    Machine m({sd(kA0, kS0, 4)}); // misaligned, to a device
    m.core.set_x(kS0, Machine::kValue);
    m.core.breakpoints().add(Watchpoint{Machine::kValue, 16, WatchKind::write});
    m.put(Machine::kHandler, {jal(0, 0)});
    m.core.write_csr(kMtvec, Machine::kHandler);
    EXPECT_EQ(m.core.run(10), CoreStop::budget);
    EXPECT_EQ(m.core.traps(), 1U);
}

TEST(Step, TakesOneInstructionOrTrap) {
    Machine m({c_nop(), ld(kA0, kS0, 0), kEcall});
    m.core.write_csr(kMtvec, Machine::kHandler);
    m.put(Machine::kHandler, {kWfi, kNop});
    m.core.set_x(kS0, Machine::kValue);
    EXPECT_EQ(m.core.step(), CoreStop::stepped);
    EXPECT_EQ(m.core.pc(), Machine::kRam + 2);
    EXPECT_EQ(m.core.step(), CoreStop::bus);
    m.core.complete(3);
    EXPECT_EQ(m.core.pc(), Machine::kRam + 6);
    EXPECT_EQ(m.core.step(), CoreStop::stepped);
    EXPECT_EQ(m.core.pc(), Machine::kHandler);
    EXPECT_EQ(m.core.step(), CoreStop::wait);
    EXPECT_EQ(m.core.pc(), Machine::kHandler + 4);
    EXPECT_EQ(m.core.step(), CoreStop::wait);
    EXPECT_EQ(m.core.steps(), 4U);
    m.core.breakpoints().add(Watchpoint{Machine::kData, 8, WatchKind::write});
    m.put(Machine::kHandler + 8, {sd(kA0, kS1, 0)});
    m.core.set_x(kS1, Machine::kData);
    m.core.set_pc(Machine::kHandler + 8); // elsewhere it does not wait
    EXPECT_EQ(m.core.step(), CoreStop::watchpoint);
    EXPECT_EQ(m.peek(Machine::kData), 3U);
}

TEST(State, IsReadAndWrittenByDebuggers) {
    Machine m;
    std::uint64_t value = 0;
    m.core.set_x(0, 5);
    EXPECT_EQ(m.core.x(0), 0U);
    EXPECT_TRUE(m.core.write_csr(kMscratch, 5));
    EXPECT_TRUE(m.core.read_csr(kMscratch, value));
    EXPECT_EQ(value, 5U);
    EXPECT_FALSE(m.core.write_csr(kMhartid, 5));
    EXPECT_FALSE(m.core.write_csr(kCycle, 5));
    EXPECT_FALSE(m.core.read_csr(kTime, value)); // the platform's
    EXPECT_FALSE(m.core.read_csr(0x180, value)); // satp
    EXPECT_TRUE(m.core.write_csr(kMinstret, 50));
    EXPECT_TRUE(m.core.read_csr(kInstret, value));
    EXPECT_EQ(value, 50U);
    m.core.set_pc(Machine::kData + 1);
    EXPECT_EQ(m.core.pc(), Machine::kData);
}

} // namespace
} // namespace numavp
