/// AXI4-Lite -> TLM -> AXI4-Lite: a random manager, the one bridge, the TLM checker, the other bridge, registers in
/// RTL; both pairs of pins under the monitor. And the narrow accesses of
/// TLM initiators.
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/axi_lite/checked/fault_host.h"
#include "tests/tlm-links/axi_lite/checked/random_lite_manager.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tlm-links/axi_lite/axi_lite_monitor.h"
#include "tlm-links/axi_lite/axi_lite_to_tlm.h"
#include "tlm-links/axi_lite/tlm_to_axi_lite.h"
#include "tlm-links/protocol/protocol_checker.h"

namespace numavp::test {
namespace {

using nlohmann::json;
using sc_core::sc_time;

struct Loop {
    Loop(unsigned count, unsigned hurry, unsigned stall, std::uint64_t khz, ClockDomain& registers_clock,
         Clockwork& clockwork)
        : manager(count, hurry, khz), registers(stall), above("above", clockwork.domain(khz), manager),
          below("below", {0, 1 << 16}, registers_clock, registers),
          checker(bind_checked(above.socket, below.socket, "checker", &rules)) {
        above.observe([this](const auto& m, const auto& s) { of_manager.observe(m, s); });
        below.observe([this](const auto& m, const auto& s) { of_registers.observe(m, s); });
    }
    RandomLiteManager manager;
    rtl::AxiLiteRegistersBlock registers;
    AxiLiteToTlm above;
    TlmToAxiLite below;
    ProtocolRules rules;
    std::unique_ptr<ProtocolChecker> checker;
    AxiLiteMonitor of_manager{2'000}, of_registers{2'000};
};

/// What there is to notice in a run: lost and wrong answers, breaches on either pins and between.
json run_loop(unsigned count, unsigned hurry, unsigned stall) {
    Clockwork clockwork("clockwork");
    Loop loop(count, hurry, stall, 1'000'000, clockwork.domain(1'410'000), clockwork);
    json result;
    try {
        sc_core::sc_start(sc_time(count, sc_core::SC_US));
        const std::uint64_t edges = loop.above.cycles() + loop.below.cycles();
        sc_core::sc_start(sc_time(1, sc_core::SC_US));
        result["idle"] = loop.above.cycles() + loop.below.cycles() - edges;
        loop.checker->finish();
    } catch (const sc_core::sc_report& report) {
        result["protocol"] = report.get_msg();
    } catch (const std::exception& error) {
        result["protocol"] = error.what();
    }
    loop.of_manager.finish();
    loop.of_registers.finish();
    result["left"] = count - loop.manager.done();
    result["wrong"] = loop.manager.wrong();
    result["above"] = loop.of_manager.breaches();
    result["below"] = loop.of_registers.breaches();
    return result;
}

TEST(AxiLite, LoopsThroughTlmToRegisters) {
    const unsigned count = of_campaign(50'000);
    for (const unsigned hurry : {4U, 1U}) {
        for (const unsigned stall : {0U, 200U}) {
            SCOPED_TRACE(std::to_string(hurry) + ", " + std::to_string(stall));
            const json result = run_apart([=] { return run_loop(count, hurry, stall); });
            EXPECT_EQ(
                result,
                json({{"idle", 0}, {"left", 0}, {"wrong", 0}, {"above", json::array()}, {"below", json::array()}}));
        }
    }
}

/// Threads that read the same registers at once, each access annotated with a delay of its own.
struct Readers final : sc_core::sc_module {
    SC_HAS_PROCESS(Readers);
    explicit Readers(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        SC_THREAD(late);
        SC_THREAD(soon);
        SC_THREAD(soon_too);
    }
    tlm_utils::simple_initiator_socket<Readers> socket;
    unsigned done = 0;

    void late() { read(sc_time(100, sc_core::SC_NS)); }
    void soon() { read(sc_core::SC_ZERO_TIME); }
    void soon_too() { read(sc_core::SC_ZERO_TIME); }
    void read(const sc_time& annotated) {
        for (unsigned i = 0; i < 100; ++i) {
            tlm::tlm_generic_payload payload;
            std::uint64_t data = 0;
            payload.set_read();
            payload.set_address(8);
            payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
            payload.set_data_length(sizeof data);
            payload.set_streaming_width(sizeof data);
            sc_time delay = annotated;
            socket->b_transport(payload, delay);
            done += payload.is_response_ok();
        }
    }
};

TEST(AxiLite, ServesThreadsThatWaitAtOnce) {
    Clockwork clockwork("clockwork");
    rtl::AxiLiteRegistersBlock registers(0);
    TlmToAxiLite bridge("bridge", {0, 1 << 16}, clockwork.domain(1'000'000), registers);
    Readers readers("readers");
    readers.socket.bind(bridge.socket);
    std::uint64_t last_ps = 0;
    bridge.observe([&](const auto&, const auto&) {
        const std::uint64_t now = sc_now_ps();
        EXPECT_GT(now, last_ps); // no two edges at a time
        last_ps = now;
    });
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(readers.done, 300U);
    EXPECT_TRUE(bridge.empty());
}

TEST(AxiLite, KeepsTheOrderOfMixedBlockingAndNonBlockingCalls) {
    Clockwork clockwork("clockwork");
    rtl::AxiLiteRegistersBlock registers(100);
    InitiatorStyle style{"words", 0, ResponseAnswer::any, 8, 6, 5'003, 9'001};
    style.blocking_percent = 30;
    style.words = true;
    ForeignInitiator initiator("initiator", style, 2000, 1);
    initiator.range = {0, 8 * rtl::AxiLiteRegistersBlock::kRegisters};
    TlmToAxiLite bridge("bridge", initiator.range, clockwork.domain(1'000'000), registers);
    initiator.socket.bind(bridge.socket);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_TRUE(initiator.finished()) << initiator.answered();
    EXPECT_EQ(initiator.wrong(), 0U);
}

/// Asks for nothing, is idle after five edges, and counts edges until it is told of an interrupt.
struct Listener final : rtl::AxiLiteManager {
    void edge() override { ++edges; }
    void settle(const rtl::AxiLiteSubordinatePins&) override {}
    const rtl::AxiLiteManagerPins& pins() const override { return out; }
    bool idle() const override { return edges >= 5; }
    void interrupt(bool level) override {
        if (level && told == 0) told = edges;
    }
    rtl::AxiLiteManagerPins out;
    unsigned edges = 0, told = 0;
};

/// Calls `raise` at the time of an edge.
struct RaisedLine final : sc_core::sc_module {
    SC_HAS_PROCESS(RaisedLine);
    RaisedLine(sc_core::sc_module_name name, const sc_time& when) : sc_module(name), when_(when) {
        SC_METHOD(rise);
        sensitive << due_;
        dont_initialize();
    }
    std::function<void()> raise;

  private:
    void start_of_simulation() override { due_.notify(when_); }
    void rise() { raise(); }
    sc_time when_;
    sc_core::sc_event due_;
};

/// Edges until the manager is told of a line that rises at the time of the last edge that anybody has asked for, 0 if
/// it is not, and edges in all. `line_first`: the line is made before the bridge. A pulse ends at the time at
/// which it begins.
json told_of_line(bool line_first, bool pulse) {
    return run_apart([=] {
        Clockwork clockwork("clockwork");
        Listener manager;
        std::unique_ptr<RaisedLine> line;
        const sc_time last_edge(5, sc_core::SC_NS);
        if (line_first) line = std::make_unique<RaisedLine>("line", last_edge);
        AxiLiteToTlm bridge("bridge", clockwork.domain(1'000'000), manager);
        rtl::AxiLiteRegistersBlock registers(0);
        TlmToAxiLite target("target", {0, 1 << 16}, clockwork.domain(1'000'000), registers);
        bridge.socket.bind(target.socket);
        if (!line_first) line = std::make_unique<RaisedLine>("line", last_edge);
        line->raise = [&] {
            bridge.interrupt(true);
            if (pulse) bridge.interrupt(false);
        };
        sc_core::sc_start(sc_time(1, sc_core::SC_US));
        return json({manager.told, manager.edges});
    });
}

TEST(AxiLite, TellsOfAnInterruptAtTheTimeOfAnEdge) {
    EXPECT_EQ(told_of_line(true, false), json({6, 6}));
    EXPECT_EQ(told_of_line(false, false), json({6, 6}));
}

TEST(AxiLite, DoesNotTellOfAPulseInNoTime) {
    EXPECT_EQ(told_of_line(true, true), json({0, 6}));
    EXPECT_EQ(told_of_line(false, true), json({0, 6}));
}

// --- what AXI4-Lite can't carry

class Initiator final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Initiator);
    Initiator(sc_core::sc_module_name name, std::uint64_t base) : sc_module(name), socket("socket"), base_(base) {
        SC_THREAD(run);
    }
    tlm_utils::simple_initiator_socket<Initiator> socket;
    bool finished = false;

