/// Systems whose sockets are joined by routers: channels with bit errors, lanes that are retired, links that fail.
/// Values of random programs stay right, and results count what happened.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

using nlohmann::json;

constexpr unsigned kTorusLanes = 4;

/// Eight sockets in a torus of 4 by 2 whose channels are made of lanes that turn.
SystemConfig torus_of_lanes() {
    SystemConfig c = fabric_system(8, FabricKind::wires);
    c.network.flit_bytes = 16;
    c.network.noc_khz = 4'000'000;
    c.network.buffer_bytes = 512;
    NetworkLink lanes;
    lanes.name = "lanes";
    lanes.gbytes_per_s = 32;
    lanes.latency_ns = 10;
    lanes.lanes = kTorusLanes;
    lanes.balancer = LaneBalancerKind::dynamic;
    lanes.sample_ns = 200;
    lanes.switch_ns = 10;
    c.network.links = {lanes};
    NetworkWire all;
    all.all = "socket";
    all.shape = WireShape::torus;
    all.dimensions = {4, 2};
    all.link = "lanes";
    c.network.wires = {all};
    c.checks.functional = true;
    return c;
}

json run_routed(const SystemConfig& config, std::uint64_t seed) {
    return run_apart([&] {
        config.validate(Place("file"));
        RandomProgramShape shape;
        shape.kernels = 2;
        RandomProgram program(seed, shape);
        SystemOptions options;
        options.hooks = &program;
        System system(config, program.workload(), options);
        system.run();
        json values = system.stats().values();
        values["wrong"] = program.wrong_in(system);
        return values;
    });
}

/// A number of all channels, summed; and how many there are.
std::uint64_t over_channels(const json& values, const char* what, unsigned* count = nullptr) {
    std::uint64_t sum = 0;
    unsigned c = 0;
    for (const auto& [name, channel] : values["network"].items()) {
        if (name.compare(0, 7, "channel") != 0 || !channel.is_object()) continue;
        sum += channel[what].get<std::uint64_t>();
        ++c;
    }
    if (count != nullptr) *count = c;
    return sum;
}

TEST(RoutedErrors, KeepAllValues) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SystemConfig config = torus_of_lanes();
        config.network.links[0].dress.errors.bit_error_rate = 1e-4;
        if (seed == 2) config.network.links[0].dress.errors.buffer_bytes = 64;
        const json values = run_routed(config, seed);
        EXPECT_EQ(values["wrong"], "") << "seed " << seed;
        EXPECT_GT(stat(values, "network.errors"), 20U);
        EXPECT_GE(stat(values, "network.replayed_flits"), stat(values, "network.errors"));
        EXPECT_EQ(stat(values, "network.errors"), over_channels(values, "errors"));
        const double pj_of_a_flit = 2.0 * 16 * 8;
        EXPECT_DOUBLE_EQ(values["network"]["energy_pj"].get<double>(),
                         pj_of_a_flit * static_cast<double>(stat(values, "network.channel_flits") +
                                                            stat(values, "network.replayed_flits")));
    }
}

/// Three sockets whose wires are of three kinds: the first has no errors, and the last more than the second.
SystemConfig three_kinds_of_wires() {
    SystemConfig config = fabric_system(3, FabricKind::wires);
    config.checks.functional = true;
    for (const auto& [name, rate] : {std::pair("clean", 0.0), std::pair("seldom", 5e-4), std::pair("often", 2e-3)}) {
        NetworkLink link;
        link.name = name;
        link.dress.errors.bit_error_rate = rate;
        config.network.links.push_back(link);
    }
    const auto join = [&config](unsigned a, unsigned b, const char* link) {
        config.network.wires.push_back(
            {"socket[" + std::to_string(a) + "]", "socket[" + std::to_string(b) + "]", "", link, 1});
    };
    join(0, 1, "clean");
    join(0, 2, "seldom");
    join(1, 2, "often");
    return config;
}

