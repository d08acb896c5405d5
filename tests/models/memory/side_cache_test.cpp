/// Memory-side caches in machines: values are those of a flat memory, reads are counted once, nothing is there without
/// one.
#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

struct CachedCase {
    const char* name;
    unsigned sockets = 1;
    bool sectors = false;
    L2Organisation organisation = L2Organisation::memory_side;
    unsigned l2_kib = 16, depth = 0; ///< 0: the depths of queues stay
};

SystemConfig cached_system(const CachedCase& what) {
    SystemConfig c = small_system(what.sockets);
    c.socket.l2.organisation = what.organisation;
    c.socket.l2.size_kib = what.l2_kib;
    if (what.l2_kib == 0) c.socket.l2.ways = 1;
    c.sector_bytes = what.sectors ? kSectorBytes : 0;
    c.socket.memory.cache.size_kib = 8; // smaller than the program's memory: lines are evicted
    c.socket.memory.cache.ways = 4;
    if (what.depth == 0) return c;
    set_all_depths(c, what.depth);
    c.socket.memory.cache.queue_depth = c.socket.memory.cache.wire_depth = what.depth;
    c.socket.memory.cache.entries = 2;
    return c;
}

class SideCaches : public ::testing::TestWithParam<CachedCase> {};

TEST_P(SideCaches, GiveTheValuesOfAFlatMemory) {
    SystemConfig c = cached_system(GetParam());
    c.checks.functional = true;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const nlohmann::json result = run_apart([&] {
            RandomProgram program(seed, {});
            SystemOptions options;
            options.hooks = &program;
            options.order_seed = seed;
            options.shuffle_seed = seed;
            System system(c, program.workload(), options);
            system.run();
            nlohmann::json r{{"wrong", program.wrong_in(system)}, {"compared", program.compared_bytes()}};
            r["statistics"] = system.stats().values();
            return r;
        });
        EXPECT_EQ(result["wrong"], "");
        EXPECT_GT(result["compared"], 1000);
        std::uint64_t hits = 0, written = 0;
        for (unsigned s = 0; s < c.sockets; ++s) {
            const std::string cache = "socket" + std::to_string(s) + ".memory.cache.";
            hits += stat(result["statistics"], cache + "hits");
            written += stat(result["statistics"], cache + "written");
        }
        EXPECT_GT(hits, 0U);
        EXPECT_GT(written, 0U) << "dirty lines are evicted";
    }
}
INSTANTIATE_TEST_SUITE_P(All, SideCaches,
                         ::testing::Values(CachedCase{"plain"}, CachedCase{"sectors", 1, true},
                                           CachedCase{"controllers", 1, false, L2Organisation::memory_side, 0},
                                           CachedCase{"coherent", 2, false, L2Organisation::coherent},
                                           CachedCase{"sectors_of_two", 2, true, L2Organisation::numa_aware},
                                           CachedCase{"depth_1", 2, false, L2Organisation::coherent, 16, 1}),
                         [](const auto& param) { return std::string(param.param.name); });

/// Reads of so many lines by one warp, `laps` times, past the L1.
nlohmann::json read_lines(const SystemConfig& c, unsigned lines, unsigned laps, bool stores) {
    return run_apart([&] {
        const auto code = [&](std::uint64_t, unsigned) {
            WarpCode all;
            for (unsigned lap = 0; lap < laps; ++lap)
                for (unsigned i = 0; i < lines; ++i)
                    all.push_back(stores && lap == 0 ? store(kHandBase + i * kLineBytes)
                                                     : load_past_l1(kHandBase + i * kLineBytes, 1, 1));
            return all;
        };
        System system(c, hand_workload({hand_launch("lines", 1, 1, code)}));
        system.run();
        return nlohmann::json(system.stats().values());
    });
}

/// The L2 holds 128 lines, the cache behind it 512.
SystemConfig larger_cache() {
    SystemConfig c = small_system(1);
    c.socket.l2.set_index = SetIndex::even;
    c.socket.memory.cache.size_kib = 64;
    c.socket.memory.cache.ways = 4;
    return c;
}

TEST(SideCache, HoldsWhatTheL2Loses) {
    const nlohmann::json statistics = read_lines(larger_cache(), 512, 3, false);
    const nlohmann::json& memory = statistics["socket0"]["memory"];
    EXPECT_EQ(memory["reads"], 512) << "each line once";
    EXPECT_EQ(memory["cache"]["misses"], 512);
    EXPECT_EQ(memory["cache"]["hits"], 2 * 512) << "a lap is longer than the L2";
    EXPECT_EQ(statistics["socket0"]["l2"]["local"]["misses"], 3 * 512);
}

TEST(SideCache, KeepsDirtyLinesFromMemory) {
    const nlohmann::json statistics = read_lines(larger_cache(), 512, 2, true);
    const nlohmann::json& memory = statistics["socket0"]["memory"];
    EXPECT_EQ(memory["reads"], 0) << "all bytes are in the caches";
    EXPECT_EQ(memory["writes"], 0);
    EXPECT_GT(memory["cache"]["writes"], 300) << "the L2 evicts";
}

TEST(SideCache, CountsItsEnergy) {
    SystemConfig c = larger_cache();
    c.energy.model = EnergyModel::events;
    c.socket.memory.cache.read_pj = 10;
    c.socket.memory.cache.fill_pj = 1;
    const nlohmann::json energy = read_lines(c, 512, 3, false)["energy"];
    EXPECT_DOUBLE_EQ(energy["memory_cache_pj"].get<double>(), 4 * (2 * 512 * 10 + 512 * 1));
    double sum = 0;
    for (const auto& [name, value] : energy.items())
        if (value.is_number() && name != "total_pj") sum += value.get<double>();
    EXPECT_NEAR(energy["total_pj"].get<double>(), sum, 1e-6 * sum);
}

TEST(SideCache, LeavesNothingWhereThereIsNone) {
    SystemConfig c = small_system(1);
    c.energy.model = EnergyModel::events;
    const std::string statistics = read_lines(c, 8, 1, false).dump();
    EXPECT_EQ(statistics.find("cache"), std::string::npos);
}

} // namespace
} // namespace numavp::test
