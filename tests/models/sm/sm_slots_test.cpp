/// Causes of an SM's slots in closed forms: one scheduler is looked at, the others have no warp or are counted too.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "platform/machine/slot_series.h"
#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

SystemConfig one_sm() {
    SystemConfig c;
    c.sockets = 1;
    c.socket.sms = 1;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    return c;
}

/// The socket's slots, and `cycles`, of a block of `warps`. System::run() holds that they sum up.
json slots_of(const SystemConfig& config, unsigned warps, const CodeOf& code) {
    return run_apart([&] {
        System system(config, hand_workload({hand_launch("code", 1, warps, code)}));
        system.run();
        json slots = json::parse(system.slots().json().dump())["sockets"][0];
        slots["cycles"] = system.cycles();
        return slots;
    });
}

/// What `more` instructions add after `first`, of one warp.
json added_by(const SystemConfig& config, const WarpCode& first, const WarpCode& more) {
    const auto run = [&](bool both) {
        return slots_of(config, 1, [&](std::uint64_t, unsigned) {
            WarpCode code = first;
            if (both) code.insert(code.end(), more.begin(), more.end());
            return code;
        });
    };
    const json before = run(false);
    json added = run(true);
    for (auto& [name, value] : added.items()) value = value.get<std::int64_t>() - before[name].get<std::int64_t>();
    return added;
}

Inst compute(std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst;
    inst.dst = dst;
    inst.src[0] = src;
    return inst;
}
Inst barrier() {
    Inst inst;
    inst.op = Op::barrier;
    return inst;
}
WarpCode times(unsigned n, const Inst& inst) { return WarpCode(n, inst); }

void expect(const json& slots, const json& expected) {
    for (const char* cause : {"issued", "unit_busy", "queue_full", "dependence", "memory", "translation", "barrier"})
        EXPECT_EQ(slots[cause], expected.value(cause, 0)) << cause << " of " << slots.dump();
}

TEST(SlotsOfAnSm, ADependentInstructionWaitsForTheLatency) {
    const SystemConfig c = one_sm(); // a cycle passes between the block's start and the first issue
    const json slots = slots_of(c, 1, [](std::uint64_t, unsigned) { return times(10, compute(1, 1)); });
    expect(slots, {{"issued", 11}, {"dependence", 1 + 9 * (c.socket.sm.compute_cycles - 1)}});
    EXPECT_EQ(slots["schedulers"], 4);
    EXPECT_EQ(slots["warp_cycles"], 1 + 10 + 9 * (c.socket.sm.compute_cycles - 1)) << "from its start to its exit";
    const auto all = slots["cycles"].get<std::uint64_t>();
    EXPECT_EQ(slots["no_warp"], 4 * all - 11 - slots["dependence"].get<std::uint64_t>());
    EXPECT_LE(slots["last_warp_cycle"], all);
    EXPECT_GE(slots["last_warp_cycle"], slots["warp_cycles"]);
}

TEST(SlotsOfAnSm, ARepeatedInstructionTakesASlotEachTime) {
    Inst repeated = compute();
    repeated.repeat = 50;
    expect(added_by(one_sm(), {}, {repeated}), {{"issued", 50}});
}

TEST(SlotsOfAnSm, AHitInL1IsAWaitForMemory) {
    const SystemConfig c = one_sm();
    const WarpCode miss = {load(kHandBase, 1), compute(2, 1)};
    expect(added_by(c, miss, miss), {{"issued", 2}, {"memory", c.socket.sm.l1.hit_cycles}});
    // Two loads before their use: the second's wait is the one that counts, and the first's has hidden it.
    const WarpCode two = {load(kHandBase, 1), load(kHandBase, 3), compute(4, 1), compute(5, 3)};
    expect(added_by(c, miss, two), {{"issued", 4}, {"memory", c.socket.sm.l1.hit_cycles - 1}});
}

TEST(SlotsOfAnSm, AMissIsAWaitForMemoryAsLongAsItTakes) {
    const SystemConfig c = one_sm();
    const json added = added_by(c, times(3, compute()), {load(kHandBase, 1), compute(2, 1)});
    EXPECT_GT(added["memory"], 100);
    expect(added, {{"issued", 2}, {"memory", added["warp_cycles"].get<std::uint64_t>() - 2}});
}

