/// The bridges to and from AXI4 with the oddest accesses that they must serve. Who watches: monitors of the pins, the
/// checkers of TLM, the bridges and targets themselves, a flat memory, and that all ends.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/tlm-links/axi4_loop.h"
#include "tests/tlm-links/random_manager.h"

namespace numavp::test {
namespace {

constexpr unsigned kAnythingLegal = 12; ///< of target_styles()

/// Runs what was built and returns what is wrong; `pins` and `values` say what they find.
std::string run_bridges(const std::function<std::string()>& pins, const std::function<std::string()>& values,
                        const std::function<bool()>& ended, const std::function<void()>& finish) {
    try {
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
        if (ended()) finish();
    } catch (const sc_core::sc_report& report) { // of an exception of our own too
        return report.get_msg();
    }
    if (std::string what = pins(); !what.empty()) return what;
    if (std::string what = values(); !what.empty()) return what;
    return ended() ? "" : "it did not end";
}

/// TLM to AXI4 to TLM, with unaligned and long accesses, missing enables, errors of the target, and stalls.
std::string run_loop(const ClockDomain& clock) {
    const InitiatorStyle style{"", 0, ResponseAnswer::any, 700, 16, 2'003, 3'001, true, true, 10, true};
    Axi4LoopChain chain(0, style, target_styles()[kAnythingLegal], {{16, 4, 1, 8}, {6, 5}, 60}, 4'000, clock);
    return run_bridges([&] { return chain.monitor_says(); }, [&] { return chain.what_is_wrong(); },
                       [&] { return chain.ended(); }, [&] { chain.checkers_finish(); });
}

/// A manager with few ids, in front of the bridge from AXI4, that sends illegal bursts and wrong addresses too.
std::string run_manager(const ClockDomain& clock) {
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
    return run_bridges(
        pins, values, [&] { return manager.finished() && target.empty(); }, [&] { checker->finish(); });
}

TEST(Axi4Bridges, LoopOddAccessesThroughPins) {
    Clockwork clockwork("clockwork");
    EXPECT_EQ(run_loop(clockwork.domain(1'410'000)), "");
}

TEST(Axi4Bridges, ServeAManagerOfAnyBursts) {
    Clockwork clockwork("clockwork");
    EXPECT_EQ(run_manager(clockwork.domain(1'410'000)), "");
}

} // namespace
} // namespace numavp::test