/// A number of both channels of each of these wires.
std::array<double, 3> of_wires(const json& values, const char* what) {
    std::array<double, 3> sums{};
    for (const auto& [name, channel] : values["network"].items()) {
        if (name.compare(0, 7, "channel") != 0 || !channel.is_object()) continue;
        sums.at(channel["from"].get<unsigned>() + channel["to"].get<unsigned>() - 1) += channel.value(what, 0.0);
    }
    return sums;
}

/// Errors are those of the link that a wire has.
TEST(RoutedErrors, AreThoseOfTheWiresLink) {
    const SystemConfig config = three_kinds_of_wires();
    const json values = run_routed(config, 1);
    EXPECT_EQ(values["wrong"], "");
    const std::array<double, 3> flits = of_wires(values, "flits"), errors = of_wires(values, "errors");
    const double bits = config.network.flit_bytes * 8.0;
    EXPECT_EQ(errors[0], 0.0);
    for (const unsigned wire : {1U, 2U}) {
        const double wrong = -std::expm1(bits * std::log1p(-config.network.links[wire].dress.errors.bit_error_rate));
        const double expected = flits[wire] * wrong / (1 - wrong);
        EXPECT_GT(expected, 20.0);
        EXPECT_NEAR(errors[wire], expected, 4 * std::sqrt(flits[wire] * wrong) / (1 - wrong)) << wire;
    }
}

/// A flit that is sent again takes the energy of its wire once more.
TEST(RoutedErrors, TakeTheEnergyOfTheWiresLink) {
    SystemConfig config = three_kinds_of_wires();
    constexpr std::array<double, 3> kPjPerBit{1, 3, 8};
    for (std::size_t wire = 0; wire < 3; ++wire) config.network.links[wire].energy_pj_per_bit = kPjPerBit[wire];
    const json values = run_routed(config, 2);
    const std::array<double, 3> flits = of_wires(values, "flits"), again = of_wires(values, "replayed_flits");
    double pj = 0;
    for (std::size_t wire = 0; wire < 3; ++wire)
        pj += (flits[wire] + again[wire]) * config.network.flit_bytes * 8.0 * kPjPerBit[wire];
    EXPECT_GT(again[1], 20.0);
    EXPECT_GT(again[2], again[1]);
    EXPECT_DOUBLE_EQ(values["network"]["energy_pj"].get<double>(), pj);
}

TEST(RoutedErrors, OfARateOfZeroAreNotThere) {
    SystemConfig config = torus_of_lanes();
    const json plain = run_routed(config, 2);
    config.network.links[0].dress.errors.seed = 7;
    config.network.links[0].dress.errors.buffer_bytes = 64;
    EXPECT_TRUE(run_routed(config, 2) == plain);
}

TEST(RoutedLanes, ThatAreRetiredKeepValuesAndAreCounted) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SystemConfig config = torus_of_lanes();
        config.faults.retrain_us = 0.1;
        config.faults.events = {{FaultKind::lane, 0.3, "socket[0]", "socket[1]", FaultSide::out, 2},
                                {FaultKind::lane, 0.6, "socket[5]", "socket[4]", FaultSide::in, 1}};
        const json values = run_routed(config, seed);
        EXPECT_EQ(values["wrong"], "") << "seed " << seed;
        EXPECT_EQ(stat(values, "network.retired_lanes"), 3U);
        unsigned channels = 0;
        const std::uint64_t lanes = over_channels(values, "lanes", &channels);
        EXPECT_EQ(lanes, channels * kTorusLanes - 3);
    }
}

/// Time in which socket 0 reads lines of its neighbour 1, in ns, at 1 GHz.
std::uint64_t reading_of_a_neighbour(SystemConfig config, unsigned lines) {
    config.checks.functional = false;
    config.placement.policy = PlacementKind::first_touch;
    config.placement.page_kib = 4;
    config.validate(Place("file"));
    return run_apart([&] {
               const auto each = [lines](auto access) {
                   WarpCode code;
                   for (unsigned i = 0; i < lines; ++i)
                       code.push_back(access(kHandBase + std::uint64_t{i} * kLineBytes));
                   return code;
               };
               const Workload workload = hand_workload(
                   {hand_launch("touch", 8, 1,
                                [each](std::uint64_t block, unsigned) {
                                    return block == 1 ? each([](std::uint64_t at) { return store(at); }) : WarpCode();
                                }),
                    hand_launch("read", 8, 1, [each](std::uint64_t block, unsigned) {
                        return block == 0 ? each([](std::uint64_t at) { return load_past_l1(at); }) : WarpCode();
                    })});
               System system(config, workload);
               system.run();
               return json(kernel_cycles(system, "read"));
           })
        .get<std::uint64_t>();
}

