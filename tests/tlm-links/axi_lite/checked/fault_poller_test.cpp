/// Page faults served by RTL through AXI4-Lite pins: the same device writes and the same homes as by a driver at the
/// TLM port, each access of the pins made once, the pins under the monitor; then with faults in the RTL
/// (tests/mutation/rtl.json).
#include <Vfault_poller_bench.h>
#include <string>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "rtl/verilated/fault_poller_model.h"
#include "tests/support/run_apart.h"
#include "tests/tlm-links/axi_lite/checked/fault_host.h"
#include "tests/tlm-links/axi_lite/checked/stalling_pins.h"
#include "tlm-links/axi_lite/axi_lite_monitor.h"
#include "tlm-links/axi_lite/axi_lite_to_tlm.h"
#include "tlm-links/protocol/protocol_checker.h"

namespace numavp::test {
namespace {

using nlohmann::json;
using sc_core::sc_time;
using Reg = FaultUnitRegister;

constexpr rtl::FaultPollerPins pins_for(std::uint64_t leaf_table) {
    return {FaultHost::kSockets, FaultHost::kSocketShift, FaultHost::kPageShift, leaf_table};
}

/// rtl/fault_poller.sv with a fault.
class Poller final : public rtl::AxiLiteManager {
  public:
    Poller(unsigned fault, std::uint64_t leaf_table) {
        model_.context.fatalOnError(false); // a broken assertion is counted
        model_.context.errorLimit(1'000'000'000);
        model_.pins.mutant = static_cast<CData>(fault);
        model_.start(pins_for(leaf_table));
    }
    void edge() override { model_.rise(); }
    void settle(const rtl::AxiLiteSubordinatePins& pins) override { model_.settle(pins); }
    const rtl::AxiLiteManagerPins& pins() const override { return model_.out; }
    bool idle() const override { return model_.pins.idle; }
    void interrupt(bool level) override { model_.irq = level; }
    bool failed() const { return model_.pins.failed; }
    bool broken() const { return model_.context.errorCount() != 0; }

  private:
    rtl::FaultPollerModel<Vfault_poller_bench> model_;
};

/// The same driver in C++ at the TLM port.
class TlmDriver final : public sc_core::sc_module, public InterruptTaker {
  public:
    SC_HAS_PROCESS(TlmDriver);
    TlmDriver(sc_core::sc_module_name name, PhysicalAddress leaf_table)
        : sc_module(name), socket("socket"), leaf_table_(leaf_table) {
        SC_THREAD(run);
    }
    tlm_utils::simple_initiator_socket<TlmDriver> socket;
    void interrupt(bool level) override {
        level_ = level;
        changed_.notify();
    }

