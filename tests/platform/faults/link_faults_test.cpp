/// Links of sockets with bit errors and lanes that are retired, as a user sees them: values stay right, results count
/// what was sent again, and without errors nothing changes.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

SystemConfig faulty_system(double rate) {
    SystemConfig c = small_system(4);
    c.socket.l2.organisation = L2Organisation::numa_aware;
    c.link.balancer = LaneBalancerKind::dynamic;
    c.link.errors.bit_error_rate = rate;
    c.placement.page_kib = 4;
    return c;
}

/// Runs a random program and returns its statistics, with "wrong" if a value was wrong.
json run_faulty(const SystemConfig& config, std::uint64_t seed, std::uint64_t order = 0) {
    return run_apart([&] {
        config.validate(Place("file"));
        SystemConfig checked = config;
        checked.checks.functional = true;
        RandomProgramShape shape;
        shape.kernels = 2;
        RandomProgram program(seed, shape);
        SystemOptions options;
        options.hooks = &program;
        options.order_seed = order;
        System system(checked, program.workload(), options);
        system.run();
        json values = system.stats().values();
        values["wrong"] = program.wrong_in(system);
        json rows = json::array();
        for (const TimelineEvent& event : system.timeline())
            if (event.what == "errors" || event.name == "lane retired")
                rows.push_back({event.name, event.cycle, event.end, event.socket});
        values["rows"] = rows;
        return values;
    });
}

std::uint64_t of_link(const json& values, unsigned socket, const std::string& path) {
    return stat(values, "socket" + std::to_string(socket) + ".link." + path);
}
std::uint64_t over_links(const json& values, const std::string& path) {
    std::uint64_t sum = 0;
    for (unsigned s = 0; s < 4; ++s) sum += of_link(values, s, path);
    return sum;
}
std::uint64_t both_ways(const json& values, const std::string& path) {
    return over_links(values, "out." + path) + over_links(values, "in." + path);
}

class ErrorRates : public ::testing::TestWithParam<double> {};

/// No transaction is lost or comes twice: all values are right, and the accounts of the machine close (a run that does
/// not account for all of its packets is an error).
TEST_P(ErrorRates, KeepAllValues) {
    std::uint64_t errors = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SystemConfig config = faulty_system(GetParam());
        if (seed % 2 == 0) config.link.errors.buffer_bytes = 256; // full most of the time
        const json values = run_faulty(config, seed);
        EXPECT_EQ(values["wrong"], "") << "seed " << seed;
        EXPECT_GE(both_ways(values, "replayed_packets"), both_ways(values, "errors"));
        if (seed % 2 == 0) {
            EXPECT_GT(both_ways(values, "retry_stall_cycles"), 0U);
        }
        errors += both_ways(values, "errors");
    }
    EXPECT_GT(errors, 10U);
}
INSTANTIATE_TEST_SUITE_P(All, ErrorRates, ::testing::Values(3e-3, 1e-4));

TEST(LinkErrors, AreInResultsEnergyAndTimeline) {
    const json values = run_faulty(faulty_system(1e-3), 5);
    const std::uint64_t errors = both_ways(values, "errors");
    EXPECT_GT(errors, 0U);
    const std::uint64_t replayed = both_ways(values, "replayed_bytes");
    EXPECT_GT(both_ways(values, "replay_delay_cycles"), errors * 2 * LinkConfig{}.latency_cycles);
    double pj = 0;
    for (unsigned s = 0; s < 4; ++s)
        pj += values["socket" + std::to_string(s)]["link"]["replay_energy_pj"].get<double>();
    EXPECT_DOUBLE_EQ(pj, static_cast<double>(replayed) * 8 * 10 / 2);
    EXPECT_DOUBLE_EQ(values["system"]["link_energy_pj"].get<double>(),
                     pj + static_cast<double>(over_links(values, "out.bytes")) * 8 * 10);
    EXPECT_GT(values["rows"].size(), 0U);
    for (const json& row : values["rows"]) // an error is known a round trip after the packet, which then comes anew
        EXPECT_GT(row[2].get<std::uint64_t>(), row[1].get<std::uint64_t>() + 3 * LinkConfig{}.latency_cycles);
}