/// Of four lanes of 8 GB/s one is left: the 9 flits of 16 B of a line take 18 ns, instead of 4.5 ns.
TEST(RoutedLanes, LeaveTheBandwidthOfTheOthersOnATorus) {
    constexpr unsigned kLines = 600;
    SystemConfig config = torus_of_lanes();
    config.network.links[0].balancer = LaneBalancerKind::fixed;
    const std::uint64_t whole = reading_of_a_neighbour(config, kLines);
    config.faults.retrain_us = 0;
    config.faults.events = {{FaultKind::lane, 0.0, "socket[1]", "socket[0]", FaultSide::out, 3}};
    const std::uint64_t one = reading_of_a_neighbour(config, kLines);
    EXPECT_LT(whole, kLines * 9U);
    EXPECT_GE(one, kLines * 18U);
    EXPECT_LE(one, kLines * 18U + 1000);
}

TEST(RoutedLanes, AreRetiredByErrors) {
    SystemConfig config = torus_of_lanes();
    LinkErrors& errors = config.network.links[0].dress.errors;
    errors.bit_error_rate = 1e-3;
    errors.retire_errors = 4;
    errors.retire_window_us = 1;
    errors.retrain_us = 0.05;
    const json values = run_routed(config, 4);
    EXPECT_EQ(values["wrong"], "");
    EXPECT_GT(stat(values, "network.retired_lanes"), 3U);
}

/// Flits of the channels between two sockets, both ways.
std::uint64_t flits_between(const json& values, std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    for (const auto& [name, channel] : values["network"].items()) {
        if (name.compare(0, 7, "channel") != 0 || !channel.is_object()) continue;
        const std::uint64_t from = channel["from"], to = channel["to"];
        if ((from == a && to == b) || (from == b && to == a)) sum += channel["flits"].get<std::uint64_t>();
    }
    return sum;
}

TEST(FailedLinks, AreGoneAround) {
    for (const FabricKind topology : {FabricKind::torus, FabricKind::ring, FabricKind::flattened_butterfly}) {
        SystemConfig config = fabric_system(4, topology);
        config.checks.functional = true;
        if (topology == FabricKind::torus) config.network.dimensions = {2, 2};
        const json before = run_routed(config, 3);
        config.faults.events = {{FaultKind::link, 0.0, "socket[0]", "socket[1]", FaultSide::out, 1}};
        const json never = run_routed(config, 3);
        config.faults.events[0].at_us = 1.0;
        const json later = run_routed(config, 3);
        EXPECT_EQ(never["wrong"], "");
        EXPECT_EQ(later["wrong"], "");
        EXPECT_GT(flits_between(before, 0, 1), 0U);
        EXPECT_EQ(flits_between(never, 0, 1), 0U) << "no packet has taken it";
        EXPECT_GT(flits_between(later, 0, 1), 0U) << "packets took it for a microsecond";
        EXPECT_LT(flits_between(later, 0, 1), flits_between(before, 0, 1));
    }
}

