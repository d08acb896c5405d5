/// The bridges to and from AXI4, compiled with faults of which one is chosen at run time: each must be noticed, by whom
/// the table says.
#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "models/base/mutant.h"
#include "tests/links/axi4_loop.h"
#include "tests/links/random_manager.h"
#include "tests/support/fast_build.h"
#include "tlm-links/axi/axi4_faults.h"

namespace numavp::test {
namespace {

enum class Catcher {
    nobody,
    pins,     ///< the monitor of the pins
    checker,  ///< a TLM protocol checker
    bridge,   ///< a bridge, or the test's target, that was asked for what cannot be
    values,   ///< the comparison with a flat memory
    liveness, ///< it did not end
};
void PrintTo(Catcher catcher, std::ostream* out) {
    const char* const names[] = {"nobody", "pins", "checker", "bridge", "values", "liveness"};
    *out << names[static_cast<unsigned>(catcher)];
}

/// What a run came to.
struct Outcome {
    Catcher catcher = Catcher::nobody;
    std::string what;
};

constexpr unsigned kAnythingLegal = 12; ///< of target_styles()

/// Runs what was built; `pins` and `values` say what they find wrong.
Outcome run(const std::function<std::string()>& pins, const std::function<std::string()>& values,
            const std::function<bool()>& ended, const std::function<void()>& finish) {
    std::string checker, bridge;
    try {
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
        if (ended()) finish();
    } catch (const sc_core::sc_report& report) { // of an exception of our own too
        (std::string(report.get_msg_type()) == "numavp/protocol" ? checker : bridge) = report.get_msg();
    }
    if (const std::string what = pins(); !what.empty()) return {Catcher::pins, what};
    if (!checker.empty()) return {Catcher::checker, checker};
    if (!bridge.empty()) return {Catcher::bridge, bridge};
    if (const std::string what = values(); !what.empty()) return {Catcher::values, what};
    if (!ended()) return {Catcher::liveness, "it did not end"};
    return {};
}

/// TLM to AXI4 to TLM, with unaligned and long accesses, missing enables, errors of the target, and stalls.
Outcome run_loop(const ClockDomain& clock) {
    const InitiatorStyle style{"", 0, ResponseAnswer::any, 700, 16, 2'003, 3'001, true, true, 10, true};
    Axi4LoopChain chain(0, style, target_styles()[kAnythingLegal], {{16, 4, 1, 8}, {6, 5}, 60}, 4'000, clock);
    return run([&] { return chain.monitor_says(); }, [&] { return chain.what_is_wrong(); },
               [&] { return chain.ended(); }, [&] { chain.checkers_finish(); });
}

/// A manager with few ids, in front of the bridge from AXI4, that sends illegal bursts and wrong addresses too.
Outcome run_manager(const ClockDomain& clock) {
    RandomManager manager({3, 24, 4, 60, true, 5, 5}, 10'000, 1);
    Axi4ToTlm bridge("bridge", {{4, 4}, 0}, clock, manager);
    ForeignTarget target("target", target_styles()[kAnythingLegal], 1);
    target.size = RandomManager::kBytes;
    Axi4Monitor monitor;
    bridge.observe([&](const auto& m, const auto& s) { monitor.observe(m, s); });
    const ProtocolRules rules;
    const auto checker = bind_checked(bridge.socket, target.socket, "checker", &rules);
    const auto pins = [&]() -> std::string {
        for (const std::string& breach : monitor.breaches())
            if (breach.find("subordinate: ") != std::string::npos) return breach; // the manager's own are meant
        return "";
    };
    const auto values = [&]() -> std::string {
        if (manager.wrong() != 0) return std::to_string(manager.wrong()) + " answers are wrong";
        const bool same = !manager.finished() || !target.memory.first_difference(manager.reference);
        return same ? "" : "the memory differs";
    };
    return run(
        pins, values, [&] { return manager.finished() && target.empty(); }, [&] { checker->finish(); });
}

struct Row {
    Axi4Fault fault;
    const char* what;
    Outcome (*run)(const ClockDomain& clock);
    Catcher catcher;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.what; }

const Row kRows[] = {
    {kNoFault, "no fault, loop", run_loop, Catcher::nobody},
    {kNoFault, "no fault, manager", run_manager, Catcher::nobody},
    {kSplitsAfter4k, "bursts are split a beat after 4 KB", run_loop, Catcher::pins},
    {kShiftsStrobes, "strobes are a lane too high", run_loop, Catcher::values},
    {kIgnoresHazards, "overlapping accesses go out together", run_loop, Catcher::values},
    {kWriteLastEarly, "WLAST comes a beat early", run_loop, Catcher::pins},
    {kShowsNextBeatUntaken, "WREADY is not waited for", run_loop, Catcher::pins},
    {kTakesReadDataUnready, "read data is taken without RREADY", run_loop, Catcher::bridge},
    {kLosesWriteErrors, "BRESP is not looked at", run_loop, Catcher::values},
    {kForgetsBase, "the address on the pins is not relative", run_loop, Catcher::values},
    {kEndsRequestTwice, "END_REQ twice", run_loop, Catcher::checker},
    {kBeginsResponseInAnother, "BEGIN_RESP in another's response phase", run_loop, Catcher::checker},
    {kStopsClockAwaitingAnswers, "the clock stops while answers are awaited", run_loop, Catcher::pins},
    {kIgnoresStrobes, "missing strobes are not noticed", run_loop, Catcher::values},
    {kReadLastEarly, "RLAST comes a beat early", run_loop, Catcher::pins},
    {kAnswersWrongId, "BID is that of another", run_loop, Catcher::pins},
    {kAnswersOutOfOrder, "answers of an id overtake each other", run_manager, Catcher::pins},
    {kTakesAddressesWhenFull, "ARREADY without a place", run_loop, Catcher::pins},
    {kForwardsOverlaps, "overlapping bursts are handed on together", run_manager, Catcher::values},
    {kForwardsIllegalBursts, "illegal bursts are handed on", run_manager, Catcher::values},
    {kShowsNextReadBeatUntaken, "RREADY is not waited for", run_loop, Catcher::pins},
    {kSendsRequestInAnother, "BEGIN_REQ in another's request phase", run_loop, Catcher::checker},
    {kSendsUnreferenced, "a payload is sent without a reference", run_loop, Catcher::checker},
    {kIgnoresEnables, "a partial write has no byte enables", run_loop, Catcher::values},
    {kKeepsStaleStatus, "a payload is sent with its last status", run_loop, Catcher::checker},
    {kLosesErrors, "an error of the target is OKAY on the pins", run_loop, Catcher::values},
    {kNeverEndsEarlyResponse, "a response on return is never ended", run_loop, Catcher::pins},
    {kEndsResponseTwice, "END_RESP after TLM_COMPLETED", run_loop, Catcher::checker},
    {kStopsClockAwaitingTlm, "the clock stops while the target works", run_loop, Catcher::pins},
};

class BridgeMutants : public ::testing::TestWithParam<Row> {};

TEST_P(BridgeMutants, AreNoticedByWhomTheTableSays) {
    if (!kFastBuild) GTEST_SKIP() << kSanitizersLoseStacks;
    active_mutant = GetParam().fault;
    Clockwork clockwork("clockwork");
    const Outcome outcome = GetParam().run(clockwork.domain(1'410'000));
    EXPECT_EQ(outcome.catcher, GetParam().catcher) << outcome.what;
    RecordProperty("what", outcome.what);
}
INSTANTIATE_TEST_SUITE_P(All, BridgeMutants, ::testing::ValuesIn(kRows));

TEST(BridgeFaults, AreAllInTheTable) {
    std::set<unsigned> faults;
    for (const Row& row : kRows) faults.insert(row.fault);
    EXPECT_EQ(faults.size(), kAxi4Faults);
}

} // namespace
} // namespace numavp::test
