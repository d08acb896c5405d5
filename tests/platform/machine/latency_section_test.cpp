/// The section access_latency of results.json: over all sockets, the loads of the statistics and every store and
/// atomic; its buckets hold each access once.
#include <gtest/gtest.h>

#include "base/stats/histogram.h"
#include "platform/accesses/results_latency.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

TEST(LatencySection, HasEveryAccessOfTheStatistics) {
    const RandomProgram program(5, {});
    System system(small_system(3), program.workload());
    system.run();
    const json values = system.stats().values();
    const ordered_json latency = access_latency_json(system);
    const auto over_sockets = [&](const std::string& path) {
        std::uint64_t sum = 0;
        for (const char* socket : {"socket0.", "socket1.", "socket2."}) sum += stat(values, socket + path);
        return sum;
    };
    for (const char* home : {"local", "remote"}) {
        const std::string loads = std::string("load_latency.") + home;
        EXPECT_EQ(latency["load"][home]["count"], over_sockets(loads + ".loads"));
        EXPECT_EQ(latency["load"][home]["sum_ps"], over_sockets(loads + ".total_ps"));
        EXPECT_GT(latency["load"][home]["count"], 50U);
    }
    for (const char* kind : {"store", "atomic"})
        EXPECT_EQ(latency[kind]["local"]["count"].get<std::uint64_t>() +
                      latency[kind]["remote"]["count"].get<std::uint64_t>(),
                  over_sockets(std::string("l1.") + kind + "_lines"));
    for (const auto& [kind, homes] : latency.items())
        for (const auto& [home, of] : homes.items()) {
            std::uint64_t held = 0, before = 0;
            for (const ordered_json& bucket : of["buckets"]) {
                EXPECT_GT(bucket[0], before);
                EXPECT_GT(bucket[1], 0U);
                before = bucket[0].get<std::uint64_t>();
                held += bucket[1].get<std::uint64_t>();
            }
            ASSERT_GT(held, 0U) << kind << home;
            EXPECT_EQ(held, of["count"]) << kind << home;
            EXPECT_GE(before, of["max_ps"]) << kind << home;
            EXPECT_LE(of["min_ps"], of["p50_ps"]);
            EXPECT_LE(of["p50_ps"], of["p99_ps"]);
            EXPECT_LE(of["p99_ps"], of["p99_9_ps"]);
            EXPECT_LE(of["p99_9_ps"], of["max_ps"]);
        }
}

TEST(LatencySection, KnowsNothingOfWhatWasNot) {
    const RandomProgram program(5, {});
    System system(small_system(1), program.workload());
    system.run();
    const ordered_json none = access_latency_json(system)["load"]["remote"];
    EXPECT_EQ(none["count"], 0U);
    EXPECT_EQ(none["buckets"], ordered_json::array());
    for (const char* key : {"mean_ps", "min_ps", "max_ps", "p50_ps", "p90_ps", "p99_ps", "p99_9_ps"})
        EXPECT_TRUE(none[key].is_null()) << key;
}

} // namespace
} // namespace numavp::test
