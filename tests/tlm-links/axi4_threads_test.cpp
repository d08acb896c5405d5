/// Threads of another team at the signals of both bridges, which drive their pins at every phase of the clock, in the
/// very time of an edge too: both sides of the pins count the same handshakes, and no value is lost.
#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/tlm-links/axi4_thread_models.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tests/tlm-links/foreign_target.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/axi4_to_tlm.h"
#include "tlm-links/axi/tlm_to_axi4.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

constexpr unsigned kPeriodPs = 1000;
constexpr unsigned kThreadCount = 60; ///< transactions of a chain

/// Each phase of the clock with several numbers of deltas; the last row draws a new moment for each pin.
std::vector<std::vector<Moment>> thread_moments() {
    std::vector<std::vector<Moment>> rows;
    std::vector<Moment> all;
    for (const unsigned ps : {0U, 1U, 250U, 499U, 500U, 501U, 750U, kPeriodPs - 1, kPeriodPs, 2 * kPeriodPs})
        for (unsigned deltas = 0; deltas < 5; ++deltas) {
            all.push_back({ps, deltas});
            rows.push_back({all.back()});
        }
    rows.push_back(all);
    return rows;
}

std::string described(const std::vector<Moment>& row) {
    if (row.size() > 1) return "moments at random";
    return std::to_string(row[0].ps) + " ps and " + std::to_string(row[0].deltas) + " deltas after an edge";
}

void expect_agreement(const Handshakes& bridge, const Handshakes& threads, Axi4Monitor& monitor) {
    EXPECT_EQ(bridge.aw, threads.aw);
    EXPECT_EQ(bridge.w, threads.w);
    EXPECT_EQ(bridge.b, threads.b);
    EXPECT_EQ(bridge.ar, threads.ar);
    EXPECT_EQ(bridge.r, threads.r);
    monitor.finish();
    EXPECT_EQ(monitor.breaches(), std::vector<std::string>{});
}

/// Until each chain has done what it has to, or for much longer than that takes.
template <class Chain> void run_until_done(const std::vector<std::unique_ptr<Chain>>& chains) {
    const auto done = [](const auto& chain) { return chain->done(); };
    for (unsigned us = 0; us < 40 && !std::all_of(chains.begin(), chains.end(), done); ++us)
        sc_core::sc_start(sc_time(1, sc_core::SC_US));
}

/// A foreign initiator, the bridge to AXI4, the shell, a memory of threads.
struct MemoryChain {
    MemoryChain(std::size_t n, const std::vector<Moment>& moments, const ClockDomain& clock)
        : initiator(named("initiator", n).c_str(), initiator_styles()[n % initiator_styles().size()], kThreadCount, n),
          shell(named("shell", n).c_str(), clock), memory(named("memory", n).c_str(), moments, n),
          bridge(named("bridge", n).c_str(), {{}, initiator.range}, clock, shell) {
        initiator.socket.bind(bridge.socket);
        memory.bind(shell.signals);
        bridge.observe([this](const auto& m, const auto& s) {
            monitor.observe(m, s);
            seen.observe(m, s);
        });
    }
    static std::string named(const char* what, std::size_t n) { return what + std::to_string(n); }
    ForeignInitiator initiator;
    Axi4SubordinateSignals shell;
    ThreadMemory memory;
    TlmToAxi4 bridge;
    Axi4Monitor monitor;
    Handshakes seen;

    bool done() const { return initiator.finished() && bridge.empty(); }
    void expect_right() {
        EXPECT_TRUE(initiator.finished()) << "only " << initiator.answered() << " answered";
        EXPECT_EQ(initiator.wrong(), 0U);
        EXPECT_TRUE(bridge.empty());
        expect_agreement(seen, memory.seen, monitor);
        std::vector<unsigned char> held(initiator.range.size);
        initiator.reference.read(initiator.range.base, held.data(), held.size());
        FlatMemory expected;
        expected.write(0, held.data(), held.size());
        EXPECT_EQ(memory.memory.first_difference(expected), std::nullopt);
    }
};

TEST(Axi4Threads, ServeTheBridgeToAxi4AtEveryPhaseOfTheClock) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    const auto moments = thread_moments();
    std::vector<std::unique_ptr<MemoryChain>> chains;
    for (std::size_t n = 0; n < moments.size(); ++n)
        chains.push_back(std::make_unique<MemoryChain>(n, moments[n], clock));
    run_until_done(chains);
    for (std::size_t n = 0; n < chains.size(); ++n) {
        SCOPED_TRACE(described(moments[n]));
        chains[n]->expect_right();
    }
}

/// A master of threads, the shell, the bridge from AXI4, a foreign target.
struct MasterChain {
    MasterChain(std::size_t n, const std::vector<Moment>& moments, const ClockDomain& clock,
                sc_core::sc_signal_in_if<bool>* other_clock = nullptr)
        : shell(MemoryChain::named("shell", n).c_str(), clock),
          master(MemoryChain::named("master", n).c_str(), moments, kThreadCount, n),
          bridge(MemoryChain::named("bridge", n).c_str(), {}, clock, shell),
          target(MemoryChain::named("target", n).c_str(), target_styles()[n % target_styles().size()], n) {
        if (other_clock)
            master.bind(shell.signals, *other_clock);
        else
            master.bind(shell.signals);
        bridge.socket.bind(target.socket);
        bridge.observe([this](const auto& m, const auto& s) {
            monitor.observe(m, s);
            seen.observe(m, s);
        });
    }
    Axi4ManagerSignals shell;
    ThreadMaster master;
    Axi4ToTlm bridge;
    ForeignTarget target;
    Axi4Monitor monitor;
    Handshakes seen;

    bool done() const { return master.done == kThreadCount && bridge.empty(); }
    void expect_right() {
        EXPECT_EQ(master.done, kThreadCount);
        EXPECT_EQ(master.wrong, 0U);
        EXPECT_EQ(target.served, kThreadCount);
        EXPECT_TRUE(bridge.empty());
        expect_agreement(seen, master.seen, monitor);
        EXPECT_EQ(target.memory.first_difference(master.reference), std::nullopt);
    }
};

TEST(Axi4Threads, DriveTheBridgeFromAxi4AtEveryPhaseOfTheClock) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    const auto moments = thread_moments();
    std::vector<std::unique_ptr<MasterChain>> chains;
    for (std::size_t n = 0; n < moments.size(); ++n)
        chains.push_back(std::make_unique<MasterChain>(n, moments[n], clock));
    run_until_done(chains);
    for (std::size_t n = 0; n < chains.size(); ++n) {
        SCOPED_TRACE(described(moments[n]));
        chains[n]->expect_right();
    }
}

/// The bridge's clock rises where an sc_clock of that period and phase does.
TEST(Axi4Threads, MayBeClockedByAnScClockInPhase) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    sc_core::sc_clock other("other", sc_time(1, sc_core::SC_NS), 0.5, sc_time(1, sc_core::SC_NS));
    const auto moments = thread_moments();
    std::vector<std::unique_ptr<MasterChain>> chains;
    for (const std::size_t n : {std::size_t{0}, std::size_t{6}, moments.size() - 1})
        chains.push_back(std::make_unique<MasterChain>(n, moments[n], clock, &other));
    run_until_done(chains);
    for (const auto& chain : chains) chain->expect_right();
}

} // namespace
} // namespace numavp::test
