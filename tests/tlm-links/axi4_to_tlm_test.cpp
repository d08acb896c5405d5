/// The bridge from AXI4 in front of targets of every legal style: each value against a flat memory, our checkers on
/// both sides, time to the cycle.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/fast_build.h"
#include "tests/tlm-links/foreign_target.h"
#include "tests/tlm-links/random_manager.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/axi4_to_tlm.h"
#include "tlm-links/protocol/protocol_checker.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

constexpr std::uint64_t kBase = 0x40000;

/// A manager, a monitor, the bridge, a checker, a target.
struct ToTlmChain {
    ToTlmChain(std::size_t n, const ManagerStyle& style, const Axi4SubordinateConfig& places,
               const TargetStyle& target_style, unsigned count, const ClockDomain& clock)
        : manager(style, count, n), bridge(("bridge" + std::to_string(n)).c_str(), {places, kBase}, clock, manager),
          target(("target" + std::to_string(n)).c_str(), target_style, n) {
        target.size = kBase + RandomManager::kBytes;
        bridge.observe([this](const auto& m, const auto& s) { monitor.observe(m, s); });
        checker = bind_checked(bridge.socket, target.socket, ("checker" + std::to_string(n)).c_str(), &rules);
    }
    ProtocolRules rules;
    RandomManager manager;
    Axi4Monitor monitor;
    Axi4ToTlm bridge;
    ForeignTarget target;
    std::unique_ptr<ProtocolChecker> checker;

    void expect_right() {
        EXPECT_TRUE(manager.finished()) << "only " << manager.answered() << " answered";
        EXPECT_EQ(manager.wrong(), 0U);
        EXPECT_TRUE(bridge.empty());
        EXPECT_TRUE(target.empty());
        checker->finish();
        monitor.finish();
        EXPECT_EQ(monitor.breaches(), std::vector<std::string>{});
        std::vector<unsigned char> held(RandomManager::kBytes);
        FlatMemory memory;
        target.memory.read(kBase, held.data(), held.size());
        memory.write(0, held.data(), held.size());
        EXPECT_EQ(memory.first_difference(manager.reference), std::nullopt);
    }
};

class Axi4ToTlmStyles : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Axi4ToTlmStyles, ServeEveryManagerRightly) {
    const ManagerStyle managers[] = {{16, 16, 4, 0, true, 5}, {2, 12, 3, 100, true}, {40, 30, 2, 20, true}};
    const Axi4SubordinateConfig places[] = {{16, 16}, {16, 4}, {3, 2}};
    const unsigned count = of_campaign(22'500);
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'410'000);
    std::vector<std::unique_ptr<ToTlmChain>> chains;
    for (std::size_t n = 0; n < 3; ++n)
        chains.push_back(
            std::make_unique<ToTlmChain>(n, managers[n], places[n], target_styles()[GetParam()], count, clock));
    sc_core::sc_start(sc_time(100, sc_core::SC_MS));
    for (const auto& chain : chains) chain->expect_right();
}
INSTANTIATE_TEST_SUITE_P(All, Axi4ToTlmStyles, ::testing::Range(std::size_t{0}, target_styles().size()));

/// A manager that sends one read of two beats, and again when it is told.
struct OneReadOfPins final : rtl::AxiManager {
    rtl::AxiManagerPins out;
    rtl::AxiSubordinatePins in;
    std::uint64_t edges = 0;
    std::vector<std::uint64_t> beats; ///< edges at which one was taken
    bool asked = false;
    bool waiting = false;

    OneReadOfPins() { out.rready = true; }
    void ask() {
        asked = true;
        beats.clear();
    }
    void edge() override {
        ++edges;
        if (in.r.valid) {
            beats.push_back(edges);
            waiting = !in.r.last;
        }
        if (out.ar.valid && in.arready) out.ar.valid = false;
        if (!asked) return;
        asked = false;
        waiting = true;
        out.ar = {true, 1, 0x40, 1};
    }
    void settle(const rtl::AxiSubordinatePins& pins) override { in = pins; }
    const rtl::AxiManagerPins& pins() const override { return out; }
    bool idle() const override { return !asked && !waiting; }
};

TEST(Axi4ToTlm, CostsOneCycleAndNoneWhileIdle) {
    Clockwork clockwork("clockwork");
    OneReadOfPins manager;
    manager.ask();
    Axi4ToTlm bridge("bridge", {}, clockwork.domain(1'000'000), manager);
    ForeignTarget target("target", {"", RequestAnswer::end_req, true, 0, 0}, 1);
    bridge.socket.bind(target.socket);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    // Edge 1: on the pins. 2: taken, and requested. The response comes a ps later. 3: on the pins. 4 and 5: taken.
    EXPECT_EQ(manager.beats, (std::vector<std::uint64_t>{4, 5}));
    EXPECT_EQ(bridge.cycles(), 5U);
    manager.ask();
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(bridge.cycles(), 5U); // nobody has told the bridge
    bridge.wake();
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(manager.beats, (std::vector<std::uint64_t>{9, 10}));
    EXPECT_EQ(bridge.cycles(), 10U);
    EXPECT_TRUE(bridge.empty());
}

/// Accepts one request and never ends it, until it is let go.
struct StubbornTarget final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    explicit StubbornTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }
    tlm::tlm_target_socket<> socket;
    unsigned requests = 0;
    bool stubborn = true;
    tlm::tlm_generic_payload* first = nullptr;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_time&) override {
        ++requests;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (!stubborn) return tlm::TLM_COMPLETED;
        first = &payload;
        return tlm::TLM_ACCEPTED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
    void respond() {
        stubborn = false;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_time delay;
        EXPECT_EQ(socket->nb_transport_bw(*first, phase, delay), tlm::TLM_COMPLETED);
    }
};

TEST(Axi4ToTlm, PassesBackPressureOn) {
    Clockwork clockwork("clockwork");
    RandomManager manager({16, 32, 1}, 400, 1);
    Axi4ToTlm bridge("bridge", {{3, 2}, 0}, clockwork.domain(1'000'000), manager);
    StubbornTarget target("target");
    bridge.socket.bind(target.socket);
    unsigned reads = 0, writes = 0;
    bridge.observe([&](const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s) {
        reads += m.ar.valid && s.arready;
        writes += m.aw.valid && s.awready;
    });
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_EQ(target.requests, 1U);
    EXPECT_EQ(reads, 3U);
    EXPECT_EQ(writes, 2U);
    EXPECT_EQ(bridge.cycles(), 999U); // something is in flight
    target.respond();
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_TRUE(manager.finished());
    EXPECT_EQ(reads + writes, 400U);
    EXPECT_LT(bridge.cycles(), 4000U);
}

} // namespace
} // namespace numavp::test
