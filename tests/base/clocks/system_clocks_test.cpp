/// Systems whose parts have clocks of their own: idle loads to the ps, the order of building and of deliveries, bad
/// clocks.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/config/config.h"
#include "platform/explain/explain.h"
#include "platform/machine/slot_series.h"
#include "platform/machine/system.h"
#include "tests/base/clocks/edges.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"
#include "tlm-links/protocol/access_log.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// Table 1 of the NUMA-aware paper with the clocks of the memory networks' (Table I there).
SystemConfig three_clocks(unsigned sockets) {
    SystemConfig c;
    c.sockets = sockets;
    c.clock_khz = 1400000;
    c.socket.sms = 2;
    c.socket.clocks_khz = {1250000, 700000};
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    return c;
}

std::uint64_t packets(double bytes, double bytes_per_cycle) {
    return static_cast<std::uint64_t>(std::ceil(bytes / bytes_per_cycle - 1e-9));
}

/// An idle load's way, part by part, each on the edges of its own clock.
struct Way {
    Way(const SystemConfig& config, std::uint64_t from_ps)
        : c(config), core{c.clock_khz}, sms{c.socket.sm_khz(c.clock_khz)}, noc{c.socket.noc_khz(c.clock_khz)},
          l2{c.socket.l2_khz(c.clock_khz)}, ps(from_ps), in(sms) {}
    void takes(std::uint64_t cycles) { ps = in.ps(in.at(ps) + cycles); }
    void cross(const Edges& to) {
        if (to.khz == in.khz) return;
        ps = to.ps(to.after(ps) + c.socket.crossing.edges);
        in = to;
    }
    void sm() {
        const double port =
            c.socket.noc.request_bytes_per_cycle * static_cast<double>(noc.khz) / static_cast<double>(sms.khz);
        takes(packets(kRequest, port) + c.socket.sm.l1.miss_cycles);
    }
    void crossbar(double bytes, double bytes_per_cycle) {
        cross(noc);
        takes(packets(bytes, bytes_per_cycle) + c.socket.noc.latency_cycles);
    }
    /// The port to the link is as wide as all lanes.
    void crossbar_to_link(double bytes) {
        crossbar(bytes, std::max(64.0, (c.link.lanes_out + c.link.lanes_in) * c.link.lane_gbps * 1e6 /
                                           static_cast<double>(noc.khz)));
        cross(core);
    }
    void links(double bytes) {
        const double lane = c.link.lane_gbps * 1e6 / static_cast<double>(core.khz);
        takes(packets(bytes, c.link.lanes_out * lane) + c.link.latency_cycles +
              packets(bytes, (c.link.lanes_out + c.link.lanes_in) * lane) + c.switch_.latency_cycles +
              packets(bytes, c.link.lanes_in * lane) + c.link.latency_cycles);
    }
    void slice(bool hit) {
        cross(l2);
        const L2Config& s = c.socket.l2;
        const MemoryConfig& m = c.socket.memory;
        const double per_cycle = m.bandwidth_gbps * 1e6 / static_cast<double>(l2.khz) / m.channels;
        const std::uint64_t data = packets(kData, s.bytes_per_cycle);
        const std::uint64_t memory =
            packets(kLineBytes, per_cycle) + packets(m.latency_ns * static_cast<double>(l2.khz) / 1e6, 1);
        takes(hit ? s.hit_cycles + data : s.miss_cycles + memory + s.fill_cycles + data);
    }
    std::uint64_t local(bool hit) {
        sm();
        crossbar(kRequest, c.socket.noc.request_bytes_per_cycle);
        slice(hit);
        crossbar(kData, c.socket.noc.response_bytes_per_cycle);
        cross(sms);
        return ps;
    }
    std::uint64_t remote(bool hit) {
        sm();
        crossbar_to_link(kRequest);
        links(kRequest);
        crossbar(kRequest, c.socket.noc.request_bytes_per_cycle);
        slice(hit);
        crossbar_to_link(kData);
        links(kData);
        crossbar(kData, c.socket.noc.response_bytes_per_cycle);
        cross(sms);
        return ps;
    }
    static constexpr double kRequest = 8, kData = 8 + kLineBytes;
    const SystemConfig& c;
    Edges core, sms, noc, l2;
    std::uint64_t ps;
    Edges in;
};

struct Seen {
    std::uint64_t from_ps, latency_ps;
    bool remote, tiled;
};

