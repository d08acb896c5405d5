/// Execution units and the choice among ready warps, in closed forms.
#include <string>

#include <gtest/gtest.h>

#include "tests/validation/one_sm.h"

namespace numavp::test {
namespace {

SystemConfig with_units(Architecture architecture) {
    SystemConfig c = one_sm();
    c.socket.sm.units = architecture;
    return c;
}
void dependent_ffma(WarpCode& code) { code.push_back(arithmetic(ExecutionUnit::single_precision, 1, 1)); }

TEST(ExecutionUnits, DependentArithmeticTakesTheLatency) {
    SystemConfig c = with_units(Architecture::accel_sim_volta);
    EXPECT_EQ(cycles_each(c, 1, dependent_ffma), 2.0);
    c.socket.sm.dependent_cycles = 5;
    EXPECT_EQ(cycles_each(c, 1, dependent_ffma), 2.0 + 5);
    EXPECT_EQ(cycles_each(c, 4, dependent_ffma), 2.0 + 5) << "a warp a scheduler: nobody waits for a unit";
    EXPECT_EQ(cycles_each(c, 1, [](WarpCode& code) { code.push_back(arithmetic(ExecutionUnit::special, 1, 1)); }),
              20.0 + 5);
    c.socket.sm.units = Architecture::accel_sim_ampere;
    EXPECT_EQ(cycles_each(c, 1, dependent_ffma), 4.0 + 5);
}

TEST(ExecutionUnits, WithoutThemADependentInstructionWaitsForTheLatencyAndTheSetting) {
    SystemConfig c = one_sm();
    EXPECT_EQ(cycles_each(c, 1, dependent_ffma), c.socket.sm.compute_cycles);
    c.socket.sm.dependent_cycles = 3;
    EXPECT_EQ(cycles_each(c, 1, dependent_ffma), c.socket.sm.compute_cycles + 3.0);
}

struct Interval {
    Architecture architecture;
    ExecutionUnit unit;
    double cycles; ///< of a warp instruction on the unit of a scheduler of four
};

class InitiationIntervals : public ::testing::TestWithParam<Interval> {};

TEST_P(InitiationIntervals, BoundIndependentArithmetic) {
    const SystemConfig c = with_units(GetParam().architecture);
    const auto one = [](WarpCode& code) { code.push_back(arithmetic(GetParam().unit)); };
    EXPECT_EQ(cycles_each(c, 1, one), GetParam().cycles);
    EXPECT_EQ(cycles_each(c, 4, one), GetParam().cycles) << "a unit a scheduler";
    EXPECT_EQ(cycles_each(c, 8, one), 2 * GetParam().cycles) << "two warps in turn";
}
using A = Architecture;
using U = ExecutionUnit;
INSTANTIATE_TEST_SUITE_P(
    All, InitiationIntervals,
    ::testing::Values(Interval{A::none, U::special, 1}, Interval{A::accel_sim_volta, U::single_precision, 2},
                      Interval{A::accel_sim_volta, U::integer, 2}, Interval{A::accel_sim_volta, U::half_precision, 1},
                      Interval{A::accel_sim_volta, U::double_precision, 4}, Interval{A::accel_sim_volta, U::special, 8},
                      Interval{A::accel_sim_ampere, U::tensor, 32}, Interval{A::volta, U::half_precision, 2},
                      Interval{A::volta, U::convert, 8}, Interval{A::pascal, U::integer, 2},
                      Interval{A::ampere, U::half_precision, 1}, Interval{A::ampere, U::other, 4},
                      Interval{A::hopper, U::single_precision, 1}, Interval{A::hopper, U::double_precision, 2},
                      Interval{A::hopper, U::convert, 8}),
    [](const auto& test) {
        return std::string(kArchitectures.name(test.param.architecture)) + "_" +
               std::to_string(static_cast<unsigned>(test.param.unit));
    });

TEST(ExecutionUnits, DifferentUnitsWorkSideBySide) {
    const auto both = [](WarpCode& code) {
        code.push_back(arithmetic(ExecutionUnit::single_precision));
        code.push_back(arithmetic(ExecutionUnit::integer));
    };
    EXPECT_EQ(cycles_each(with_units(Architecture::volta), 1, both), 2.0);
    EXPECT_EQ(cycles_each(with_units(Architecture::pascal), 1, both), 4.0) << "one pipe for both";
}

TEST(ExecutionUnits, RepetitionsOfAPatternTakeAnIntervalEach) {
    const auto ten = [](WarpCode& code) {
        code.push_back(arithmetic(ExecutionUnit::single_precision));
        code.back().repeat = 10;
    };
    EXPECT_EQ(cycles_each(with_units(Architecture::volta), 1, ten), 20.0);
}

TEST(ExecutionUnits, AWarpEndsWhenItsExitHasLeftThePipeline) {
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    SystemConfig c = with_units(Architecture::accel_sim_volta);
    EXPECT_EQ(run_block(c, 1, nothing)["cycles"], 1U + 2) << "start, and the exit until the dispatcher sees it";
    c.socket.sm.dependent_cycles = 70; // beyond the ring of timers
    EXPECT_EQ(run_block(c, 1, nothing)["cycles"], 1U + 2 + 70);
    c = with_units(Architecture::volta); // has no latencies of its own: the default
    EXPECT_EQ(run_block(c, 1, nothing)["cycles"], 1U + c.socket.sm.compute_cycles);
}

// --- which warp

/// Two warps of a scheduler have as much arithmetic; the first then loads.
TEST(WarpSchedulers, LooseRoundRobinGivesEachWarpItsTurn) {
    constexpr unsigned kEach = 100;
    SystemConfig c = one_sm();
    c.socket.sm.schedulers = 1;
    const auto cycles = [&] {
        return run_block(c, 2,
                         [](std::uint64_t, unsigned warp) {
                             WarpCode code(kEach);
                             if (warp == 0) code.push_back(load(kHandBase));
                             return code;
                         })["cycles"]
            .get<std::uint64_t>();
    };
    const std::uint64_t greedy = cycles();
    c.socket.sm.scheduler = WarpScheduler::loose_round_robin;
    // The second warp has the first turn: the load comes behind 101 + 100 instructions instead of 100.
    EXPECT_EQ(cycles(), greedy + kEach + 1);
}

} // namespace
} // namespace numavp::test
