/// The bridge to AXI4 in front of the Verilated memory: initiators of every legal style, each value against a flat
/// memory, pins under our monitor, time to the cycle.
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "rtl/blocks.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/protocol/protocol_checker.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

/// An initiator, a checker, the bridge, a monitor, the memory.
struct ToAxi4Chain {
    ToAxi4Chain(std::size_t n, const InitiatorStyle& style, unsigned count, unsigned stall,
                const Axi4ManagerConfig& manager, const ClockDomain& clock, const ProtocolRules& rules)
        : ram(stall), initiator(("initiator" + std::to_string(n)).c_str(), style, count, n),
          bridge(("bridge" + std::to_string(n)).c_str(), {manager, initiator.range}, clock, ram),
          checker(bind_checked(initiator.socket, bridge.socket, ("checker" + std::to_string(n)).c_str(), &rules)) {
        bridge.observe([this](const auto& m, const auto& s) { monitor.observe(m, s); });
    }
    rtl::Axi4RamBlock ram;
    Axi4Monitor monitor;
    ForeignInitiator initiator;
    TlmToAxi4 bridge;
    std::unique_ptr<ProtocolChecker> checker;

    void expect_right() {
        EXPECT_TRUE(initiator.finished()) << "only " << initiator.answered() << " answered";
        EXPECT_EQ(initiator.wrong(), 0U);
        EXPECT_TRUE(bridge.empty());
        checker->finish();
        monitor.finish();
        EXPECT_EQ(monitor.breaches(), std::vector<std::string>{});
        FlatMemory memory;
        for (std::uint64_t at = 0; at < initiator.range.size; at += rtl::kAxiBytes) {
            std::array<unsigned char, rtl::kAxiBytes> bytes{};
            ASSERT_EQ(ram.debug(at, bytes.data(), rtl::kAxiBytes, false), rtl::kAxiBytes);
            memory.write(initiator.range.base + at, bytes.data(), bytes.size());
        }
        EXPECT_EQ(memory.first_difference(initiator.reference), std::nullopt);
    }
};

class TlmToAxi4Styles : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TlmToAxi4Styles, AreServedRightly) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const Axi4ManagerConfig managers[] = {{}, {1, 1, 1, 1}, {16, 8, 2, 3}};
    const unsigned stalls[] = {0, 200, 100};
    const unsigned count = of_campaign(28'000); // a million in all, of 3 chains and 12 styles
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'410'000);
    const ProtocolRules rules;
    std::vector<std::unique_ptr<ToAxi4Chain>> chains;
    for (unsigned variant = 0; variant < 3; ++variant)
        chains.push_back(std::make_unique<ToAxi4Chain>(3 * GetParam() + variant, initiator_styles()[GetParam()], count,
                                                       stalls[variant], managers[variant], clock, rules));
    sc_core::sc_start(sc_time(1, sc_core::SC_SEC));
    for (unsigned variant = 0; variant < 3; ++variant) {
        SCOPED_TRACE(std::string(initiator_styles()[GetParam()].name) + ", variant " + std::to_string(variant));
        chains[variant]->expect_right();
    }
}
INSTANTIATE_TEST_SUITE_P(All, TlmToAxi4Styles, ::testing::Range(std::size_t{0}, initiator_styles().size()));

struct OneRead final : sc_core::sc_module {
    SC_HAS_PROCESS(OneRead);
    OneRead(sc_core::sc_module_name name, unsigned bytes) : sc_module(name), socket("socket"), data_(bytes) {
        SC_THREAD(read);
    }
    tlm_utils::simple_initiator_socket<OneRead> socket;
    sc_time taken;

  private:
    void read() {
        wait(sc_time(100, sc_core::SC_NS)); // an edge of 1 GHz
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(0);
        payload.set_data_ptr(data_.data());
        payload.set_data_length(static_cast<unsigned>(data_.size()));
        payload.set_streaming_width(static_cast<unsigned>(data_.size()));
        sc_time delay;
        socket->b_transport(payload, delay);
        taken = sc_core::sc_time_stamp() + delay - sc_time(100, sc_core::SC_NS);
    }
    std::vector<unsigned char> data_;
};

TEST(TlmToAxi4, CostsOneCycleAndNoneWhileIdle) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    rtl::Axi4RamBlock ram;
    OneRead initiator("initiator", 128);
    TlmToAxi4 bridge("bridge", {{}, {0, rtl::Axi4RamBlock::kBytes}}, clockwork.domain(1'000'000), ram);
    initiator.socket.bind(bridge.socket);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    // Edge 1: on the pins. 2: the memory takes the address. 3: it shows the first beat. 4 and 5: beats are taken.
    EXPECT_EQ(initiator.taken, sc_time(5, sc_core::SC_NS));
    EXPECT_EQ(bridge.cycles(), 5U);
}

/// Addresses of the memory begin at the range's base, those of debug accesses too.
TEST(TlmToAxi4, DebugAccessesAreOfTheRange) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    constexpr std::uint64_t kBase = 0x40000;
    Clockwork clockwork("clockwork");
    rtl::Axi4RamBlock ram;
    OneRead initiator("initiator", 128);
    TlmToAxi4 bridge("bridge", {{}, {kBase, rtl::Axi4RamBlock::kBytes}}, clockwork.domain(1'000'000), ram);
    initiator.socket.bind(bridge.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::array<unsigned char, 4> bytes{1, 2, 3, 4};
    tlm::tlm_generic_payload payload;
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    payload.set_write();
    payload.set_address(kBase + 0x20);
    EXPECT_EQ(initiator.socket->transport_dbg(payload), 4U);
    std::array<unsigned char, 4> there{};
    ram.debug(0x20, there.data(), 4, false);
    EXPECT_EQ(there, (std::array<unsigned char, 4>{1, 2, 3, 4}));
    payload.set_read();
    bytes = {};
    EXPECT_EQ(initiator.socket->transport_dbg(payload), 4U);
    EXPECT_EQ(bytes, there);
    payload.set_address(kBase);
    EXPECT_EQ(initiator.socket->transport_dbg(payload), 4U);
    EXPECT_EQ(bytes, (std::array<unsigned char, 4>{}));
    payload.set_address(kBase - 4);
    EXPECT_EQ(initiator.socket->transport_dbg(payload), 0U) << "before the range";
}

} // namespace
} // namespace numavp::test