  private:
    tlm::tlm_response_status access(bool write, std::uint64_t address, unsigned bytes, std::uint64_t& value,
                                    std::uint64_t* enables = nullptr) {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(base_ + address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        payload.set_byte_enable_ptr(reinterpret_cast<unsigned char*>(enables));
        payload.set_byte_enable_length(enables ? 8 : 0);
        sc_time delay(3, sc_core::SC_NS);
        socket->b_transport(payload, delay);
        return payload.get_response_status();
    }
    void run() {
        std::uint64_t value = 0x1122334455667788;
        EXPECT_EQ(access(true, 8, 8, value), tlm::TLM_OK_RESPONSE);
        value = 0xabcd;
        EXPECT_EQ(access(true, 10, 2, value), tlm::TLM_OK_RESPONSE); // within a word: strobes
        EXPECT_EQ(access(true, 15, 2, value), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(access(false, 8, 4, value), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(access(false, 12, 8, value), tlm::TLM_BURST_ERROR_RESPONSE);
        std::uint64_t last = 0xff00000000000000;
        value = 0;
        EXPECT_EQ(access(false, 8, 8, value, &last), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        EXPECT_EQ(access(true, 8, 8, value, &last), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(access(false, 8, 8, value), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(value, 0x00223344abcd7788U);
        EXPECT_EQ(access(false, 0x1000, 8, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // DECERR
        EXPECT_EQ(access(false, 0x10000, 8, value), tlm::TLM_ADDRESS_ERROR_RESPONSE); // beyond the bridge
        finished = true;
    }
    std::uint64_t base_;
};

/// Accesses of registers in a range that begins at `base`.
void expect_refusals(std::uint64_t base) {
    Clockwork clockwork("clockwork");
    rtl::AxiLiteRegistersBlock registers;
    Initiator initiator("initiator", base);
    TlmToAxiLite bridge("bridge", {base, 1 << 16}, clockwork.domain(1'000'000), registers);
    initiator.socket.bind(bridge.socket);
    sc_core::sc_start(sc_time(10, sc_core::SC_US));
    EXPECT_TRUE(initiator.finished);
    EXPECT_TRUE(bridge.empty());
}

TEST(AxiLite, RefusesWhatTheRegistersCannotTake) { expect_refusals(0); }

TEST(AxiLite, PinsHaveAddressesFromTheBeginningOfTheRange) { expect_refusals(0x30000); }

} // namespace
} // namespace numavp::test