TEST(LinkErrors, OfARateOfZeroAreNotThere) {
    SystemConfig off = faulty_system(0);
    const json plain = run_faulty(off, 3);
    off.link.errors.seed = 9;
    off.link.errors.retire_errors = 1;
    off.link.errors.buffer_bytes = 512;
    EXPECT_TRUE(run_faulty(off, 3) == plain);
}

/// At a rate at which nothing happens the retry buffer alone is there, which holds a round trip.
TEST(LinkErrors, ThatNeverComeTakeNoTime) {
    const json plain = run_faulty(faulty_system(0), 3), never = run_faulty(faulty_system(1e-18), 3);
    EXPECT_EQ(both_ways(never, "errors"), 0U);
    for (const char* same : {"cycles", "transactions_issued", "link_energy_pj"})
        EXPECT_EQ(never["system"][same], plain["system"][same]) << same;
}

TEST(LinkErrors, FollowTheSeedAndEachDirection) {
    SystemConfig config = faulty_system(1e-3);
    const json one = run_faulty(config, 3), again = run_faulty(config, 3);
    EXPECT_TRUE(one == again);
    EXPECT_TRUE(run_faulty(config, 3, 77) == one) << "deliveries in another order";
    config.link.errors.seed = 2;
    EXPECT_NE(run_faulty(config, 3)["rows"], one["rows"]);
}

/// Cycles in which socket 0 reads lines of socket 1, whose link has `lanes` lanes out.
json reading(SystemConfig config, unsigned lines) {
    config.sockets = 2;
    config.validate(Place("file"));
    return run_apart([&] {
        const Workload workload =
            hand_workload({hand_launch("touch", 2, 1,
                                       [=](std::uint64_t block, unsigned) {
                                           WarpCode code;
                                           for (unsigned i = 0; block == 1 && i < lines; ++i)
                                               code.push_back(store(kHandBase + std::uint64_t{i} * kLineBytes));
                                           return code;
                                       }),
                           hand_launch("read", 2, 1, [=](std::uint64_t block, unsigned) {
                               WarpCode code;
                               for (unsigned i = 0; block == 0 && i < lines; ++i)
                                   code.push_back(load_past_l1(kHandBase + std::uint64_t{i} * kLineBytes));
                               return code;
                           })});
        System system(config, workload);
        system.run();
        json values = system.stats().values();
        values["read"] = kernel_cycles(system, "read");
        return values;
    });
}

/// A packet of n bits is asked for again w / (1 - w) times in the mean, with w = 1 - (1 - rate)^n, and a variance of
/// w / (1 - w)^2. Packets are requests of 8 B and lines of 136 B, on two links each.
TEST(LinkErrors, AreAsManyAsTheClosedForm) {
    constexpr double kRate = 1e-3;
    SystemConfig config = small_system(2);
    config.placement.page_kib = 4;
    config.link.errors.bit_error_rate = kRate;
    const json values = reading(config, 800);
    double expected = 0, variance = 0, errors = 0;
    for (const unsigned socket : {0U, 1U}) {
        for (const std::string way : {"out.", "in."}) {
            const std::uint64_t requests = of_link(values, socket, way + "request_packets");
            const std::uint64_t responses = of_link(values, socket, way + "response_packets");
            ASSERT_EQ(of_link(values, socket, way + "bytes"), 8 * requests + 136 * responses);
            errors += static_cast<double>(of_link(values, socket, way + "errors"));
            for (const auto& [packets, bytes] : {std::pair(requests, 8), std::pair(responses, 136)}) {
                const double wrong = -std::expm1(8.0 * bytes * std::log1p(-kRate));
                expected += static_cast<double>(packets) * wrong / (1 - wrong);
                variance += static_cast<double>(packets) * wrong / ((1 - wrong) * (1 - wrong));
            }
        }
    }
    EXPECT_GE(errors, 2500.0);
    EXPECT_NEAR(errors, expected, 3 * std::sqrt(variance));
}

