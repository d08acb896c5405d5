/// Several workers give the results of one: on machines that press where workers meet, and whatever edges they share.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "platform/machine/shards.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/platform/nuba/small_nuba.h"
#include "tests/support/fast_build.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

using nlohmann::json;

struct Shared {
    unsigned workers = 1;
    std::uint64_t seed = 0; ///< 0: the edges that pay
};

/// Statistics, kernels and events; what the run ended with, if it failed.
json outcome(const SystemConfig& config, const Workload& workload, const Shared& shared) {
    return run_apart([&]() -> json {
        SystemOptions options;
        options.workers = shared.workers;
        if (shared.seed != 0) options.worker_seed = options.shuffle_seed = shared.seed;
        try {
            System system(config, workload, options);
            system.run();
            json events;
            for (const TimelineEvent& e : system.timeline())
                events.push_back({e.cycle, e.end, e.socket, e.what, e.name});
            return {system.stats().values(), system.kernels(), events, system.cycles(), system.workers()};
        } catch (const ConfigError& error) {
            return error.what();
        }
    });
}

void expect_the_same(const SystemConfig& config, const Workload& workload) {
    json expected = outcome(config, workload, {});
    const unsigned most = whole_run() ? config.sockets : 2; // threads that wait for each other: slow on busy cores
    for (unsigned workers = 2; workers <= most; ++workers)
        for (std::uint64_t seed = 0; seed <= of_seeds(3); ++seed) {
            if (expected.is_array()) expected.back() = workers; // that ran
            EXPECT_EQ(outcome(config, workload, {workers, seed}), expected) << workers << " workers, seed " << seed;
        }
}

SystemConfig shared_system(unsigned sockets = 4) {
    SystemConfig config = small_system(sockets);
    config.checks.protocol = false;
    return config;
}

Workload drawn_work(std::uint64_t seed) {
    RandomProgramShape shape;
    shape.kernels = 2;
    return RandomProgram(seed, shape).workload();
}

TEST(Workers, GiveTheResultsOfOne) { expect_the_same(shared_system(), drawn_work(1)); }

TEST(Workers, GiveTheResultsOfOneWhereEveryWireHoldsOneRecord) {
    SystemConfig config = shared_system();
    set_all_depths(config, 1);
    expect_the_same(config, drawn_work(2));
}

TEST(Workers, GiveTheResultsOfOneWhereBlocksAreStolen) {
    SystemConfig config = shared_system(3);
    config.dispatch.split = BlockSplit::stealing;
    expect_the_same(config, drawn_work(3));
}

TEST(Workers, GiveTheResultsOfOneWhereSocketsHaveOtherClocks) {
    SystemConfig config = shared_system(3);
    config.socket.clocks_khz.l2 = 700'000;
    config.socket.clocks_khz.noc = 1'250'000;
    expect_the_same(config, drawn_work(4));
}

/// Accesses that end in another clock's deliveries let the kernel end an edge later.
TEST(Workers, GiveTheResultsOfOneWhereSmsHaveAnotherClock) {
    SystemConfig config = shared_system(2);
    config.socket.clocks_khz.sm = 500'000;
    const Workload workload = hand_workload({hand_launch("stores", 8, 1, [](std::uint64_t block, unsigned) {
        return WarpCode{store(kHandBase + block * kLineBytes), store(kHandBase + (block + 8) * kLineBytes)};
    })});
    for (unsigned offset = 0; offset < 4; ++offset) { // of the end to the slower clock
        config.link.switch_cycles = 10 + offset;
        expect_the_same(config, workload);
    }
}

// --- networks of routers

SystemConfig shared_fabric(FabricKind topology, unsigned sockets = 4) {
    SystemConfig config = fabric_system(sockets, topology);
    config.checks.protocol = false;
    return config;
}

SystemConfig shared_cubes(FabricKind topology) {
    SystemConfig config = cube_system(4, 2, topology, 2);
    config.checks.protocol = false;
    return config;
}

TEST(Workers, GiveTheResultsOfOneInATorus) { expect_the_same(shared_fabric(FabricKind::torus), drawn_work(8)); }

/// A slower network, whose edges lie between the packages', and whose buffers and credits are always short.
TEST(Workers, GiveTheResultsOfOneWhereANetworkIsFull) {
    SystemConfig config = shared_fabric(FabricKind::ring);
    config.network.noc_khz = 300'000;
    set_least_depths(config);
    expect_the_same(config, drawn_work(9));
}

TEST(Workers, GiveTheResultsOfOneWhereUgalChoosesWays) {
    SystemConfig config = shared_fabric(FabricKind::flattened_butterfly);
    config.network.routing = RoutingKind::ugal;
    config.network.ugal_threshold = 0;
    expect_the_same(config, drawn_work(10));
}

TEST(Workers, GiveTheResultsOfOneAmongCubes) { expect_the_same(shared_cubes(FabricKind::sfbfly), drawn_work(11)); }

