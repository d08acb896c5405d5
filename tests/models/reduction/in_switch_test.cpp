/// All-reduce in the switch of a small machine: values, bytes at each port, flags, and what is refused.
#include <string>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/derived.h"
#include "tests/models/reduction/small_switch.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

constexpr std::uint64_t kArray = 32768;

class InSwitch : public ::testing::TestWithParam<const char*> {};

TEST_P(InSwitch, LeavesTheSumAtEveryRank) {
    for (const unsigned entries : {1U, 16U}) {
        const json wrong = run_apart([&]() -> json {
            SummedArrays sums(in_switch(kArray, json{{"barrier", GetParam()}}));
            SystemConfig c = switch_of_four();
            c.reduction.entries = entries;
            c.checks.functional = true;
            SystemOptions options;
            options.hooks = &sums;
            System system(c, sums.workload(), options);
            system.run();
            return sums.wrong_in(system);
        });
        EXPECT_EQ(wrong, "") << entries << " entries";
    }
}
INSTANTIATE_TEST_SUITE_P(Barriers, InSwitch, ::testing::Values("launch", "flags"),
                         [](const auto& param) { return std::string(param.param); });

/// Each GPU uploads its whole array, and gets its share of the sums and all of their copies.
TEST(InSwitchBytes, AreThoseOfTheClosedForm) {
    const Workload workload = read_workload(in_switch(kArray), "sum");
    SystemConfig c = switch_of_four();
    System system(c, workload, {});
    system.run();
    const json values = system.stats().values();
    const auto of_units = [&](const char* name) {
        std::uint64_t sum = 0;
        for (unsigned u = 0; u < kUnits; ++u) sum += stat(values, fmt::format("reduction{}.{}", u, name));
        return sum;
    };
    const std::uint64_t lines = kArray / kLineBytes, header = c.packets.header_bytes, packet = header + kLineBytes;
    EXPECT_EQ(of_units("reads"), lines);
    EXPECT_EQ(of_units("writes"), lines);
    EXPECT_EQ(of_units("asked"), 2 * kRanks * lines);
    EXPECT_EQ(of_units("read_bytes"), kRanks * kArray);
    EXPECT_EQ(of_units("written_bytes"), kRanks * kArray);
    EXPECT_EQ(of_units("additions"), (kRanks - 1) * kArray / 4);
    EXPECT_EQ(stat(values, "reduction0.reads"), stat(values, "reduction1.reads")) << "pages go round the units";
    for (unsigned r = 0; r < kRanks; ++r) {
        const std::uint64_t own = lines / kRanks; // read and written by the rank
        EXPECT_EQ(stat(values, fmt::format("socket{}.link.out.bytes", r)),
                  own * (header + packet) + lines * (packet + header));
        EXPECT_EQ(stat(values, fmt::format("socket{}.link.in.bytes", r)),
                  own * (packet + header) + lines * (header + packet));
    }
    EXPECT_NEAR(values["reduction0"]["energy_pj"].get<double>(),
                6.7 * static_cast<double>(stat(values, "reduction0.additions")), 1e-6);
}

/// Cycles of a run, with values or without, with deliveries shuffled or not.
Cycle switch_cycles(bool functional, std::optional<std::uint64_t> shuffle) {
    return run_apart([&]() -> json {
               SummedArrays sums(in_switch(8192, json{{"barrier", "flags"}}));
               SystemConfig c = switch_of_four();
               c.checks.functional = functional;
               SystemOptions options;
               if (functional) options.hooks = &sums;
               options.shuffle_seed = shuffle;
               System system(c, sums.workload(), options);
               system.run();
               return system.cycles();
           })
        .get<Cycle>();
}
TEST(InSwitchTimes, DoNotDependOnValuesOrTheOrderOfDeliveries) {
    const Cycle cycles = switch_cycles(false, std::nullopt);
    EXPECT_EQ(switch_cycles(true, std::nullopt), cycles);
    EXPECT_EQ(switch_cycles(false, 7), cycles);
}

// --- flags

Inst signal_of(std::uint64_t flag) {
    Inst inst = memory_inst(Op::reduce, flag);
    inst.mask = 1;
    inst.signals = true;
    return inst;
}
Inst wait_for(std::uint64_t flag, std::uint16_t signals) {
    Inst inst = load_past_l1(flag, 2);
    inst.mask = 1;
    inst.awaits = signals;
    return inst;
}
/// A kernel of a block of one warp for each GPU.
Workload with_flags(const CodeOf& code) {
    KernelShape shape;
    shape.name = "flags";
    shape.blocks = kRanks;
    shape.threads = kWarpLanes;
    shape.flags = true;
    Launch launch;
    launch.kernel = std::make_shared<HandKernel>(shape, code);
    return hand_workload({launch});
}
WarpCode pause_of(unsigned steps) {
    WarpCode code;
    for (unsigned i = 0; i < steps; ++i) {
        code.emplace_back();
        code.back().dst = code.back().src[0] = 1;
        code.back().latency = 100;
    }
    return code;
}
/// GPU 3 signals after so many steps of 100 cycles; GPU 0 waits for it, GPU 1 only pauses.
Cycle end_of_wait(unsigned steps) {
    return run_apart([&]() -> json {
               const Workload workload = with_flags([steps](std::uint64_t block, unsigned) {
                   if (block == 0) return WarpCode{wait_for(kHandBase, 1)};
                   WarpCode code = pause_of(block == 3 ? steps : 0);
                   if (block == 3) {
                       code.push_back(signal_of(kHandBase));
                       code.back().src[0] = 1;
                   }
                   return code;
               });
               System system(switch_of_four(), workload, {});
               system.run();
               return system.cycles();
           })
        .get<Cycle>();
}
TEST(Flags, EndAWaitACrossingAfterTheirSignal) {
    const Cycle soon = end_of_wait(20), late = end_of_wait(60);
    EXPECT_NEAR(static_cast<double>(late - soon), 4000.0, 500.0)
        << "the wait follows the signal, within a read of the flag";
    EXPECT_LT(soon, 2000U + 2000U);
}

