/// Systems whose links are cut: packets travel as flits over pins, through RTL relays. Random programs see the right
/// values, an idle access takes as many cycles more as documented, and the pins keep to the protocol.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "platform/machine/system.h"
#include "rtl/blocks.h"
#include "rtl/flit_blocks.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/needs.h"
#include "tlm-links/flits/link_cut.h"

namespace numavp::test {
namespace {

/// The relays of one cut.
struct Cut {
    explicit Cut(unsigned starve) {
        if (!rtl::missing().empty()) return;
        for (auto& relay : relays) relay = std::make_unique<rtl::FlitRelayBlock>(starve);
    }
    LinkCutRelays wires() const {
        LinkCutRelays all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = relays[i].get();
        return all;
    }
    std::array<std::unique_ptr<rtl::FlitRelayBlock>, kLinkCutWays> relays;
};

struct CutCase {
    const char* name;
    L2Organisation organisation;
    unsigned starve; ///< of 256
    bool all;        ///< sockets, or the first alone
};
const CutCase kCases[] = {
    {"one_socket", L2Organisation::numa_aware, 0, false},
    {"one_socket_starved", L2Organisation::numa_aware, 200, false},
    {"all_sockets", L2Organisation::static_split, 60, true},
    {"memory_side", L2Organisation::memory_side, 120, true},
};

class CutLink : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CutLink, GivesRightValuesThroughRtl) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const CutCase& cut_case = kCases[GetParam()];
    SystemConfig config = small_system(4);
    config.socket.l2.organisation = cut_case.organisation;
    config.placement.page_kib = 4;
    RandomProgramShape shape;
    shape.blocks = 16;
    shape.accesses = 24;
    shape.lines = 512;
    RandomProgram program(GetParam(), shape);
    std::vector<std::unique_ptr<Cut>> cuts(4);
    SystemOptions options;
    options.hooks = &program;
    options.cut_link = [&](unsigned socket) -> std::optional<LinkCutRelays> {
        if (socket != 0 && !cut_case.all) return std::nullopt;
        cuts[socket] = std::make_unique<Cut>(cut_case.starve);
        return cuts[socket]->wires();
    };
    std::vector<const LinkCut*> modules(4);
    options.on_link_cut = [&](unsigned socket, const LinkCut& cut) { modules[socket] = &cut; };
    System system(config, program.workload(), options);
    system.run(); // throws if monitors on the pins have seen a breach

    EXPECT_EQ(program.wrong_in(system), "");
    for (unsigned s = 0; s < 4; ++s) {
        ASSERT_EQ(modules[s] != nullptr, s == 0 || cut_case.all);
        if (!modules[s]) continue;
        EXPECT_EQ(modules[s]->held(), 0U);
        for (std::size_t way = 0; way < kLinkCutWays; ++way)
            EXPECT_GT(modules[s]->packets(static_cast<LinkCutWay>(way)), 50U) << way;
    }
}
INSTANTIATE_TEST_SUITE_P(Cases, CutLink, ::testing::Range(std::size_t{0}, std::size(kCases)),
                         [](const auto& c) { return kCases[c.param].name; });

/// Acknowledges an activation that nobody has asked for.
struct HastyRelay final : rtl::CxsRelay {
    HastyRelay() { above.activeack = true; }
    void settle(const rtl::CxsTransmitterPins&, const rtl::CxsReceiverPins&) override {}
    void edge() override {}
    const rtl::CxsReceiverPins& to_above() const override { return above; }
    const rtl::CxsTransmitterPins& to_below() const override { return below; }
    rtl::CxsReceiverPins above;
    rtl::CxsTransmitterPins below;
};

TEST(CutLinkPins, EndTheRunWhereTheyBreakARule) {
    const SystemConfig config = small_system(2);
    HastyRelay relay;
    SystemOptions options;
    options.cut_link = [&](unsigned) -> std::optional<LinkCutRelays> { return LinkCutRelays{&relay}; };
    const Workload workload = hand_workload({hand_launch("touch", 2, 1, on(0, {store(kHandBase)})),
                                             hand_launch("remote", 2, 1, on(1, {load(kHandBase, 1)}))});
    System system(config, workload, options);
    try {
        system.run();
        FAIL() << "nobody has noticed";
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("break a rule: 1: receiver: activation is acknowledged unasked"),
                  std::string::npos)
            << error.what();
    }
}

/// Total and link part of the latency of the one remote load of a socket, in cycles of 1 GHz.
std::pair<std::uint64_t, std::uint64_t> latency_of(const nlohmann::ordered_json& values, unsigned socket) {
    const auto& remote = values.at("socket" + std::to_string(socket)).at("load_latency").at("remote");
    EXPECT_EQ(remote.at("loads"), 1U);
    return {remote.at("total_ps").get<std::uint64_t>() / 1000,
            remote.at("parts").at("link_ps").get<std::uint64_t>() / 1000};
}

struct CutTime : ::testing::TestWithParam<std::pair<LinkCutKind, unsigned>> {};

/// Socket 1, whose link is cut, and socket 2, whose link is whole, read a line of socket 0 each on an idle system. The
/// request is a flit, the response five: 4 and 8 cycles through a cut at rest, 2 more for each relay.
TEST_P(CutTime, OfAnIdleLoadIsAsDocumented) {
    const auto [kind, more] = GetParam();
    NUMAVP_NEEDS(kind != LinkCutKind::flits_rtl || rtl::missing().empty(), rtl::missing());
    SystemConfig config = small_system(3);
    Cut cut(0);
    SystemOptions options;
    options.cut_link = [&, kind = kind](unsigned socket) -> std::optional<LinkCutRelays> {
        if (socket != 1 || kind == LinkCutKind::none) return std::nullopt;
        return kind == LinkCutKind::flits_rtl ? cut.wires() : LinkCutRelays{};
    };
    const Workload workload = hand_workload({hand_launch("touch", 3, 1, on(0, {store(kHandBase)})),
                                             hand_launch("cut", 3, 1, on(1, {load(kHandBase + 0x1000, 1)})),
                                             hand_launch("whole", 3, 1, on(2, {load(kHandBase + 0x2000, 1)}))});
    System system(config, workload, options);
    system.run();
    const auto values = system.stats().values();
    const auto [through_cut, in_cut_link] = latency_of(values, 1);
    const auto [through_whole, in_whole_link] = latency_of(values, 2);
    EXPECT_EQ(through_cut - through_whole, more);
    EXPECT_EQ(in_cut_link - in_whole_link, more);
}
INSTANTIATE_TEST_SUITE_P(Kinds, CutTime,
                         ::testing::Values(std::pair{LinkCutKind::none, 0U}, std::pair{LinkCutKind::flits, 12U},
                                           std::pair{LinkCutKind::flits_rtl, 16U}),
                         [](const auto& c) { return std::string(kLinkCuts.name(c.param.first)); });

} // namespace
} // namespace numavp::test
