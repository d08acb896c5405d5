/// Mechanisms of an SM in closed forms: N more instructions take N times what one takes.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/rng.h"
#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// One SM, no launch latency, a checker on every wire.
SystemConfig one_sm() {
    SystemConfig c;
    c.sockets = 1;
    c.socket.sms = 1;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    return c;
}

/// Statistics of a run of one block of `warps`, and its cycles.
json run_block(const SystemConfig& config, unsigned warps, const CodeOf& code, std::uint64_t blocks = 1) {
    return run_apart([&] {
        System system(config, hand_workload({hand_launch("code", blocks, warps, code)}));
        system.run();
        json values = system.stats().values();
        values["cycles"] = kernel_cycles(system, "code");
        return values;
    });
}

using Body = std::function<void(WarpCode&)>;

/// Cycles that a repetition of `body` takes when each of `warps` has many.
double cycles_each(const SystemConfig& config, unsigned warps, const Body& body) {
    constexpr unsigned kFew = 100, kMany = 300;
    const auto cycles = [&](unsigned n) {
        return run_block(config, warps,
                         [&](std::uint64_t, unsigned) {
                             WarpCode code;
                             for (unsigned i = 0; i < n; ++i) body(code);
                             return code;
                         })["cycles"]
            .get<std::uint64_t>();
    };
    return static_cast<double>(cycles(kMany) - cycles(kFew)) / (kMany - kFew);
}

Inst arithmetic(ExecutionUnit unit, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst;
    inst.unit = unit;
    inst.dst = dst;
    inst.src[0] = src;
    return inst;
}
/// 32 lanes, `stride` bytes apart.
Inst shared_memory(std::int32_t stride, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst = memory_inst(Op::shared, 0, dst, src);
    inst.stride = stride;
    return inst;
}

// --- execution units

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

// --- behind the SM

TEST(L2Pipeline, DelaysEachRequestAndHoldsUpNone) {
    SystemConfig c = one_sm();
    c.socket.sm.l1.wire_depth = c.socket.noc.wire_depth = 512;
    const auto chase = [](WarpCode& code) { code.push_back(load_past_l1(kHandBase, 1, 1)); };
    const auto stores = [](WarpCode& code) { // of one sector to one slice: 40 bytes a packet
        code.push_back(store(kHandBase));
        code.back().mask = 0xff;
    };
    const double before = cycles_each(c, 1, chase), rate = cycles_each(c, 4, stores);
    c.socket.l2.lookup_cycles = 160;
    EXPECT_EQ(cycles_each(c, 1, chase), before + 160);
    EXPECT_EQ(cycles_each(c, 4, stores), rate);
}

/// A store or an atomic without result takes its slice so many cycles for each sector that it touches, and no load
/// does.
TEST(L2Slices, TakeTheirCyclesForEachSectorWritten) {
    SystemConfig c = one_sm();
    c.socket.sm.l1.wire_depth = c.socket.noc.wire_depth = 512;
    const auto of_sectors = [](Op op, unsigned sectors) {
        return [=](WarpCode& code) {
            code.push_back(memory_inst(op, kHandBase));
            code.back().stride = 4;
            code.back().mask = static_cast<std::uint32_t>((1ULL << (8 * sectors)) - 1);
        };
    };
    const double load = cycles_each(c, 4, of_sectors(Op::load, 4));
    for (const unsigned sectors : {1U, 4U}) {
        c.socket.l2.write_cycles = 5;
        c.socket.l2.atomic_cycles = 7;
        EXPECT_EQ(cycles_each(c, 4, of_sectors(Op::store, sectors)), 4 * 5.0 * sectors);
        EXPECT_EQ(cycles_each(c, 4, of_sectors(Op::reduce, sectors)), 4 * 7.0 * sectors);
    }
    EXPECT_EQ(cycles_each(c, 4, of_sectors(Op::load, 4)), load);
    c.socket.l2.write_cycles = 1.6;
    EXPECT_NEAR(cycles_each(c, 4, of_sectors(Op::store, 1)), 4 * 1.6, 0.02) << "in the mean";
}

TEST(Crossbar, PacketsTakeTheirCyclesForEachSector) {
    SystemConfig c = one_sm();
    c.socket.noc.request_bytes_per_cycle = 4096;
    c.socket.noc.packet_cycles = 3;
    const auto stores = [](std::uint32_t mask) {
        return [mask](WarpCode& code) {
            code.push_back(store(kHandBase));
            code.back().mask = mask;
        };
    };
    EXPECT_EQ(cycles_each(c, 1, stores(0xff)), 3.0);
    EXPECT_EQ(cycles_each(c, 1, stores(0xffffffff)), 12.0);
}