/// Links of two sockets that read the same, and the two links of a way, have as many bits and not the same errors. The
/// directions of one link: tests/tlm-links/link_test.cpp.
TEST(LinkErrors, OfEachLinkAreItsOwn) {
    SystemConfig config = small_system(3);
    config.placement.page_kib = 4;
    config.link.errors.bit_error_rate = 1e-3;
    config.validate(Place("file"));
    const json values = run_apart([&] {
        const auto lines = [](bool works, auto access) {
            WarpCode code;
            for (unsigned i = 0; works && i < 400; ++i)
                code.push_back(access(kHandBase + std::uint64_t{i} * kLineBytes));
            return code;
        };
        const Workload workload =
            hand_workload({hand_launch("touch", 3, 1,
                                       [&](std::uint64_t block, unsigned) {
                                           return lines(block == 0, [](std::uint64_t at) { return store(at); });
                                       }),
                           hand_launch("read", 3, 1, [&](std::uint64_t block, unsigned) {
                               return lines(block != 0, [](std::uint64_t at) { return load_past_l1(at); });
                           })});
        System system(config, workload);
        system.run();
        return json(system.stats().values());
    });
    ASSERT_EQ(of_link(values, 1, "in.bytes"), of_link(values, 2, "in.bytes"));
    EXPECT_NE(of_link(values, 1, "in.errors"), of_link(values, 2, "in.errors"));
    SystemConfig two = small_system(2);
    two.placement.page_kib = 4;
    two.link.errors.bit_error_rate = 1e-3;
    const json one_way = reading(two, 400);
    ASSERT_EQ(of_link(one_way, 1, "out.bytes"), of_link(one_way, 0, "in.bytes"));
    EXPECT_NE(of_link(one_way, 1, "out.errors"), of_link(one_way, 0, "in.errors"));
}

/// The machine of the paper: of eight lanes out of socket 1 two are left, 16 B a cycle.
TEST(RetiredLane, OfThePapersMachineIsCounted) {
    SystemConfig config = load_system("numa-aware-4", {"link.balancer=static", "placement.page_kib=4"});
    config.faults.retrain_us = 0;
    config.faults.events.push_back({FaultKind::lane, 0.0, "socket[1]", "", FaultSide::out, 6});
    constexpr unsigned kLines = 1000;
    const json values = reading(config, kLines);
    const double cycles = kLines * 136 / 16.0;
    EXPECT_GE(values["read"].get<double>(), cycles);
    EXPECT_LE(values["read"].get<double>(), cycles + 1000);
    EXPECT_EQ(stat(values, "socket1.link.lanes_out"), 2U);
    EXPECT_EQ(stat(values, "socket1.link.out.lane_cycles"), 2 * stat(values, "system.cycles") + 6) << "6 for a cycle";
}

/// And its values: while lanes turn, retire at a given time, and bits are wrong.
TEST(RetiredLane, OfThePapersMachineKeepsValues) {
    SystemConfig config = load_system("numa-aware-4", {"link.errors.bit_error_rate=1e-5", "link.sample_cycles=500"});
    config.faults.retrain_us = 0.5;
    config.faults.events = {{FaultKind::lane, 2.0, "socket[0]", "", FaultSide::out, 2},
                            {FaultKind::lane, 3.0, "socket[2..3]", "", FaultSide::in, 1}};
    const json values = run_faulty(config, 6);
    EXPECT_EQ(values["wrong"], "");
    EXPECT_EQ(of_link(values, 0, "retired_lanes"), 2U);
    for (const unsigned socket : {2U, 3U}) EXPECT_EQ(of_link(values, socket, "retired_lanes"), 1U);
}

/// Of two lanes of 8 B a cycle one is left: a packet of 136 B takes 17 cycles.
TEST(RetiredLane, LeavesTheBandwidthOfTheOthers) {
    constexpr unsigned kLines = 400;
    SystemConfig two = small_system(2);
    two.placement.page_kib = 4;
    two.link.lanes_out = two.link.lanes_in = 2;
    const json before = reading(two, kLines);
    SystemConfig retired = two;
    retired.faults.retrain_us = 0;
    retired.faults.events.push_back({FaultKind::lane, 0.0, "socket[1]", "", FaultSide::out, 1});
    const json after = reading(retired, kLines);
    EXPECT_LT(before["read"].get<std::uint64_t>(), kLines * 17U * 3 / 4);
    EXPECT_GE(after["read"].get<std::uint64_t>(), kLines * 17U);
    EXPECT_LE(after["read"].get<std::uint64_t>(), kLines * 17U + 1000);
    EXPECT_EQ(stat(after, "socket1.link.retired_lanes"), 1U);
    EXPECT_EQ(stat(after, "socket1.link.lanes_out"), 1U);
    EXPECT_EQ(stat(after, "socket1.link.lanes_in"), 2U);
    const std::uint64_t cycles = stat(after, "system.cycles");
    EXPECT_NEAR(static_cast<double>(stat(after, "socket1.link.out.lane_cycles")), static_cast<double>(cycles), 2.0);
    EXPECT_EQ(stat(after, "socket0.link.out.lane_cycles"), 2 * cycles) << "other links keep theirs";
}

