/// Shared memory and the load-store unit, in closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/machine/slot_series.h"
#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/places.h"
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

// --- shared memory and barriers of workload files

/// Statistics of a run of `element_loop` on one SM with 32 banks.
json run_elements(const std::string& parameters) {
    SystemConfig c = one_sm();
    c.socket.sm.shared_banks = 32;
    const json value = {{"kernels", {{{"pattern", "element_loop"}, {"parameters", json::parse(parameters)}}}}};
    return run_apart([&] {
        System system(c, read_workload(value, {"f"}));
        system.run();
        json values = system.stats().values();
        values["cycles"] = kernel_cycles(system, "element_loop");
        values["slots"] = json::parse(system.slots().json().dump())["sockets"][0];
        return values;
    });
}

/// Cycles of the kernel for each of a warp's accesses at a stride of `words`.
double cycles_of_stride(unsigned words) {
    const auto cycles = [words](unsigned fields) {
        return run_elements(fmt::format(R"({{"items": 32, "per_block": 32, "threads": 32, "accesses": [{{"array": "x"}},
            {{"array": "t", "memory": "shared", "kind": "store", "elements": 1056, "stride": {}, "fields": {}}}]}})",
                                        words, fields))["cycles"]
            .get<double>();
    };
    return (cycles(192) - cycles(96)) / 96;
}

TEST(ElementLoop, AccessesToAColumnOfATileTakeTheBanksTime) {
    EXPECT_EQ(cycles_of_stride(32), 32.0) << "all words in one bank";
    EXPECT_EQ(cycles_of_stride(4), 4.0);
    // No conflict: six accesses wait for the instruction that makes their index, and the next one for them.
    EXPECT_EQ(cycles_of_stride(33), (6.0 + one_sm().socket.sm.compute_cycles) / 6);
}

/// Only the first warp has accesses in front of the barrier: the second one's scheduler waits for as long as they take.
TEST(ElementLoop, WarpsWaitAtTheBarrierForTheOnesThatAccess) {
    const auto values = [](unsigned fields) {
        return run_elements(fmt::format(R"({{"items": 64, "per_block": 64, "threads": 64, "accesses": [{{"array": "x"}},
            {{"array": "t", "memory": "shared", "kind": "store", "elements": 1024, "stride": 32, "lanes": 32,
              "fields": {}}}, {{"kind": "barrier"}}, {{"array": "x", "kind": "store"}}]}})",
                                        fields));
    };
    const json few = values(96), many = values(192);
    EXPECT_EQ(stat(few, "socket0.sm.barriers"), 2U);
    EXPECT_EQ(stat(many, "slots.barrier") - stat(few, "slots.barrier"), 96U * 32);
}

/// 41 blocks of the shipped file: 8 warps meet 9 times, and 45 accesses to shared memory lie between.
TEST(ElementLoop, ATreeOfSumsMeetsAsOftenAsItsKernelSays) {
    WorkloadOptions options;
    options.scale = 0.01;
    const Workload workload = load_workload("block-sums", {source_dir() + "/configs/workloads"}, options);
    const std::uint64_t blocks = workload.launches.at(0).kernel->shape().blocks;
    EXPECT_EQ(blocks, 41U);
    const json values = run_apart([&] {
        SystemConfig c = one_sm();
        c.socket.sm.shared_banks = 32;
        System system(c, workload);
        system.run();
        return system.stats().values();
    });
    EXPECT_EQ(stat(values, "socket0.sm.barriers"), blocks * 8 * 9);
    EXPECT_EQ(stat(values, "socket0.sm.warp_instructions"), count_workload(workload).warp_instructions);
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