TEST(Workers, GiveTheResultsOfOneWhereRequestsChooseTheirEntry) {
    SystemConfig config = shared_cubes(FabricKind::dfbfly);
    config.network.routing = RoutingKind::adaptive_entry;
    expect_the_same(config, drawn_work(12));
}

/// Whether slices keep replicas changes between edges, by what one partition's requests were.
TEST(Workers, GiveTheResultsOfOneWhereLinesAreReplicated) {
    SystemConfig config = small_nuba(4, ReplicationPolicy::model);
    config.checks.protocol = false;
    expect_the_same(config, drawn_work(16));
}

TEST(Workers, HaveTheMemoryOfTheirGpus) {
    const SystemConfig config = shared_cubes(FabricKind::sfbfly);
    SystemOptions options;
    options.workers = 2;
    EXPECT_EQ(divide(config, drawn_work(13), options).of_package,
              (std::vector<unsigned>{0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1}));
    options.workers = 6; // more than GPUs
    EXPECT_EQ(divide(config, drawn_work(13), options).of_package,
              (std::vector<unsigned>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
}

// --- what they have in common

TEST(Workers, GiveTheResultsOfOneWhereTranslationTakesNoTime) {
    SystemConfig config = shared_system();
    config.translation.mode = TranslationMode::ideal;
    expect_the_same(config, drawn_work(14));
}

TEST(Workers, GiveTheResultsOfOneWithStreamsSideBySide) {
    SystemConfig config = shared_system();
    config.dispatch.message_cycles = 16;
    RandomProgramShape shape;
    shape.kernels = 4;
    shape.streams = 2;
    expect_the_same(config, RandomProgram(15, shape).workload());
}

/// All SMs touch the same new pages in the same cycle: each is its first socket's, as one worker has it.
TEST(Workers, GivePagesToTheFirstSocketThatTouchesThem) {
    SystemConfig config = shared_system();
    config.placement.policy = PlacementKind::first_touch;
    config.dispatch.launch_cycles = 0;
    constexpr unsigned kPages = 8;
    const std::uint64_t page = config.placement.page_bytes();
    const Workload workload = hand_workload({hand_launch("touch", config.sockets, 1, [page](std::uint64_t, unsigned) {
        WarpCode code;
        for (unsigned i = 0; i < kPages; ++i) code.push_back(load(kHandBase + i * page));
        return code;
    })});
    const json one = outcome(config, workload, {});
    EXPECT_EQ(one[0].at("socket0").at("memory").at("allocated_bytes"), kPages * page);
    expect_the_same(config, workload);
}

/// A page without a place ends the run with the same sentence.
TEST(Workers, FailAsOneDoes) {
    SystemConfig config = shared_system(2);
    config.placement.address_bits = 34;
    const Workload workload = hand_workload({hand_launch("far", 4, 1, [](std::uint64_t, unsigned) {
        return WarpCode{load(kHandBase, 1), load(std::uint64_t{1} << 40, 2, 1)};
    })});
    const json one = outcome(config, workload, {});
    ASSERT_TRUE(one.is_string()) << one;
    EXPECT_NE(one.get<std::string>().find("34-bit"), std::string::npos) << one;
    expect_the_same(config, workload);
}

std::string why_one(const SystemConfig& config, const Workload& workload, unsigned workers = 2) {
    return run_apart([&]() -> json {
               SystemOptions options;
               options.workers = workers;
               try {
                   const System system(config, workload, options);
                   if (system.workers() == workers) return system.why_one_worker();
                   return system.workers() == 1 ? system.why_one_worker() : std::to_string(system.workers());
               } catch (const ConfigError& error) {
                   return error.what();
               }
           })
        .get<std::string>();
}

TEST(Workers, AreOneWhereTheyCannotShare) {
    const Workload work = drawn_work(5);
    const auto why = [&](const auto& change, unsigned sockets = 4) {
        SystemConfig config = shared_system(sockets);
        change(config);
        return why_one(config, work);
    };
    EXPECT_EQ(why([](SystemConfig&) {}), "");
    EXPECT_EQ(why([](SystemConfig&) {}, 1), "the system has one package");
    EXPECT_EQ(why([](SystemConfig& c) { c.checks.protocol = true; }), "checks.protocol is on");
    EXPECT_EQ(why([](SystemConfig& c) { c.checks.functional = true; }), "memories hold data");
    EXPECT_EQ(why([](SystemConfig& c) { c.translation.mode = TranslationMode::full; }), "page tables are walked");
    EXPECT_EQ(why([](SystemConfig& c) { c.link.cut = LinkCutKind::flits; }), "a link is cut for a relay");
    RandomProgramShape shape;
    shape.streams = 2;
    EXPECT_EQ(why_one(shared_system(), RandomProgram(6, shape).workload()),
              "kernels of several streams run, and dispatch.message_cycles is 0");
}

TEST(Workers, AreAtMostThePackages) {
    EXPECT_EQ(why_one(shared_system(2), drawn_work(7), 3),
              "--workers: small has 2 packages, and a package is one worker's; 1 to 2 are allowed");
}

} // namespace
} // namespace numavp::test
