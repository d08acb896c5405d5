/// Pin-level SystemC models behind the signal shells: the same values in the same cycles as behind struct pins, and a
/// clock that stands while the bridge's does.
#include <memory>

#include <gtest/gtest.h>

#include "rtl/blocks.h"
#include "tests/support/needs.h"
#include "tests/tlm-links/axi4_pin_models.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/tlm_to_axi4.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

constexpr unsigned kCount = 1'000; ///< transactions of an initiator

/// An initiator of each style, the bridge, what is given; the time of its last edge.
struct ShellChain {
    ShellChain(const InitiatorStyle& style, const std::string& name, const ClockDomain& clock,
               rtl::AxiSubordinate& memory)
        : initiator((name + "_initiator").c_str(), style, kCount, 11),
          bridge((name + "_bridge").c_str(), {{}, initiator.range}, clock, memory) {
        initiator.socket.bind(bridge.socket);
        bridge.observe([this](const auto& m, const auto& s) {
            monitor.observe(m, s);
            last = sc_core::sc_time_stamp();
        });
    }
    ForeignInitiator initiator;
    TlmToAxi4 bridge;
    Axi4Monitor monitor;
    sc_time last;

    void expect_right() {
        EXPECT_TRUE(initiator.finished());
        EXPECT_EQ(initiator.wrong(), 0U);
        monitor.finish();
        EXPECT_EQ(monitor.breaches(), std::vector<std::string>{});
    }
};

struct ClockCounter final : sc_core::sc_module {
    SC_HAS_PROCESS(ClockCounter);
    ClockCounter(sc_core::sc_module_name name, Axi4Signals& s) : sc_module(name), signals(s) {
        SC_METHOD(count);
        sensitive << signals.aclk.posedge_event();
        dont_initialize();
    }
    void count() { ++(signals.aresetn.read() ? edges : reset_edges); }
    Axi4Signals& signals;
    std::uint64_t edges = 0, reset_edges = 0;
};

void expect_alike(ShellChain& by_struct, ShellChain& by_signals, const ClockCounter& clock) {
    by_struct.expect_right();
    by_signals.expect_right();
    EXPECT_EQ(by_struct.bridge.cycles(), by_signals.bridge.cycles());
    EXPECT_EQ(by_struct.last, by_signals.last);
    EXPECT_EQ(clock.edges, by_signals.bridge.cycles()); // the signals' clock is gated with the bridge's
    EXPECT_EQ(clock.reset_edges, 2U);
}

TEST(Axi4Signals, CarryAPinLevelMemoryInTheSameCycles) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'410'000);
    struct Pair {
        Pair(const InitiatorStyle& style, const std::string& n, const ClockDomain& clock)
            : plain(5), shell(("shell" + n).c_str(), clock), memory(("memory" + n).c_str(), 5),
              counter(("counter" + n).c_str(), shell.signals), by_struct(style, "struct" + n, clock, plain),
              by_signals(style, "signals" + n, clock, shell) {
            memory.bind(shell.signals);
        }
        StructMemory plain;
        Axi4SubordinateSignals shell;
        PinMemory memory;
        ClockCounter counter;
        ShellChain by_struct, by_signals;
    };
    std::vector<std::unique_ptr<Pair>> pairs;
    for (const InitiatorStyle& style : initiator_styles())
        pairs.push_back(std::make_unique<Pair>(style, std::to_string(pairs.size()), clock));
    sc_core::sc_start(sc_time(10, sc_core::SC_MS));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        SCOPED_TRACE(initiator_styles()[i].name);
        expect_alike(pairs[i]->by_struct, pairs[i]->by_signals, pairs[i]->counter);
        EXPECT_EQ(pairs[i]->plain.core.memory.first_difference(pairs[i]->memory.core.memory), std::nullopt);
    }
}

