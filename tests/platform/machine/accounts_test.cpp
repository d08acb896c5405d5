/// The accounts close: each look-up is counted once, and latencies have their parts however long they are.
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

std::uint64_t socket_stat(const nlohmann::ordered_json& values, unsigned socket, const std::string& path) {
    std::string pointer = "/socket" + std::to_string(socket) + "/" + path;
    for (char& c : pointer)
        if (c == '.') c = '/';
    return values.at(nlohmann::ordered_json::json_pointer(pointer)).get<std::uint64_t>();
}

/// What is only looked at more or less often is the same.
TEST(Sampling, ChangesNoStatistic) {
    const auto values = [](unsigned interval) {
        return run_apart([interval] {
            SystemConfig config = small_system(2);
            config.results.interval_cycles = interval;
            RandomProgram program(7, {});
            SystemOptions options;
            options.hooks = &program;
            System system(config, program.workload(), options);
            system.run();
            nlohmann::json all(system.stats().values());
            EXPECT_EQ(stat(all, "socket0.link.out.lane_cycles") + stat(all, "socket0.link.in.lane_cycles"),
                      std::uint64_t{config.link.lanes_out + config.link.lanes_in} * stat(all, "system.cycles"));
            return all;
        });
    };
    const nlohmann::json often = values(100);
    EXPECT_GT(stat(often, "socket0.link.out.bytes"), 0U);
    EXPECT_EQ(values(1'000'000), often);
}

class EachLookUpOnce : public ::testing::TestWithParam<std::tuple<L2Organisation, int>> {};

/// What L1s miss and atomics ask, the slices find, fetch or merge: in the requester's socket or as incoming at the
/// home.
TEST_P(EachLookUpOnce, SlicesCountWhatL1sAsk) {
    const auto [organisation, seed] = GetParam();
    SystemConfig config = small_system(3);
    config.socket.l2.organisation = organisation;
    config.socket.l2.entries = 4; // look-ups are often tried again
    config.socket.l2.reserved_home_entries = 1;
    config.socket.l2.merges = 2;
    config.placement.page_kib = 4;
    RandomProgramShape shape;
    shape.accesses = 30;
    RandomProgram program(static_cast<std::uint64_t>(seed), shape);
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    system.run();
    const nlohmann::ordered_json values = system.stats().values();
    const auto sum = [&values](const std::string& path) {
        return socket_stat(values, 0, path) + socket_stat(values, 1, path) + socket_stat(values, 2, path);
    };
    const auto looked_up = [&sum](const std::string& side) {
        return sum("l2." + side + ".hits") + sum("l2." + side + ".misses") + sum("l2." + side + ".merged");
    };
    const std::uint64_t atomics = sum("l1.atomic_lines");
    ASSERT_GT(atomics, 0U);
    ASSERT_GT(sum("l2.stalls"), 0U);
    if (organisation == L2Organisation::memory_side) { // what is remote passes by the requester's slices
        EXPECT_EQ(looked_up("remote"), 0U);
        EXPECT_GT(looked_up("local"), sum("l1.misses_local"));
        EXPECT_GT(looked_up("incoming"), sum("l1.misses_remote"));
        EXPECT_EQ(looked_up("local") + looked_up("incoming"),
                  sum("l1.misses_local") + sum("l1.misses_remote") + atomics);
        return;
    }
    const std::uint64_t atomics_away = sum("l2.forwarded_atomics");
    ASSERT_GT(atomics_away, 0U);
    EXPECT_EQ(looked_up("local"), sum("l1.misses_local") + atomics - atomics_away);
    EXPECT_EQ(looked_up("remote"), sum("l1.misses_remote"));
    EXPECT_EQ(looked_up("incoming"), sum("l2.outgoing_reads") + atomics_away);
}
INSTANTIATE_TEST_SUITE_P(All, EachLookUpOnce,
                         ::testing::Combine(::testing::Values(L2Organisation::memory_side, L2Organisation::static_split,
                                                              L2Organisation::coherent, L2Organisation::numa_aware),
                                            ::testing::Range(1, 4)),
                         [](const auto& param) {
                             return std::string(kL2Organisations.name(std::get<0>(param.param))) + "_" +
                                    std::to_string(std::get<1>(param.param));
                         });

/// 4.29 ms is what 32 bits of picoseconds hold: loads behind a link of some kB/s take longer.
TEST(LoadLatency, PartsOfMillisecondsSumToIt) {
    SystemConfig config = small_system(2);
    config.link.lane_gbps = 1e-6;       // 8 kB/s each way: 17 ms for a line
    config.checks.stuck_cycles = 1'000; // the watchdog knows how slow the link is
    const Workload workload = hand_workload({hand_launch("far", 2, 1, [](std::uint64_t block, unsigned) {
        WarpCode code; // both blocks read the page that one of them touches first
        for (unsigned i = 0; i < 2; ++i) code.push_back(load(kHandBase + (block * 2 + i) * kLineBytes));
        return code;
    })});
    System system(config, workload); // run() throws if parts and latency differ
    system.run();
    const nlohmann::ordered_json values = system.stats().values();
    std::uint64_t loads = 0, total = 0, link = 0;
    for (unsigned s = 0; s < 2; ++s) {
        loads += socket_stat(values, s, "load_latency.remote.loads");
        total += socket_stat(values, s, "load_latency.remote.total_ps");
        link += socket_stat(values, s, "load_latency.remote.parts.link_ps");
    }
    ASSERT_EQ(loads, 2U);
    EXPECT_GT(total, 2 * 17'000'000'000U);
    EXPECT_GT(link, total / 2);
}

} // namespace
} // namespace numavp::test