/// Eight SMs write to eight slices at random. Queues whose first packet blocks the others carry 0.618 packets an output
/// and slot (Karol, Hluchyj, Morgan: "Input Versus Output Queueing on a Space-Division Packet Switch", 1987, table I);
/// with a queue for each output nearly one.
TEST(Crossbar, TheFirstPacketOfAnInputBlocksTheOthersInAFifo) {
    constexpr unsigned kPorts = 8, kSlot = 8;
    SystemConfig c = one_sm();
    c.socket.sms = c.socket.l2.slices = c.socket.memory.channels = kPorts;
    c.socket.l2.size_kib = 1024;
    c.socket.sm.warps = 1; // a block each
    c.dispatch.blocks_per_cycle = kPorts;
    c.socket.noc.request_bytes_per_cycle = 4096;
    c.socket.noc.packet_cycles = kSlot;
    const auto cycles = [&](unsigned n) {
        const CodeOf code = [n](std::uint64_t block, unsigned) {
            Rng rng(block + 1, 5);
            WarpCode stores;
            for (unsigned i = 0; i < n; ++i) {
                stores.push_back(store(kHandBase + rng.below(kPorts) * kLineBytes));
                stores.back().mask = 0xff; // a sector
            }
            return stores;
        };
        return run_block(c, 1, code, kPorts)["cycles"].get<std::uint64_t>();
    };
    const auto throughput = [&] { return kSlot * 1500.0 / static_cast<double>(cycles(2000) - cycles(500)); };
    EXPECT_GT(throughput(), 0.85);
    c.socket.noc.input_fifo = true;
    EXPECT_NEAR(throughput(), 0.618, 0.05);
}

TEST(Dispatch, AnSmStartsAtMostOneBlockACycleIfItIsSet) {
    SystemConfig c = one_sm();
    c.socket.sms = 2;
    c.dispatch.blocks_per_cycle = 8;
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    const auto at_once = run_block(c, 1, nothing, 8)["cycles"].get<std::uint64_t>();
    c.dispatch.one_block_an_sm = true;
    EXPECT_EQ(run_block(c, 1, nothing, 2)["cycles"], at_once);
    EXPECT_EQ(run_block(c, 1, nothing, 8)["cycles"], at_once + 3);
}

