/// Shared memory and the load-store unit, in closed forms.
#include <gtest/gtest.h>

#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

// --- shared memory

TEST(SharedMemory, AConflictOfDegreeKTakesTheUnitKCycles) {
    SystemConfig c = one_sm();
    c.socket.sm.shared_banks = 32;
    for (const int k : {1, 2, 8, 32}) {
        const auto access = [k](WarpCode& code) { code.push_back(shared_memory(4 * k)); };
        EXPECT_EQ(cycles_each(c, 1, access), k);
        EXPECT_EQ(cycles_each(c, 4, access), 4.0 * k) << "one unit for all schedulers";
        const auto dependent = [k](WarpCode& code) { code.push_back(shared_memory(4 * k, 1, 1)); };
        EXPECT_EQ(cycles_each(c, 1, dependent), k + static_cast<double>(c.socket.sm.shared_cycles));
    }
}

TEST(SharedMemory, WithoutBanksAnyAccessTakesItsLatencyAndNoUnit) {
    const SystemConfig c = one_sm();
    EXPECT_EQ(cycles_each(c, 4, [](WarpCode& code) { code.push_back(shared_memory(128)); }), 1.0);
    EXPECT_EQ(cycles_each(c, 1, [](WarpCode& code) { code.push_back(shared_memory(128, 1, 1)); }),
              c.socket.sm.shared_cycles);
}

TEST(SharedMemory, TranslatingUnitsHaveBanksToo) {
    SystemConfig c = one_sm();
    c.socket.sm.shared_banks = 32;
    c.socket.sm.l1.lines_per_cycle = 4;
    c.translation.mode = TranslationMode::full;
    EXPECT_EQ(cycles_each(c, 1, [](WarpCode& code) { code.push_back(shared_memory(128)); }), 32.0);
}

// --- the load-store unit

TEST(LoadStoreUnit, EndsAsManyInstructionsACycleAsItIsSet) {
    for (const TranslationMode mode : {TranslationMode::off, TranslationMode::ideal}) {
        SCOPED_TRACE(kTranslationModes.name(mode));
        SystemConfig c = one_sm();
        c.translation.mode = mode;
        c.socket.sm.l1.lines_per_cycle = 4;
        const auto hit = [](WarpCode& code) { code.push_back(load(kHandBase)); };
        EXPECT_EQ(cycles_each(c, 4, hit), 1.0);
        c.socket.sm.l1.instructions_per_cycle = 2;
        EXPECT_EQ(cycles_each(c, 4, hit), 2.0);
        c.socket.sm.l1.instructions_per_cycle = 1;
        EXPECT_EQ(cycles_each(c, 4, hit), 4.0);
    }
}

TEST(LoadStoreUnit, LoadsPastTheL1DoNotTakeItsTime) {
    SystemConfig c = one_sm();
    const auto chase = [](WarpCode& code) { code.push_back(load_past_l1(kHandBase, 1, 1)); };
    c.socket.sm.l1.miss_cycles = 30;
    const double through = cycles_each(c, 1, chase);
    c.socket.sm.l1.bypass_cycles = 3;
    EXPECT_EQ(through - cycles_each(c, 1, chase), 27.0);
}

TEST(LoadStoreUnit, LanesOfAnAtomicThatHitOneWordAreSerialised) {
    SystemConfig c = one_sm();
    const auto transactions = [&](std::uint32_t mask, std::int32_t stride) {
        return stat(run_block(c, 1,
                              [=](std::uint64_t, unsigned) {
                                  Inst inst = memory_inst(Op::reduce, kHandBase);
                                  inst.stride = stride;
                                  inst.mask = mask;
                                  return WarpCode{inst};
                              }),
                    "socket0.l2.atomics");
    };
    EXPECT_EQ(transactions(0xff, 0), 1U);
    EXPECT_EQ(transactions(0xffffffff, 4), 1U);
    c.socket.sm.l1.serial_atomics = true;
    EXPECT_EQ(transactions(0xff, 0), 8U);
    EXPECT_EQ(transactions(0xffffffff, 0), 32U);
    EXPECT_EQ(transactions(0xffffffff, 4), 4U);
}

} // namespace
} // namespace numavp::test