TEST(Flags, KeepSignalsThatComeBeforeTheWait) {
    const Workload workload = with_flags([](std::uint64_t block, unsigned) {
        if (block != 0) return WarpCode{signal_of(kHandBase), signal_of(kHandBase)};
        WarpCode code = pause_of(50);
        code.push_back(wait_for(kHandBase, 4));
        code.back().src[0] = 1;
        code.push_back(wait_for(kHandBase, 2));
        return code;
    });
    System system(switch_of_four(), workload, {});
    system.run();
    EXPECT_EQ(stat(system.stats().values(), "socket0.sm.polls"), 2U) << "each finds its signals at once";
}

TEST(Flags, NameAWaitThatNeverEnds) {
    const Workload workload = with_flags([](std::uint64_t block, unsigned) {
        if (block == 0) return WarpCode{wait_for(kHandBase, 3)};
        return block == 3 ? WarpCode{} : WarpCode{signal_of(kHandBase)};
    });
    SystemConfig c = switch_of_four();
    c.checks.stuck_cycles = 20000;
    System system(c, workload, {});
    try {
        system.run();
        FAIL() << "it ended";
    } catch (const ModelError& error) {
        EXPECT_NE(std::string(error.what()).find("3 signals of the flag at 0x10000000 (warp 0, which has seen 2)"),
                  std::string::npos)
            << error.what();
    }
}

// --- what is refused

std::string refused_switch(SystemConfig c, const json& file) {
    try {
        c.validate(Place("system"));
        const Workload workload = read_workload(file, "sum");
        const System system(c, workload, {});
        return "";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST(InSwitchRefusals, NameWhatIsMissing) {
    const auto expect = [](const SystemConfig& c, const json& file, const std::string& sentence) {
        EXPECT_EQ(refused_switch(c, file), sentence);
    };
    SystemConfig c = switch_of_four();
    c.parts.pop_back();
    c.network.wires.pop_back();
    c.reduction.entries = 0;
    expect(c, in_switch(kArray),
           "workload sum: array buffers is read as a sum that a switch forms, and small has no part of the kind "
           "reduction; another algorithm is allowed, or a system with one, such as dgx-h100-nvls");
    c.reduction.entries = 4;
    expect(
        c, in_switch(kArray),
        "system: $.reduction.entries: 4 entries, and no part is a reduction unit; 0 is allowed, or a part of the kind "
        "reduction");
    c = switch_of_four();
    c.reduction.entries = 0;
    expect(
        c, in_switch(kArray),
        "system: $.reduction.entries: there are reduction units, whose tables have no entry; 1 or more are expected");
    c = switch_of_four();
    c.socket.l2.organisation = L2Organisation::numa_aware;
    expect(
        c, in_switch(kArray),
        "system: $.gpu[0..3].l2.organisation: numa_aware keeps lines of others, and sums that a switch forms may not "
        "be kept; memory_side is allowed");
    c = switch_of_four();
    c.network.wires[0].from = "gpu[0..2]";
    c.network.wires.push_back({"gpu[3]", "gpu[2]", "", "", 1});
    expect(c, in_switch(kArray),
           "system: $.network.wires: gpu[3] has SMs and no wire to hub[0], on which sharp[0] hangs; one is expected");
    c = switch_of_four();
    c.network.wires[1].to = "gpu[0]";
    expect(c, in_switch(kArray),
           "system: $.network.wires: sharp[0] is wired to gpu[0], and a reduction unit hangs on one router alone, its "
           "switch; wires to that are allowed");
    c = switch_of_four();
    c.translation.mode = TranslationMode::full;
    expect(c, in_switch(kArray),
           "system: $.translation.mode: TLBs and walkers know no multicast arrays, which reduction units serve; off is "
           "allowed, or a machine without such units");
    json file = in_switch(kArray);
    file["on_gpu"].erase("buffer_2");
    expect(switch_of_four(), file,
           "workload sum: array buffers stands for buffer_2, which lies on no GPU alone; on_gpu is expected to give it "
           "to one");
    file = in_switch(kArray);
    file["on_gpu"]["buffers"] = 1;
    expect(switch_of_four(), file,
           "sum: $.on_gpu.buffers: it stands for arrays of several GPUs, which have places of their own; leave it out");
    expect(switch_of_four(), in_switch(kArray, json{{"algorithm", "ring"}, {"barrier", "flags"}}),
           "sum: $.kernels[0].parameters.barrier: flags are of the algorithm in_switch, and this is ring; launch is "
           "allowed");
}

} // namespace
} // namespace numavp::test