/// Socket 0 loads a line and then, when it is there, loads it again past its L1; before, socket `owner` has touched the
/// page.
std::vector<Seen> two_loads(const SystemConfig& config, unsigned owner) {
    const Workload workload =
        hand_workload({hand_launch("touch", config.sockets, 1,
                                   [=](std::uint64_t block, unsigned) {
                                       return block == owner ? WarpCode{load(kHandBase)} : WarpCode{};
                                   }),
                       hand_launch("measure", config.sockets, 1, [](std::uint64_t block, unsigned) {
                           const std::uint64_t line = kHandBase + 5 * kLineBytes;
                           return block == 0
                                      ? WarpCode{load(line, 1), load_past_l1(line, 2, 1), load_past_l1(line, 3, 2)}
                                      : WarpCode{};
                       })});
    std::vector<Seen> seen;
    SystemOptions options;
    options.follow_every = 1;
    options.on_access = [&](const FollowedAccess& a) {
        std::uint64_t sum = 0;
        for (const AccessHop& hop : *a.hops) sum += hop.time_ps;
        if (a.virtual_line != kHandBase)
            seen.push_back({a.from_ps, a.latency_ps, a.home != a.socket, sum == a.latency_ps});
    };
    System system(config, workload, options);
    system.run();
    return seen;
}

void expect_closed_form(const SystemConfig& config, bool remote) {
    const std::vector<Seen> seen = two_loads(config, remote ? config.sockets - 1 : 0);
    ASSERT_EQ(seen.size(), 3U);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        Way way(config, seen[i].from_ps);
        EXPECT_EQ(seen[i].from_ps + seen[i].latency_ps, remote ? way.remote(i != 0) : way.local(i != 0)) << i;
        EXPECT_EQ(seen[i].remote, remote);
        EXPECT_TRUE(seen[i].tiled) << "hops do not sum to the latency";
    }
}

TEST(IdleLoads, ThroughThreeClocksTakeTheirClosedForm) { expect_closed_form(three_clocks(1), false); }

TEST(IdleLoads, OfAnotherSocketTakeTheirsThroughThreeClocks) { expect_closed_form(three_clocks(2), true); }

TEST(IdleLoads, PayForMoreEdgesOfASynchroniser) {
    SystemConfig c = three_clocks(2);
    c.socket.crossing = {4, 1};
    expect_closed_form(c, true);
}

/// SMs below, above and at a fraction of the core's clock, where the other parts have clocks of their own or none.
class SmClocks : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(SmClocks, OfAnotherSocketThroughFourClocks) {
    SystemConfig c = three_clocks(2);
    c.socket.clocks_khz.sm = GetParam();
    expect_closed_form(c, true);
}
TEST_P(SmClocks, OfAnotherSocketFromSmsAlone) {
    SystemConfig c = three_clocks(2);
    c.socket.clocks_khz = {0, 0, GetParam()};
    expect_closed_form(c, true);
}
TEST_P(SmClocks, OfTheirOwnSocket) {
    SystemConfig c = three_clocks(1);
    c.socket.clocks_khz = {0, 0, GetParam()};
    expect_closed_form(c, false);
}
INSTANTIATE_TEST_SUITE_P(IdleLoads, SmClocks, ::testing::Values(700000U, 1000000U, 1855000U));

/// Arithmetic alone takes as long as its SM's clock says, on each socket by itself; cycles are the core's.
TEST(Cycles, OfArithmeticAreTheSmsOwn) {
    SystemConfig c = three_clocks(2);
    c.socket.clocks_khz = {};
    SocketConfig half = c.socket;
    half.clocks_khz.sm = c.clock_khz / 2;
    constexpr unsigned kInstructions = 4000;
    Inst arithmetic{};
    arithmetic.op = Op::compute;
    const auto cycles_on = [&](unsigned busy) {
        const json got = run_apart([&] {
            SystemConfig both = c;
            both.own_sockets.all.push_back({{1, 1}, half});
            both.validate(Place("both"));
            const Workload workload = hand_workload({hand_launch("k", 2, 1, [=](std::uint64_t block, unsigned) {
                return block == busy ? WarpCode(kInstructions, arithmetic) : WarpCode{};
            })});
            System system(both, workload);
            system.run();
            return json{{"cycles", system.cycles()},
                        {"slots", system.slots().json().at("sockets").at(busy).at("issued").get<std::uint64_t>()}};
        });
        EXPECT_GE(got.at("slots").get<std::uint64_t>(), kInstructions);
        return got.at("cycles").get<std::uint64_t>();
    };
    const std::uint64_t whole = cycles_on(0), halved = cycles_on(1);
    EXPECT_GE(whole, kInstructions);
    EXPECT_NEAR(static_cast<double>(halved), 2.0 * static_cast<double>(whole), 0.02 * static_cast<double>(whole));
}

TEST(IdleLoads, OfOneClockAreThoseOfToday) {
    SystemConfig c = three_clocks(2);
    c.socket.clocks_khz = {};
    expect_closed_form(c, true);
}