TEST(SlotsOfAnSm, ABusyUnitKeepsAReadyWarpBack) {
    SystemConfig c = one_sm();
    c.socket.sm.units = Architecture::accel_sim_volta; // 16 lanes for four schedulers: a warp takes 8 cycles
    Inst special = compute();
    special.unit = ExecutionUnit::special;
    expect(added_by(c, {special}, times(20, special)), {{"issued", 20}, {"unit_busy", 20 * 7}});
}

TEST(SlotsOfAnSm, AFullQueueKeepsAReadyWarpBack) {
    SystemConfig c = one_sm();
    c.socket.sm.l1.queue_depth = 1;
    Inst wide = load(kHandBase);
    wide.stride = kLineBytes; // 32 lines: the unit is with one instruction for 32 cycles
    const json added = added_by(c, times(4, wide), times(10, wide));
    expect(added, {{"issued", 10}, {"queue_full", 10 * 31}});
}

/// Warp `waits` is at the barrier at once, the other has `n` instructions before it.
json at_barrier(unsigned waits, unsigned n) {
    return slots_of(one_sm(), 2, [&](std::uint64_t, unsigned warp) {
        WarpCode code = warp == waits ? WarpCode() : times(n, compute());
        code.push_back(barrier());
        return code;
    });
}

TEST(SlotsOfAnSm, AWarpAtABarrierWaitsForTheOther) {
    constexpr unsigned kOther = 100;
    // Both start in the same cycle. Scheduler 1 comes after scheduler 0, which releases its warp before its turn.
    expect(at_barrier(1, kOther), {{"issued", kOther + 4}, {"dependence", 2}, {"barrier", kOther - 1}});
    // Scheduler 0 has had its turn when scheduler 1 releases its warp: that cycle is its pipeline's.
    expect(at_barrier(0, kOther), {{"issued", kOther + 4}, {"dependence", 3}, {"barrier", kOther - 1}});
}

TEST(SlotsOfAnSm, AFenceIsABarrierToo) {
    const json added = added_by(one_sm(), {compute()}, {store(kHandBase), fence()});
    EXPECT_EQ(added["issued"], 2);
    EXPECT_GT(added["barrier"], 50) << "until the store has been performed and the L2 flushed";
    EXPECT_EQ(added["memory"], 0);
}

/// One load: it waits for its page, which nobody has looked up, and then for its line.
TEST(SlotsOfAnSm, AWaitForAPageIsNoWaitForMemory) {
    SystemConfig c = one_sm();
    c.translation.mode = TranslationMode::full;
    const auto ended = run_apart([&] {
        const CodeOf code = [](std::uint64_t, unsigned) -> WarpCode { return {load(kHandBase, 1), compute(2, 1)}; };
        System system(c, hand_workload({hand_launch("code", 1, 1, code)}));
        system.run();
        return json{{"slots", json::parse(system.slots().json().dump())["sockets"][0]},
                    {"waits", json::parse(system.stats().values().dump())["socket0"]["mmu"]["wait_ps"]}};
    });
    EXPECT_EQ(ended["waits"]["count"], 1);
    const std::uint64_t ps = 1'000'000'000 / c.clock_khz; // of a cycle
    EXPECT_EQ(ended["slots"]["translation"].get<std::uint64_t>() * ps, ended["waits"]["sum"]);
    EXPECT_GT(ended["slots"]["translation"], 100) << "a walk of some reads of memory";
    EXPECT_GT(ended["slots"]["memory"], 50);
}

/// A warp that is nearer to issue hides another's wait, so that a slot has one cause.
TEST(SlotsOfAnSm, TheNearestWarpCounts) {
    SystemConfig c = one_sm();
    c.socket.sm.schedulers = 1;
    const json slots = slots_of(c, 2, [](std::uint64_t, unsigned warp) -> WarpCode {
        if (warp == 0) return {load(kHandBase, 1), compute(2, 1)};
        return times(500, compute(1, 1)); // 3000 cycles: longer than the miss
    });
    EXPECT_EQ(slots["memory"], 0);
    EXPECT_EQ(slots["issued"], 3 + 501);
    EXPECT_GT(slots["dependence"], 2400);
}

} // namespace
} // namespace numavp::test