  private:
    std::uint64_t access(std::uint64_t address, bool write, std::uint64_t value) {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(8);
        payload.set_streaming_width(8);
        sc_time delay;
        socket->b_transport(payload, delay);
        EXPECT_TRUE(payload.is_response_ok()) << payload.get_response_string();
        return value;
    }
    static std::uint64_t at(Reg reg) {
        return kFaultUnitBlock.base + kFaultUnitBlock.registers[static_cast<std::size_t>(reg)].offset;
    }
    void run() {
        access(at(Reg::control), true, 1);
        for (std::uint64_t served = 0;;) {
            while (!level_) wait(changed_);
            while ((access(at(Reg::head_info), false, 0) >> 17 & 1) != 0) {
                const std::uint64_t page = access(at(Reg::head_page), false, 0);
                const PhysicalAddress frame = served % FaultHost::kSockets << FaultHost::kSocketShift |
                                              served / FaultHost::kSockets << FaultHost::kPageShift;
                ++served;
                access(kPlatformBase + leaf_table_ + 8 * (page % 512), true, TableWord::page(frame).bits);
                access(at(Reg::pop), true, 1);
                access(at(Reg::done), true, page);
            }
        }
    }
    PhysicalAddress leaf_table_;
    sc_core::sc_event changed_;
    bool level_ = false;
};

json outcome(FaultHost& faults, bool served) {
    const DeviceMap& devices = faults.host->devices();
    return {{"served", served},
            {"writes", devices.recorded()},
            {"digest", devices.digest()},
            {"homes", faults.homes()},
            {"accesses", devices.counts.reads + devices.counts.writes + devices.counts.memory_writes},
            {"errors", devices.counts.errors}};
}

json serve_at_port() {
    Clockwork clockwork("clockwork");
    FaultHost faults(clockwork);
    TlmDriver driver("driver", faults.leaf_table());
    driver.socket.bind(faults.port->socket);
    faults.host->connect_driver(driver);
    return outcome(faults, faults.run());
}

/// Hands the interrupt line on to the bridge.
struct InterruptWire final : InterruptTaker {
    explicit InterruptWire(AxiLiteToTlm& b) : bridge(b) {}
    void interrupt(bool level) override { bridge.interrupt(level); }
    AxiLiteToTlm& bridge;
};

/// The RTL's clock of 700 MHz and the platform's of 1 GHz share few edges; `stall` holds back its channels.
json serve_through_pins(FaultHost& faults, Clockwork& clockwork, rtl::AxiLiteManager& poller, bool stall) {
    StallingPins stalling(poller, 5);
    AxiLiteToTlm bridge("bridge", clockwork.domain(700'000), stall ? stalling : poller);
    const ProtocolRules rules;
    const auto checker = bind_checked(bridge.socket, faults.port->socket, "checker", &rules);
    InterruptWire line(bridge);
    faults.host->connect_driver(line);
    AxiLiteMonitor monitor(5'000);
    std::uint64_t answered = 0;
    bridge.observe([&](const auto& m, const auto& s) {
        monitor.observe(m, s);
        answered += (s.r.valid && m.rready) + (s.b.valid && m.bready);
    });
    const bool served = faults.run();
    json result = outcome(faults, served);
    const std::uint64_t cycles = bridge.cycles();
    if (served) { // else an access may be under way
        sc_core::sc_start(sc_time(1, sc_core::SC_MS));
        checker->finish();
        monitor.finish();
        stalling.monitor.finish();
    }
    result["answered"] = answered;
    result["breaches"] = monitor.breaches();
    for (const std::string& breach : stalling.monitor.breaches()) result["breaches"].push_back(breach);
    result["idle_cycles"] = bridge.cycles() - cycles;
    return result;
}

json serve_by_rtl(bool stall) {
    Clockwork clockwork("clockwork");
    FaultHost faults(clockwork);
    rtl::FaultPollerBlock poller(pins_for(faults.leaf_table()));
    return serve_through_pins(faults, clockwork, poller, stall);
}

TEST(FaultPoller, ServesAsADriverAtTheTlmPort) {
    const json port = run_apart(serve_at_port);
    EXPECT_TRUE(port["served"].get<bool>());
    for (const bool stall : {false, true}) {
        SCOPED_TRACE(stall);
        const json pins = run_apart([=] { return serve_by_rtl(stall); });
        EXPECT_EQ(pins["writes"], 1 + 3 * FaultHost::kFaults);
        for (const char* same : {"served", "writes", "digest", "homes", "errors"})
            EXPECT_EQ(pins[same], port[same]) << same;
        EXPECT_EQ(pins["accesses"], pins["answered"]); // each was made once
        EXPECT_EQ(pins["breaches"], json::array());
        EXPECT_EQ(pins["idle_cycles"], 0);
    }
}

// --- faults

json serve_with(unsigned fault, std::uint64_t away) {
    Clockwork clockwork("clockwork");
    FaultHost faults(clockwork);
    Poller poller(fault, faults.leaf_table() + away);
    json result = serve_through_pins(faults, clockwork, poller, true);
    result["failed"] = poller.failed();
    result["broken"] = poller.broken();
    return result;
}

struct PollerFault {
    unsigned number;
    const char* what;
    bool values, pins; ///< other homes, other writes or faults left; a monitor
};

TEST(RtlFaults, OfTheFaultPoller) {
    constexpr bool kSees = true;
    constexpr bool kBlind = false;
    const PollerFault faults[] = {
        {0, "none", kBlind, kBlind},
        {1, "four strobes are missing", kSees, kBlind},
        {2, "the entry is not written", kSees, kBlind},
        {3, "the fault stays in the queue", kSees, kBlind},
        {5, "a register is written that can only be read", kSees, kBlind},
        {6, "another page is completed", kSees, kBlind},
        {7, "AWVALID is withdrawn", kSees, kSees},
        {8, "WDATA changes while it waits", kSees, kSees},
        {9, "all pages go to the first socket", kSees, kBlind},
        {10, "frames are given twice", kSees, kBlind},
    };
    const json port = run_apart(serve_at_port);
    for (const PollerFault& fault : faults) {
        SCOPED_TRACE(fault.what);
        const json result = run_apart([&] { return serve_with(fault.number, 0); });
        bool values = false;
        for (const char* same : {"served", "writes", "digest", "homes"}) values = values || result[same] != port[same];
        EXPECT_EQ(values, fault.values);
        EXPECT_EQ(!result["breaches"].empty(), fault.pins) << result["breaches"];
        EXPECT_FALSE(result["broken"].get<bool>());
    }
}

TEST(FaultPoller, StopsAtAnError) {
    constexpr std::uint64_t kNoMemory = std::uint64_t{9} << FaultHost::kSocketShift;
    constexpr unsigned kIgnoresErrors = 4;
    const json whole = run_apart([] { return serve_with(0, kNoMemory); });
    EXPECT_TRUE(whole["failed"].get<bool>());
    EXPECT_EQ(whole["errors"], 1);
    EXPECT_EQ(whole["writes"], 1); // its mask: nothing was popped
    const json broken = run_apart([] { return serve_with(kIgnoresErrors, kNoMemory); });
    EXPECT_FALSE(broken["failed"].get<bool>());
    EXPECT_GT(broken["writes"], 1);
}

} // namespace
} // namespace numavp::test