TEST(Dispatch, BlocksStartAtTheMeanIntervalThatIsSet) {
    SystemConfig c = one_sm();
    c.socket.sms = 8;
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    const auto cycles = [&](double interval, unsigned blocks) {
        c.dispatch.block_interval_cycles = interval;
        return run_block(c, 1, nothing, blocks)["cycles"].get<std::uint64_t>();
    };
    EXPECT_EQ(cycles(0.5, 801), cycles(0, 801)) << "one a cycle is the limit";
    EXPECT_EQ(cycles(1.25, 801), cycles(1.25, 1) + 1000);
    EXPECT_EQ(cycles(7, 101), cycles(7, 1) + 700);
    c.checks.stuck_cycles = 100'000;
    EXPECT_EQ(cycles(300'000, 3), cycles(300'000, 1) + 600'000) << "which is not called stuck";
    c.dispatch.blocks_per_cycle = 8;
    EXPECT_EQ(cycles(0.25, 801), cycles(0.25, 1) + 200);
}

/// A block of a sample does a part of its work, and costs that part of a start.
TEST(Dispatch, BlocksOfASampleStartAsMuchFaster) {
    SystemConfig c = one_sm();
    c.socket.sm.warps = 64;
    const auto cycles = [&](double share) {
        return run_apart([&] {
                   Launch launch = hand_launch("code", 32, 1, [](std::uint64_t, unsigned) { return WarpCode{}; });
                   KernelShape shape = launch.kernel->shape();
                   shape.share = share;
                   const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
                   launch.kernel = std::make_shared<HandKernel>(shape, nothing);
                   System system(c, hand_workload({launch}));
                   system.run();
                   return json(kernel_cycles(system, "code"));
               })
            .get<std::uint64_t>();
    };
    const std::uint64_t whole = cycles(1.0);
    EXPECT_EQ(cycles(0.5), whole - 16);
    EXPECT_EQ(cycles(0.25), whole - 24);
    EXPECT_EQ(cycles(1e-12), cycles(0.125)) << "all that the SM can take at once";
}

/// A launch's sizes and arguments are read once by each SM, before the first instruction.
TEST(Dispatch, ALaunchsBlocksOnAnSmWaitForItsArgumentsOnce) {
    SystemConfig c = one_sm();
    c.dispatch.blocks_per_cycle = 1;
    const auto some = [](std::uint64_t, unsigned) { return WarpCode(3); };
    const auto nothing = [](std::uint64_t, unsigned) { return WarpCode{}; };
    struct Case {
        unsigned slots, blocks, launches;
        bool streams; // each launch has its own
    };
    const auto cycles = [&](unsigned wait, const CodeOf& code, const Case& of) {
        c.socket.sm.first_block_cycles = wait;
        c.socket.sm.block_slots = of.slots;
        return run_apart([&] {
                   std::vector<Launch> all;
                   for (unsigned n = 0; n < of.launches; ++n)
                       all.push_back(hand_launch("code", of.blocks, 2, code, of.streams ? n : 0));
                   System system(c, hand_workload(all));
                   system.run();
                   return json(system.cycles());
               })
            .get<std::uint64_t>();
    };
    const auto added = [&](const Case& of) { return cycles(150, some, of) - cycles(0, some, of); };
    EXPECT_EQ(added({1, 1, 1, false}), 150U);
    EXPECT_EQ(added({1, 3, 1, false}), 150U) << "the next block finds them";
    EXPECT_EQ(added({1, 3, 2, false}), 300U) << "the next launch has its own";
    EXPECT_NEAR(static_cast<double>(added({2, 2, 1, false})), 150, 2) << "a block does not overtake the first one";
    EXPECT_NEAR(static_cast<double>(added({4, 2, 2, true})), 150, 4) << "two launches side by side ask once each";
    EXPECT_EQ(cycles(150, nothing, {1, 1, 1, false}), cycles(0, nothing, {1, 1, 1, false})) << "an exit needs none";
}

/// What a socket starts a cycle is shared by the kernels of all streams.
TEST(Dispatch, KernelsOfSeveralStreamsShareTheStarts) {
    SystemConfig c = one_sm();
    c.socket.sm.warps = 64;
    c.socket.sm.block_slots = 64;
    const auto cycles = [&](std::vector<unsigned> blocks) {
        return run_apart([&] {
                   std::vector<Launch> launches;
                   for (const unsigned n : blocks) {
                       launches.push_back(
                           hand_launch("code", n, 1, [](std::uint64_t, unsigned) { return WarpCode{}; }));
                       launches.back().stream = launches.size();
                   }
                   System system(c, hand_workload(launches));
                   system.run();
                   return json(system.cycles());
               })
            .get<std::uint64_t>();
    };
    const std::uint64_t alone = cycles({20});
    EXPECT_EQ(cycles({40}), alone + 20);
    EXPECT_EQ(cycles({20, 20}), alone + 20);
}

TEST(SlicesOfLines, ConsecutiveLinesStayOnASliceAsLongAsItIsSet) {
    const Slicing slicing{8, 1};
    for (std::uint64_t line = 0; line < 64; line += 2)
        EXPECT_EQ(slicing.slice_of(line * kLineBytes), slicing.slice_of((line + 1) * kLineBytes));
    EXPECT_NE(slicing.slice_of(0), slicing.slice_of(2 * kLineBytes));
}

/// As measured on an H200: of 1,024 bytes a slice has the first and third 256, its neighbour the others.
TEST(SlicesOfLines, TwoSlicesShareLinesInTurns) {
    const unsigned chunk = 8;
    for (const unsigned slices : {6U, 8U}) {
        const Slicing slicing{slices, 1, 2};
        const auto slice_of = [&](std::uint64_t line) { return slicing.slice_of(line * kLineBytes); };
        std::set<std::pair<unsigned, std::uint64_t>> places;
        std::map<unsigned, unsigned> chunks_of_pair;
        const unsigned chunks = slices / 2 * 40;
        for (std::uint64_t first = 0; first < chunks * chunk; first += chunk) {
            const unsigned even = slice_of(first);
            EXPECT_EQ(even % 2, 0U);
            ++chunks_of_pair[even / 2];
            for (unsigned k = 0; k < chunk; ++k) EXPECT_EQ(slice_of(first + k), even + k / 2 % 2) << first << " " << k;
            for (unsigned k = 0; k < chunk; k += 2)
                places.insert({slice_of(first + k), slicing.round_of((first + k) * kLineBytes)});
        }
        EXPECT_EQ(places.size(), chunks * chunk / 2) << "two groups of lines have one place in a slice";
        EXPECT_EQ(places.rbegin()->second, chunks * chunk / 2 / slices - 1) << "a slice has gaps";
        EXPECT_EQ(chunks_of_pair.size(), slices / 2);
        for (const auto& [pair, count] : chunks_of_pair) EXPECT_EQ(count, 40U) << pair;
    }
}

} // namespace
} // namespace numavp::test