TEST(RetiredLane, RestsWhileItGoesOverToFewer) {
    SystemConfig config = small_system(2);
    config.placement.page_kib = 4;
    config.link.lanes_out = config.link.lanes_in = 2;
    config.faults.events.push_back({FaultKind::lane, 0.0, "socket[1]", "", FaultSide::out, 1});
    const std::uint64_t cycles = reading(config, 400)["read"].get<std::uint64_t>();
    config.faults.retrain_us = 21.0;
    const json later = reading(config, 400);
    EXPECT_GT(later["read"].get<std::uint64_t>(), cycles + 10000) << "the read waits for what is left of 21,000 cycles";
}

/// By errors: eight lanes each way lose one after the other while values stay right.
TEST(RetiredLane, ByErrorsKeepsValues) {
    SystemConfig config = faulty_system(1e-3);
    config.link.errors.retire_errors = 3;
    config.link.errors.retire_window_us = 5;
    config.link.errors.retrain_us = 0.2;
    std::uint64_t retired = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const json values = run_faulty(config, seed);
        EXPECT_EQ(values["wrong"], "");
        retired += over_links(values, "retired_lanes");
        for (unsigned s = 0; s < 4; ++s)
            EXPECT_EQ(of_link(values, s, "lanes_out") + of_link(values, s, "lanes_in") +
                          of_link(values, s, "retired_lanes"),
                      16U);
    }
    EXPECT_GT(retired, 5U);
}

std::string refused(const SystemConfig& config) {
    try {
        config.validate(Place("file"));
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(LinkFaults, AreRefusedWhereTheyCannotBe) {
    SystemConfig config = small_system(4);
    const auto with = [&config](const FaultEvent& event) {
        SystemConfig c = config;
        c.faults.events = {event};
        return refused(c);
    };
    const std::string events = "file: $.faults.events[0]";
    EXPECT_EQ(with({FaultKind::lane, 1.0, "socket[1]", "", FaultSide::out, 7}), "");
    EXPECT_EQ(with({FaultKind::lane, 1.0, "socket[1]", "", FaultSide::out, 8}),
              events + ".lanes: 8 of 8 lanes leave none; at most 7 are allowed");
    SystemConfig twice = config;
    twice.faults.events = {{FaultKind::lane, 1.0, "socket[1]", "", FaultSide::out, 4},
                           {FaultKind::lane, 2.0, "socket[1]", "", FaultSide::in, 4},
                           {FaultKind::lane, 3.0, "socket[0..1]", "", FaultSide::out, 4}};
    EXPECT_EQ(refused(twice), "file: $.faults.events[2].lanes: 4 of 8 lanes leave none, with 4 that faults before this "
                              "one retire; at most 7 are allowed in all");
    EXPECT_EQ(with({FaultKind::link, 1.0, "socket[1]", "socket[2]", FaultSide::out, 2}),
              events + ".lanes: links and routers fail as a whole; lanes are for faults of kind lane");
    EXPECT_EQ(with({FaultKind::lane, 1.0, "", "", FaultSide::out, 1}),
              events + ".part: the fault names no part; one is expected");
    EXPECT_NE(with({FaultKind::link, 1.0, "socket[1]", "socket[2]", FaultSide::out, 1})
                  .find("no network of routers joins the sockets, so that no other way is left"),
              std::string::npos);
    config.link.errors.bit_error_rate = 1e-6;
    config.link.errors.buffer_bytes = 100;
    EXPECT_NE(refused(config).find("link.errors.buffer_bytes: 100 B hold no packet"), std::string::npos);
}

} // namespace
} // namespace numavp::test