/// The clock named core is the one that is counted.
TEST(Cycles, AreTheCores) {
    SystemConfig c = three_clocks(1);
    const Workload workload =
        hand_workload({hand_launch("k", 1, 1, [](std::uint64_t, unsigned) { return WarpCode{load(kHandBase, 1)}; })});
    System system(c, workload);
    system.run();
    const std::uint64_t last = system.clock().edge_ps(system.cycles());
    EXPECT_EQ(system.clock().khz(), 1400000U);
    EXPECT_GT(last, Way(c, 0).local(false)); // a slower clock would have counted fewer edges
    EXPECT_LT(last, 2 * Way(c, 0).local(false));
}

// --- orders

WarpCode mixed(std::uint64_t block, unsigned warp) {
    WarpCode code;
    for (unsigned i = 0; i < 40; ++i) {
        const std::uint64_t line = kHandBase + (block * 131 + warp * 17 + i * i * 7) % 512 * kLineBytes;
        code.push_back(i % 7 == 3    ? store(line)
                       : i % 11 == 5 ? atomic(line, 1)
                                     : load(line, static_cast<std::uint8_t>(1 + i % 4)));
    }
    code.push_back(fence());
    return code;
}

SystemConfig busy(unsigned depth) {
    SystemConfig c = small_system(3);
    c.clock_khz = 1400000;
    c.socket.clocks_khz = {1250000, 700000};
    c.socket.l2.organisation = L2Organisation::numa_aware;
    c.link.balancer = LaneBalancerKind::dynamic;
    c.placement.page_kib = 4;
    if (depth != 0) set_all_depths(c, depth);
    if (depth != 0) c.socket.crossing.depth = depth;
    SocketConfig own = c.socket; // common edges with the core's: every other one
    own.clocks_khz = {700000, 1400000, 700000};
    c.own_sockets.all.push_back({{1, 1}, own});
    own.clocks_khz = {1250000, 700000, 1855000};
    c.own_sockets.all.push_back({{2, 2}, own});
    c.validate(Place("busy"));
    return c;
}

json bytes_of(const SystemConfig& config, std::uint64_t seed) {
    return run_apart([&] {
        const Workload workload = hand_workload({hand_launch("a", 12, 2, mixed), hand_launch("b", 12, 2, mixed)});
        SystemOptions options;
        options.order_seed = seed;
        if (seed != 0) options.shuffle_seed = seed;
        System system(config, workload, options);
        system.run();
        return json{{"statistics", system.stats().values().dump()}, {"series", system.series().json().dump()}};
    });
}

class Orders : public ::testing::TestWithParam<unsigned> {};

TEST_P(Orders, OfBuildingAndOfDeliveriesChangeNothing) {
    const SystemConfig config = busy(GetParam());
    const json first = bytes_of(config, 0);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) EXPECT_TRUE(bytes_of(config, seed) == first) << seed;
}
INSTANTIATE_TEST_SUITE_P(DefaultAndLeastDepth, Orders, ::testing::Values(0U, 1U));

// --- files

std::string refusal(const char* text) {
    try {
        read_config<SystemConfig>(parse_json(text, "s.json"), Place("s.json"));
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "";
}

TEST(Files, SayWhichClockIsWrong) {
    EXPECT_EQ(refusal(R"({"socket": {"clocks_khz": {"noc": 700}}})"),
              "s.json: $.socket.clocks_khz.noc: 700 kHz; 1000 or more is allowed, or 0 for the core's clock");
    EXPECT_NE(refusal(R"({"socket": {"clocks_khz": {"l1": 700000}}})").find("socket.clocks_khz"), std::string::npos);
    EXPECT_EQ(
        refusal(R"({"socket[1]": {"clocks_khz": {"sm": 700000}}, "sockets": 2, "translation": {"mode": "full"}})"),
        "s.json: $.socket[1].clocks_khz.sm: TLBs and walkers have the core's clock; 0 is allowed, or another "
        "translation.mode");
    EXPECT_NE(refusal(R"({"socket": {"crossing": {"edges": 0}}})").find("socket.crossing.edges"), std::string::npos);
    std::string many = R"({"sockets": 8)";
    for (unsigned s = 0; s < 8; ++s)
        many +=
            ", \"socket[" + std::to_string(s) + "]\": {\"clocks_khz\": {\"l2\": " + std::to_string(500000 + s) + "}}";
    EXPECT_NE(refusal((many + "}").c_str()).find("socket[7].clocks_khz: more than 8 clocks"), std::string::npos)
        << refusal((many + "}").c_str());
}

TEST(Files, APartsBandwidthIsInItsOwnCycles) {
    const SystemConfig c = three_clocks(1);
    double crossbar = 0, slices = 0;
    for (const Pathway& p : pathways(c)) {
        if (p.what == "crossbar, towards an SM") crossbar = p.gbps / p.count;
        if (p.what == "L2 hit") slices = p.gbps / p.count;
    }
    EXPECT_DOUBLE_EQ(crossbar, 64 * 1.25);
    EXPECT_DOUBLE_EQ(slices, 64 * 0.7);
}

} // namespace
} // namespace numavp::test