/// Four sockets at two hubs, of which one fails: the other one carries all.
TEST(FailedRouters, AreGoneAround) {
    SystemConfig config = fabric_system(4, FabricKind::wires);
    config.checks.functional = true;
    config.parts.resize(2);
    config.parts[0].name = "gpu";
    config.parts[0].count = 4;
    config.parts[1].name = "hub";
    config.parts[1].count = 2;
    config.parts[1].kind = PartKind::router;
    for (const char* hub : {"hub[0]", "hub[1]"}) {
        NetworkWire star;
        star.from = "gpu";
        star.to = hub;
        config.network.wires.push_back(star);
    }
    FaultEvent event;
    event.kind = FaultKind::router;
    event.part = "hub[0]";
    config.faults.events = {event};
    const json values = run_routed(config, 3);
    EXPECT_EQ(values["wrong"], "");
    for (unsigned socket = 0; socket < 4; ++socket) {
        EXPECT_EQ(flits_between(values, socket, 4), 0U);
        EXPECT_GT(flits_between(values, socket, 5), 0U);
    }
    config.network.wires.pop_back();
    EXPECT_THROW(config.validate(Place("file")), ConfigError) << "hub[0] alone joins them, and hub[1] has no wire";
}

std::string refusal(const SystemConfig& config) {
    try {
        config.validate(Place("file"));
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

/// Two faults each of which leaves lanes, and both none: of one channel, named from either end.
TEST(RoutedLanes, AreRefusedIfFaultsTogetherRetireAll) {
    SystemConfig config = torus_of_lanes();
    config.faults.events = {{FaultKind::lane, 0.3, "socket[0]", "socket[1]", FaultSide::out, 2},
                            {FaultKind::lane, 0.6, "socket[0]", "socket[1]", FaultSide::out, 1}};
    EXPECT_EQ(refusal(config), "");
    const std::string sentence = "file: $.faults.events[1].lanes: 2 of 4 lanes leave none, with 2 that faults before "
                                 "this one retire; at most 3 are allowed in all";
    config.faults.events[1].lanes = 2;
    EXPECT_EQ(refusal(config), sentence);
    config.faults.events[1] = {FaultKind::lane, 0.6, "socket[1]", "socket[0]", FaultSide::in, 2};
    EXPECT_EQ(refusal(config), sentence);
    config.faults.events[1].side = FaultSide::out;
    EXPECT_EQ(refusal(config), "") << "another channel";
}

TEST(FailedLinks, AreRefusedWhereNoWayIsLeft) {
    const auto with = [](FabricKind topology, const FaultEvent& event) {
        SystemConfig config = fabric_system(4, topology);
        if (topology == FabricKind::torus) config.network.dimensions = {2, 2};
        config.faults.events = {event};
        return refusal(config);
    };
    const FaultEvent link{FaultKind::link, 1.0, "socket[1]", "socket[2]", FaultSide::out, 1};
    EXPECT_EQ(with(FabricKind::ring, link), "");
    EXPECT_EQ(with(FabricKind::line, link),
              "file: $.faults.events: no way is left from socket[0] to socket[2]; faults that leave one are allowed");
    EXPECT_EQ(
        with(FabricKind::ring, {FaultKind::link, 1.0, "socket[0]", "socket[2]", FaultSide::out, 1}),
        "file: $.faults.events[0].to: no channel joins socket[0] and socket[2]; two parts with a channel between them "
        "are expected");
    EXPECT_EQ(
        with(FabricKind::ring, {FaultKind::router, 1.0, "socket[1]", "", FaultSide::out, 1}),
        "file: $.faults.events[0].part: socket[1] sends and receives at this router, and no way leads around it; a "
        "router without sockets is expected");
    EXPECT_EQ(with(FabricKind::ring, {FaultKind::lane, 1.0, "socket[0]", "socket[1]", FaultSide::out, 1}),
              "file: $.faults.events[0].to: the channel is not made of lanes; one of a link with lanes is expected");
    SystemConfig narrow = fabric_system(4, FabricKind::flattened_butterfly);
    narrow.network.virtual_channels = 1;
    narrow.faults.events = {link};
    EXPECT_NE(refusal(narrow).find("network.virtual_channels: ways around what fails take one of them"),
              std::string::npos);
    SystemConfig twice = fabric_system(4, FabricKind::flattened_butterfly);
    twice.faults.events = {link, {FaultKind::link, 2.0, "socket[0]", "socket[2]", FaultSide::out, 1}};
    EXPECT_NE(refusal(twice).find("links and routers fail once, all at a time"), std::string::npos);
}

} // namespace
} // namespace numavp::test