TEST(Axi4Signals, CarryAVerilatedMemoryInTheSameCycles) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    const InitiatorStyle& style = initiator_styles().front();
    rtl::Axi4RamBlock plain(100), behind(100);
    Axi4SubordinateSignals shell("shell", clock);
    shell.on_debug = [&](auto address, auto* bytes, auto count, auto write) {
        return behind.debug(address, bytes, count, write);
    };
    PinDevice device("device", behind);
    device.bind(shell.signals);
    ClockCounter counter("counter", shell.signals);
    ShellChain by_struct(style, "struct", clock, plain);
    ShellChain by_signals(style, "signals", clock, shell);
    sc_core::sc_start(sc_time(10, sc_core::SC_MS));
    expect_alike(by_struct, by_signals, counter);
    unsigned char byte = 0;
    EXPECT_EQ(shell.debug(0, &byte, 1, false), 1U);
}

/// Edges of a clock that a bridge would give: manager, and memory behind struct pins.
struct Edges final : sc_core::sc_module {
    SC_HAS_PROCESS(Edges);
    Edges(sc_core::sc_module_name name, rtl::AxiManager& m, std::uint64_t seed)
        : sc_module(name), manager(m), memory(seed) {
        SC_THREAD(run);
    }
    rtl::AxiManager& manager;
    StructMemory memory;
    std::uint64_t edges = 0;
    std::function<bool()> finished;
    bool ended = false;

  private:
    void run() {
        manager.settle(memory.pins());
        while (!finished() && edges < 1'000'000) {
            wait(1, sc_core::SC_NS);
            ++edges;
            manager.at_edge(cycle_);
        }
        ended = true;
    }
    void cycle() {
        const rtl::AxiManagerPins m = manager.pins();
        memory.settle(m);
        manager.edge();
        memory.edge();
        manager.settle(memory.pins());
    }
    const std::function<void()> cycle_{[this] { cycle(); }};
};

class StructMaster final : public rtl::AxiManager {
  public:
    StructMaster(unsigned count, std::uint64_t seed) : core(count, seed) {}
    void edge() override { core.edge(settled_); }
    void settle(const rtl::AxiSubordinatePins& pins) override { settled_ = pins; }
    const rtl::AxiManagerPins& pins() const override { return core.manager.pins(); }
    bool idle() const override { return false; }
    RandomMaster core;

  private:
    rtl::AxiSubordinatePins settled_;
};

TEST(Axi4Signals, CarryAPinLevelMasterInTheSameCycles) {
    Clockwork clockwork("clockwork");
    StructMaster plain(kCount, 3);
    Axi4ManagerSignals shell("shell", clockwork.domain(1'000'000));
    PinMaster master("master", kCount, 3);
    master.bind(shell.signals);
    Edges by_struct("by_struct", plain, 9);
    Edges by_signals("by_signals", shell, 9);
    by_struct.finished = [&] { return plain.core.finished(); };
    by_signals.finished = [&] { return master.core.finished(); };
    sc_core::sc_start(sc_time(10, sc_core::SC_MS));
    EXPECT_TRUE(by_struct.ended && plain.core.finished());
    EXPECT_TRUE(by_signals.ended && master.core.finished());
    EXPECT_EQ(plain.core.wrong() + master.core.wrong(), 0U);
    // The signals' master has seen the edge at the time of the last; whoever asks then sees it one edge later.
    EXPECT_EQ(by_signals.edges, by_struct.edges + 1);
    EXPECT_EQ(by_struct.memory.core.memory.first_difference(by_signals.memory.core.memory), std::nullopt);
}

TEST(Axi4Signals, StandStillUntilTheMasterIsActive) {
    Clockwork clockwork("clockwork");
    Axi4ManagerSignals shell("shell", clockwork.domain(1'000'000));
    unsigned woken = 0;
    shell.on_active = [&] { ++woken; };
    EXPECT_FALSE(shell.idle()); // whoever says nothing has its clock
    sc_core::sc_start(sc_time(1, sc_core::SC_NS));
    shell.cactive.write(false);
    sc_core::sc_start(sc_time(5, sc_core::SC_NS));
    EXPECT_TRUE(shell.idle());
    EXPECT_EQ(woken, 0U);
    shell.cactive.write(true);
    sc_core::sc_start(sc_time(1, sc_core::SC_NS));
    EXPECT_EQ(woken, 1U);
    EXPECT_FALSE(shell.idle());
    EXPECT_FALSE(shell.signals.aclk.read()); // nobody has asked for an edge
}

} // namespace
} // namespace numavp::test
