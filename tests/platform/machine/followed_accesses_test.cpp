/// Followed accesses: their hops tile the latency that the statistics have, which of them are followed depends on
/// nothing but their number, and what they waited for is what they waited for.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/system/network_settings.h"
#include "platform/machine/system.h"
#include "rtl/blocks.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/run_apart.h"
#include "tlm-links/protocol/access_log.h"

namespace numavp::test {
namespace {

using nlohmann::json;

struct Followed {
    FollowedAccess access;
    std::vector<AccessHop> hops;
};

std::string trail_text(const Followed& f) {
    std::string text = fmt::format("{} {} {} {} {} {:x} {} {}\n", f.access.number, static_cast<int>(f.access.kind),
                                   f.access.socket.value, f.access.sm, f.access.home.value, f.access.virtual_line,
                                   f.access.from_ps, f.access.latency_ps);
    for (const AccessHop& h : f.hops)
        text += fmt::format("  {} {} {} {} {} {}\n", h.place, h.from_ps, h.wait_ps, h.time_ps,
                            kWaitedNames.name(h.waited), h.waited_access);
    return text;
}

/// Follows one access in `every` of the workload.
class FollowedRun {
  public:
    FollowedRun(const SystemConfig& config, const Workload& workload, std::uint64_t every, SystemOptions options = {}) {
        options.follow_every = every;
        options.on_access = [this](const FollowedAccess& a) { all.push_back({a, *a.hops}); };
        system = std::make_unique<System>(config, workload, options);
        system->run();
    }
    std::string text() const {
        std::string all_text;
        for (const Followed& f : all) all_text += trail_text(f);
        return all_text;
    }
    std::vector<Followed> all;
    std::unique_ptr<System> system;
};

/// Empty if the hops follow each other without a gap and their times sum to the latency.
std::string gap_in(const Followed& f) {
    std::uint64_t at = f.access.from_ps, sum = 0;
    for (const AccessHop& h : f.hops) {
        if (h.from_ps != at || h.wait_ps > h.time_ps || h.time_ps == 0) return trail_text(f);
        if ((h.wait_ps == 0) != (h.waited == Waited::nothing)) return "a wait without a reason: " + trail_text(f);
        at += h.time_ps;
        sum += h.time_ps;
    }
    return sum == f.access.latency_ps ? "" : trail_text(f);
}

std::uint64_t translation_ps(const Followed& f) {
    std::uint64_t sum = 0;
    for (const AccessHop& h : f.hops) sum += h.waited == Waited::translation ? h.wait_ps : 0;
    return sum;
}

struct FollowedCase {
    const char* name;
    unsigned sockets;
    void (*change)(SystemConfig&);
    std::set<Waited> expected; ///< among the reasons
};

void make_narrow(SystemConfig& c) {
    set_all_depths(c, 1);
    c.socket.l2.entries = 3;
    c.socket.l2.reserved_home_entries = 1;
}

void PrintTo(const FollowedCase& row, std::ostream* out) { *out << row.name; }

const FollowedCase kFollowedCases[] = {
    {"one_gpu", 1, [](SystemConfig&) {}, {Waited::queue, Waited::pending, Waited::output, Waited::channel}},
    {"switch", 4, [](SystemConfig&) {}, {Waited::lanes, Waited::pending, Waited::output}},
    {"narrow", 2, make_narrow, {Waited::entry, Waited::room, Waited::queue}},
    {"memory_side", 3, [](SystemConfig& c) { c.socket.l2.organisation = L2Organisation::memory_side; }, {}},
    {"write_through",
     2,
     [](SystemConfig& c) {
         c.socket.l2.organisation = L2Organisation::coherent;
         c.socket.l2.write_policy = WritePolicy::write_through;
     },
     {Waited::pending, Waited::writing}},
    {"few_merges", 2, [](SystemConfig& c) { c.socket.l2.merges = 1; }, {Waited::merges}},
    {"gpus_and_memories",
     3,
     [](SystemConfig& c) {
         SocketConfig gpu = c.socket, memory = c.socket;
         gpu.memory.capacity_gib = 0;
         memory.sms = 0;
         c.own_sockets.all = {{{0, 1}, gpu}, {{2, 2}, memory}};
     },
     {}},
    {"look_up_pipeline", 2, [](SystemConfig& c) { c.socket.l2.lookup_cycles = 7; }, {}},
    {"total_bandwidth", 4, [](SystemConfig& c) { c.switch_.total_gbps = 20.0; }, {Waited::total}},
    {"turning_lanes",
     2,
     [](SystemConfig& c) {
         c.link.balancer = LaneBalancerKind::dynamic;
         c.link.sample_cycles = 50;
         c.link.switch_cycles = 200;
         c.link.lane_gbps = 1.0;
     },
     {Waited::turning}},
    {"packets_in_a_ring",
     4,
     [](SystemConfig& c) {
         c.network.topology = FabricKind::ring;
         c.network.flit_bytes = 16;
         c.network.noc_khz = 300'000;
     },
     {Waited::credit}},
    {"sectors", 2, [](SystemConfig& c) { c.sector_bytes = kSectorBytes; }, {Waited::pending, Waited::entry}},
    {"crossbar_of_sectors",
     2,
     [](SystemConfig& c) {
         c.socket.noc.packet_cycles = 2;
         c.socket.noc.input_fifo = true;
     },
     {Waited::output}},
    {"timed_memory", 1, [](SystemConfig& c) { c.socket.memory.model = MemoryModel::timed; }, {Waited::dram}},
    {"translation",
     2,
     [](SystemConfig& c) {
         c.translation.mode = TranslationMode::full;
         c.placement.page_kib = 4;
         c.translation.l1_entries = 2;
     },
     {Waited::translation}},
    {"rtl_memory", 1, [](SystemConfig& c) { c.socket.memory.model = MemoryModel::axi4_rtl; }, {Waited::pending}},
    {"cut_link", 2, [](SystemConfig& c) { c.link.cut = LinkCutKind::flits; }, {}},
};

class FollowedAccesses : public ::testing::TestWithParam<FollowedCase> {
  protected:
    void SetUp() override {
        if (config().socket.memory.model == MemoryModel::axi4_rtl) NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    }
    static SystemConfig config() {
        SystemConfig c = small_system(GetParam().sockets);
        c.placement.page_kib = 4;
        GetParam().change(c);
        return c;
    }
    static RandomProgramShape shape() {
        RandomProgramShape s;
        s.blocks = 16;
        s.warps = 4;
        s.accesses = 24;
        s.lines = 384;
        return s;
    }
};

TEST_P(FollowedAccesses, SumToTheLatenciesOfTheStatistics) {
    RandomProgram program(1, shape());
    SystemOptions options;
    options.hooks = &program;
    const FollowedRun followed(config(), program.workload(), 1, options);
    EXPECT_EQ(program.wrong_loads(), "");

    std::map<std::tuple<unsigned, Kind, bool>, std::pair<std::uint64_t, std::uint64_t>> sums; // accesses and ps
    std::set<Waited> reasons;
    std::uint64_t merged = 0;
    for (const Followed& f : followed.all) {
        ASSERT_EQ(gap_in(f), "");
        auto& [count, ps] = sums[{f.access.socket.value, f.access.kind, f.access.home != f.access.socket}];
        ++count;
        ps += f.access.latency_ps - translation_ps(f);
        for (const AccessHop& h : f.hops) {
            reasons.insert(h.waited);
            merged += h.waited_access != 0;
            ASSERT_NE(h.waited_access, f.access.number) << "it waits for itself: " << trail_text(f);
        }
    }
    std::uint64_t accesses = 0;
    for (unsigned s = 0; s < GetParam().sockets; ++s)
        for (const Kind kind : {Kind::load, Kind::store, Kind::atomic})
            for (const bool remote : {false, true}) {
                const Histogram& latency = followed.system->access_latency(s, kind, remote);
                const auto& [count, ps] = sums[{s, kind, remote}];
                EXPECT_EQ(count, latency.count()) << s << " " << static_cast<int>(kind) << remote;
                EXPECT_EQ(ps, latency.sum()) << s << " " << static_cast<int>(kind) << remote;
                accesses += count;
            }
    EXPECT_EQ(accesses, followed.all.size());
    EXPECT_GT(accesses, 500U);
    EXPECT_GT(merged, 0U) << "nobody was seen to merge";
    for (const Waited reason : GetParam().expected) EXPECT_EQ(reasons.count(reason), 1U) << kWaitedNames.name(reason);
}

TEST_P(FollowedAccesses, AreTheSameInWhateverOrderDeliveriesCome) {
    const RandomProgram program(2, shape());
    const auto rows = [&](std::uint64_t every, std::optional<std::uint64_t> shuffle) {
        return run_apart([&]() -> json {
            SystemOptions options;
            options.shuffle_seed = shuffle;
            const FollowedRun followed(config(), program.workload(), every, options);
            return {{"text", followed.text()}, {"stats", followed.system->stats().values()}};
        });
    };
    const json one = rows(7, std::nullopt);
    EXPECT_GT(one.at("text").get<std::string>().size(), 1000U);
    EXPECT_EQ(one, rows(7, 3));
    EXPECT_EQ(one.at("stats"), rows(1, std::nullopt).at("stats")) << "who is followed changes what happens";
}
INSTANTIATE_TEST_SUITE_P(Systems, FollowedAccesses, ::testing::ValuesIn(rows_of_build(kFollowedCases)),
                         [](const auto& c) { return c.param.name; });

TEST(FollowedAccess, IsOneInSoManyBeginningWithTheFirst) {
    RandomProgramShape shape;
    const RandomProgram program(3, shape);
    const FollowedRun followed(small_system(2), program.workload(), 10);
    std::set<std::uint64_t> numbers;
    for (const Followed& f : followed.all) numbers.insert(f.access.number);
    ASSERT_GT(numbers.size(), 5U);
    EXPECT_EQ(numbers.size(), followed.all.size());
    std::uint64_t next = 1;
    for (const std::uint64_t n : numbers) {
        EXPECT_EQ(n, next);
        next += 10;
    }
}

/// Ends at one time come by their numbers, else by time.
TEST(FollowedAccess, ComesInAFixedOrder) {
    const RandomProgram program(4, {});
    const FollowedRun followed(small_system(2), program.workload(), 1);
    const auto end = [](const Followed& f) {
        return std::make_pair(f.access.from_ps + f.access.latency_ps, f.access.number);
    };
    for (std::size_t i = 1; i < followed.all.size(); ++i) EXPECT_LT(end(followed.all[i - 1]), end(followed.all[i]));
}

/// The places of a lone load of a line of the other socket, there and back, on an idle system: nothing waits.
TEST(FollowedAccess, PassesThePortsOnItsWay) {
    const SystemConfig config = small_system(2);
    const Workload workload = hand_workload({hand_launch("touch", 2, 1, on(0, {store(kHandBase)})),
                                             hand_launch("read", 2, 1, on(1, {load(kHandBase + 0x1000, 1)}))});
    const FollowedRun followed(config, workload, 1);
    ASSERT_EQ(followed.all.size(), 2U);
    const Followed& f = followed.all[1];
    EXPECT_EQ(f.access.kind, Kind::load);
    EXPECT_EQ(f.access.socket, SocketId(1));
    EXPECT_EQ(f.access.home, SocketId(0));
    EXPECT_EQ(f.access.virtual_line, kHandBase + 0x1000);
    EXPECT_EQ(gap_in(f), "");
    std::vector<std::string> places;
    for (const AccessHop& h : f.hops) {
        places.emplace_back(h.place);
        EXPECT_EQ(h.wait_ps, 0U) << h.place;
    }
    const std::vector<std::string> expected = {
        "socket1.sm1.mem_side",      "socket1.noc.egress_4",  "socket1.link.switch_out", "switch.egress_0",
        "socket0.link.socket_in",    "socket0.noc.egress_3",  "socket0.slice1.mem_side", "socket0.channel1.port_0",
        "socket0.slice1.home_side",  "socket0.noc.ingress_2", "socket0.link.switch_in",  "switch.ingress_1",
        "socket1.link.socket_out_0", "socket1.noc.ingress_1"};
    EXPECT_EQ(places, expected);
}

/// Loads of one line by two SMs: the second waits for the fill of the first, which it names.
TEST(FollowedAccess, NamesTheAccessWhoseFillItWaitsFor) {
    const SystemConfig config = small_system(1);
    const Workload workload = hand_workload(
        {hand_launch("read", 2, 1, [](std::uint64_t, unsigned) { return WarpCode{load(kHandBase, 1)}; })});
    const FollowedRun followed(config, workload, 1);
    ASSERT_EQ(followed.all.size(), 2U);
    EXPECT_EQ(followed.all[0].access.number, 1U);
    std::set<std::pair<Waited, std::uint64_t>> waits;
    for (const AccessHop& h : followed.all[1].hops) waits.insert({h.waited, h.waited_access});
    EXPECT_EQ(waits.count({Waited::pending, 1}), 1U) << trail_text(followed.all[1]);
}

} // namespace
} // namespace numavp::test
