/// The same bytes come out however often a system is run and in whatever order its modules are built.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLinesOfRun = 4096;

/// Random accesses, most of them to a range of which each socket owns a part; fences in between.
WarpCode busy_warp(std::uint64_t kernel, std::uint64_t block, unsigned warp) {
    Rng rng(kernel * 1000 + block, warp);
    WarpCode code;
    for (unsigned i = 0; i < 60; ++i) {
        const std::uint64_t line = kHandBase + rng.below(kLinesOfRun) * kLineBytes;
        const auto reg = static_cast<std::uint8_t>(rng.below(8));
        switch (rng.below(8)) {
        case 0: code.push_back(atomic(line, reg)); break;
        case 1:
        case 2: code.push_back(store(line, reg)); break;
        default: code.push_back(load(line, reg)); break;
        }
        if (i % 30 == 29) code.push_back(fence());
    }
    return code;
}

/// All blocks read what the last socket owns: its link saturates outward.
WarpCode reading_warp(std::uint64_t block, unsigned warp) {
    WarpCode code;
    for (unsigned i = 0; i < 150; ++i)
        code.push_back(
            load(kHandBase + (kLinesOfRun * 3 / 4 + (block * 97 + warp * 31 + i) % (kLinesOfRun / 4)) * kLineBytes));
    return code;
}

Workload busy_workload() {
    std::vector<Launch> launches;
    launches.push_back(hand_launch("touch", 32, 1, [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (std::uint64_t i = 0; i < kLinesOfRun / 32; ++i)
            code.push_back(store(kHandBase + (block * kLinesOfRun / 32 + i) * kLineBytes));
        return code;
    }));
    for (std::uint64_t k = 0; k < 4; ++k) {
        launches.push_back(hand_launch("read" + std::to_string(k), 16, 4, reading_warp));
        for (std::uint64_t stream = 1; stream <= 2; ++stream)
            launches.push_back(hand_launch(
                "busy", 16, 2,
                [k, stream](std::uint64_t block, unsigned warp) { return busy_warp(k * 10 + stream, block, warp); },
                stream));
    }
    return hand_workload(std::move(launches));
}

SystemConfig busy_system() {
    SystemConfig c = small_system(4);
    c.socket.l2.organisation = L2Organisation::numa_aware;
    c.link.balancer = LaneBalancerKind::dynamic;
    c.placement.page_kib = 4;
    c.results.interval_cycles = 100;
    return c;
}

struct Bytes {
    std::string statistics, series;
    json values;
};

Bytes run_busy(std::uint64_t order_seed) {
    const json figures = run_apart([order_seed] {
        const Workload workload = busy_workload();
        SystemOptions options;
        options.order_seed = order_seed;
        System system(busy_system(), workload, options);
        system.run();
        return json{{"statistics", system.stats().values().dump()}, {"series", system.series().json().dump()}};
    });
    Bytes bytes{figures["statistics"], figures["series"], {}};
    bytes.values = json::parse(bytes.statistics);
    return bytes;
}

TEST(Repeatable, TheWorkloadUsesAllThatCouldDependOnOrder) {
    const Bytes bytes = run_busy(0);
    std::uint64_t atomics = 0, forwarded = 0, fences = 0, remote = 0, turns = 0, changes = 0;
    for (unsigned s = 0; s < 4; ++s) {
        const std::string socket = "socket" + std::to_string(s);
        atomics += stat(bytes.values, socket + ".l2.atomics");
        forwarded += stat(bytes.values, socket + ".l2.forwarded_atomics");
        fences += stat(bytes.values, socket + ".sm.fences");
        remote += stat(bytes.values, socket + ".l1.misses_remote");
        turns += stat(bytes.values, socket + ".link.lane_turns");
        changes += stat(bytes.values, socket + ".ways.changes");
    }
    EXPECT_EQ(stat(bytes.values, "system.kernels"), 13U);
    EXPECT_GT(atomics, 0U);
    EXPECT_GT(forwarded, 0U);
    EXPECT_GT(fences, 0U);
    EXPECT_GT(remote, 0U);
    EXPECT_GT(turns, 0U);
    EXPECT_GT(changes, 0U);
}

TEST(Repeatable, TwoRunsGiveTheSameBytes) {
    const Bytes one = run_busy(0), other = run_busy(0);
    EXPECT_EQ(one.statistics, other.statistics);
    EXPECT_EQ(one.series, other.series);
}

TEST(Repeatable, TheOrderOfConstructionDoesNotMatter) {
    const Bytes one = run_busy(0);
    const std::vector<std::uint64_t> seeds = kFastBuild && whole_run()
                                                 ? std::vector<std::uint64_t>{1, 2, 3, 12345, 1ULL << 40}
                                                 : std::vector<std::uint64_t>{12345};
    for (const std::uint64_t seed : seeds) {
        const Bytes other = run_busy(seed);
        EXPECT_EQ(one.statistics, other.statistics) << "order seed " << seed;
        EXPECT_EQ(one.series, other.series) << "order seed " << seed;
    }
}

} // namespace
} // namespace numavp::test
