/// Links that differ from socket to socket: latency, bandwidth, what the switch carries, and what is said of them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/config/config.h"
#include "common/system/derived.h"
#include "platform/explain/explain.h"
#include "platform/machine/switch_build.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// Three sockets, of which the last has a link of its own.
SystemConfig with_link(const SocketLink& link) {
    SystemConfig c = small_system(3);
    c.placement.page_kib = 4;
    SocketConfig own = c.socket;
    own.own_link = link;
    c.own_sockets.all.push_back({{2, 2}, own});
    c.validate(Place("small"));
    return c;
}

/// Cycles of the kernel in which socket `from` reads so many lines of socket `of`, and the least latency of its loads.
struct LinkReading {
    std::uint64_t cycles, min_ps;
};
LinkReading reading(const SystemConfig& config, unsigned from, unsigned of, unsigned lines) {
    const json got = run_apart([&] {
        const Workload workload =
            hand_workload({hand_launch("touch", config.sockets, 1,
                                       [=](std::uint64_t block, unsigned) {
                                           WarpCode code;
                                           for (unsigned i = 0; block == of && i < lines; ++i)
                                               code.push_back(store(kHandBase + std::uint64_t{i} * kLineBytes));
                                           return code;
                                       }),
                           hand_launch("read", config.sockets, 1, [=](std::uint64_t block, unsigned) {
                               WarpCode code;
                               for (unsigned i = 0; block == from && i < lines; ++i)
                                   code.push_back(load_past_l1(kHandBase + std::uint64_t{i} * kLineBytes));
                               return code;
                           })});
        System system(config, workload);
        system.run();
        const std::string place = "socket" + std::to_string(from) + ".load_latency.remote.min_ps";
        return json{{"cycles", kernel_cycles(system, "read")}, {"min_ps", stat(system.stats().values(), place)}};
    });
    return {got.at("cycles"), got.at("min_ps")};
}

TEST(OwnLinks, ALongerOneIsPaidOnceEachWay) {
    constexpr unsigned kMore = 100;
    const SystemConfig alike = with_link({}), longer = with_link({0, 0, alike.link.latency_cycles + kMore});
    const std::uint64_t cycle_ps = 1'000'000'000 / alike.clock_khz;
    EXPECT_EQ(reading(longer, 0, 2, 1).min_ps, reading(alike, 0, 2, 1).min_ps + 2 * kMore * cycle_ps);
    EXPECT_EQ(reading(longer, 2, 0, 1).min_ps, reading(alike, 2, 0, 1).min_ps + 2 * kMore * cycle_ps);
    EXPECT_EQ(reading(longer, 0, 1, 1).min_ps, reading(alike, 0, 1, 1).min_ps) << "others pay nothing";
}

/// One lane out of socket 2 carries 8 bytes a cycle: 136 a line.
TEST(OwnLinks, ANarrowOneBoundsWhatComesFromItsSocket) {
    constexpr unsigned kLines = 400;
    const SystemConfig narrow = with_link({1, 0, 0});
    const std::uint64_t from_it = reading(narrow, 0, 2, kLines).cycles, to_it = reading(narrow, 2, 0, kLines).cycles;
    EXPECT_GE(from_it, kLines * 17U);
    EXPECT_LE(from_it, kLines * 17U + 1000);
    EXPECT_LT(to_it, kLines * 17U / 2) << "its lanes in are as many as the others'";
    EXPECT_LT(reading(narrow, 0, 1, kLines).cycles, kLines * 17U / 2);
}

TEST(OwnLinks, TheSwitchCarriesWhatAllOfThemDo) {
    EXPECT_EQ(switch_bytes_per_s(with_link({})), 3 * 8 * 8'000'000'000ULL);
    EXPECT_EQ(switch_bytes_per_s(with_link({4, 4, 0})), (2 * 8 + 4) * 8'000'000'000ULL);
    EXPECT_EQ(switch_shape(with_link({16, 16, 0})).request_bytes_per_s, 32 * 8'000'000'000ULL);
    const LinkCycles cycles = cycles_of_two_links(with_link({0, 0, 20}));
    EXPECT_EQ(cycles.least, 20U + LinkConfig().latency_cycles);
    EXPECT_EQ(cycles.most, 2 * LinkConfig().latency_cycles);
}

/// A cut at the link of socket 2 alone: its packets pay the flits, others do not; with the relay two cycles more a way.
TEST(OwnLinks, OneIsCutAlone) {
    SocketLink cut, relayed;
    cut.cut = LinkCutKind::flits;
    relayed.cut = LinkCutKind::flits_rtl;
    const SystemConfig alike = with_link({}), flits = with_link(cut), relay = with_link(relayed);
    const std::uint64_t cycle_ps = 1'000'000'000 / alike.clock_khz;
    // A request is one flit, a line five: f + 3 cycles at rest (tlm-links/flits/link_cut.h).
    for (const auto& [from, of] : {std::pair{0U, 2U}, std::pair{2U, 0U}}) {
        const std::uint64_t whole = reading(alike, from, of, 1).min_ps;
        EXPECT_EQ(reading(flits, from, of, 1).min_ps, whole + (4 + 8) * cycle_ps) << from;
        EXPECT_EQ(reading(relay, from, of, 1).min_ps, whole + (6 + 10) * cycle_ps) << from;
    }
    EXPECT_EQ(reading(flits, 0, 1, 1).min_ps, reading(alike, 0, 1, 1).min_ps) << "others pay nothing";
    EXPECT_TRUE(cuts_a_link(flits));
    EXPECT_FALSE(cuts_a_link(alike));
}

TEST(OwnLinks, AreReadFromFilesAndShown) {
    const auto c =
        read_config<SystemConfig>(parse_json(R"({"parts": [{"name": "gpu", "count": 2}, {"name": "cpu", "count": 1}],
                       "cpu": {"sms": 0, "link": {"lanes_out": 2, "lanes_in": 4}}})",
                                             "s.json"),
                                  Place("s.json"));
    EXPECT_EQ(c.link_at(1).lanes_out, 8U);
    EXPECT_EQ(c.link_at(2).lanes_out, 2U);
    EXPECT_EQ(c.link_at(2).lanes_in, 4U);
    std::vector<std::string> links;
    for (const Pathway& p : pathways(c))
        if (p.what.find("link lanes out") != std::string::npos) links.push_back(p.what + " " + std::to_string(p.count));
    EXPECT_EQ(links, (std::vector<std::string>{"gpu[0..1]: link lanes out, to the switch 8",
                                               "cpu[0]: link lanes out, to the switch 2"}));
    EXPECT_NE(explain_text(c, Style()).find("16 to 64 GB/s out, 32 to 64 GB/s in"), std::string::npos)
        << explain_text(c, Style());
}

} // namespace
} // namespace numavp::test
