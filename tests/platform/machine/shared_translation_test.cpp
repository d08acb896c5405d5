/// One L2 TLB and its walkers for the SMs of all sockets: times, what is shared, and answers that are overtaken.
#include <string>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

SystemConfig sharing(unsigned sockets, bool shared) {
    SystemConfig c = small_system(sockets);
    c.placement.page_kib = 4;
    c.translation.mode = TranslationMode::full;
    c.translation.shared = shared;
    c.translation.shared_at = sockets - 1;
    c.translation.shared_cycles = 30;
    return c;
}

json values_of(const SystemConfig& config, const Workload& workload) {
    return run_apart([&] {
        System system(config, workload);
        system.run();
        return json(system.stats().values());
    });
}

Workload one_after_the_other() {
    const auto load_on = [](std::uint64_t socket) {
        return hand_launch("on" + std::to_string(socket), 3, 1, on(socket, {load(kHandBase)}));
    };
    return hand_workload({load_on(0), load_on(1), load_on(2)});
}

// Found in the L2 TLB: its latency, and shared the way there and back, also from the SMs beside it.
TEST(SharedTranslation, TakesTheWayThereAndBackMore) {
    const Workload workload = one_after_the_other();
    SystemConfig c = sharing(3, true);
    const auto wait_ps = [](const json& values, unsigned socket) {
        return stat(values, "socket" + std::to_string(socket) + ".mmu.wait_ps.min");
    };
    const json shared = values_of(c, workload);
    const std::uint64_t cycle_ps = 1'000'000'000 / c.clock_khz;
    EXPECT_EQ(wait_ps(shared, 1), (2 * 30 + 10) * cycle_ps);
    EXPECT_EQ(wait_ps(shared, 2), (2 * 30 + 10) * cycle_ps);
    c.translation.shared_cycles = 1;
    EXPECT_EQ(wait_ps(values_of(c, workload), 1), (2 * 1 + 10) * cycle_ps);
}

TEST(SharedTranslation, WalksOnceForAllSockets) {
    const Workload workload = one_after_the_other();
    const json shared = values_of(sharing(3, true), workload), own = values_of(sharing(3, false), workload);
    for (unsigned s = 0; s < 3; ++s) {
        const std::string mmu = "socket" + std::to_string(s) + ".mmu.";
        EXPECT_EQ(stat(own, mmu + "l2_misses"), 1U);
        EXPECT_EQ(stat(shared, mmu + "l2_misses"), s == 2 ? 1U : 0U);
        EXPECT_EQ(stat(shared, mmu + "l2_hits"), s == 2 ? 2U : 0U);
        EXPECT_EQ(stat(shared, mmu + "l1_misses"), 1U);
    }
    // The page is the first toucher's, wherever the walkers are.
    EXPECT_EQ(stat(shared, "socket0.load_latency.local.loads"), 1U);
    EXPECT_EQ(stat(shared, "socket2.load_latency.local.loads"), 0U);
}

TEST(SharedTranslation, HasItsWalkersForAll) {
    SystemConfig c = sharing(3, true);
    c.translation.walkers = 2;
    const Workload workload = hand_workload({hand_launch("all", 3, 4, [](std::uint64_t block, unsigned warp) {
        return WarpCode{load(kHandBase + (block * 4 + warp) * 4096)};
    })});
    const json shared = values_of(c, workload);
    EXPECT_EQ(stat(shared, "socket2.mmu.most_walks"), 2U);
    EXPECT_EQ(stat(shared, "socket2.mmu.walks"), 12U);
    EXPECT_EQ(stat(shared, "socket0.mmu.walks") + stat(shared, "socket1.mmu.walks"), 0U);
    c.translation.shared = false;
    EXPECT_EQ(stat(values_of(c, workload), "socket0.mmu.most_walks"), 2U);
}

} // namespace
} // namespace numavp::test
