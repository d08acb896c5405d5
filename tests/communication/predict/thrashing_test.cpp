/// Unified memory that goes to and fro between two GPUs: what the driver's rule makes of it in a prediction.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "communication/predict/unified_moves.h"
#include "tests/communication/predict/graphs.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

class ToAndFro : public ::testing::Test {
  protected:
    static constexpr std::uint64_t kLeaf = 64 << 10;
    static constexpr double kMostNap = 500'000; // ns

    /// `kernels` of 10 us in turn on two GPUs, each reads the same value.
    void play(AppPlace a, AppPlace b, unsigned kernels, std::uint64_t bytes) {
        const unsigned value = builder.value(kCpu0, bytes, true, HostMemory::managed);
        for (unsigned k = 0; k < kernels; ++k) builder.kernel(k % 2 == 0 ? a : b, 10, {value}, {});
    }
    UnifiedGraph moved() const { return unified_moves(builder.graph, machine, Place("g.json")); }
    static long moves_of(const UnifiedGraph& graph) {
        return std::count_if(graph.steps.begin(), graph.steps.end(),
                             [](const UnifiedStep& step) { return step.way == UnifiedWay::demand; });
    }
    double ns(const HostMachine& on) const { return simulate_graph(join_graph(builder.graph, on, Place("g.json"))).ns; }

    HostMachine machine = load_host_machine("dgx-1", {}, "");
    HostMachine undamped = load_host_machine("dgx-1", {}, "", {"faults.thrashing.threshold=0"});
    GraphBuilder builder;
};

/// The sixth fault finds three events; from then on the other GPU reads the page over NVLink.
TEST_F(ToAndFro, BetweenPeersThePageStays) {
    play(kGpu0, kGpu1, 40, kLeaf);
    const UnifiedGraph graph = moved();
    EXPECT_EQ(moves_of(graph), 5);
    const UnifiedStep& last = graph.steps.back();
    ASSERT_EQ(last.remote.size(), 1U);
    EXPECT_EQ(last.remote[0].at, kGpu0);
    EXPECT_EQ(last.remote[0].bytes, kLeaf);
    EXPECT_EQ(moves_of(unified_moves(builder.graph, undamped, Place("g.json"))), 40);
    EXPECT_LT(ns(machine), ns(undamped) / 2);
}

/// GPUs 0 and 5 do not reach each other. Each nap ends 500 us behind the move before the last one; when the tenth has
/// ended, and one more, the page is the host's.
TEST_F(ToAndFro, WithoutPeersOneNapsUntilBothReadTheHosts) {
    play(kGpu0, kGpu5, 100, kLeaf);
    const UnifiedGraph graph = moved();
    const auto naps =
        std::count_if(graph.steps.begin(), graph.steps.end(), [](const UnifiedStep& step) { return step.nap_ns > 0; });
    EXPECT_EQ(naps, 11);
    for (const UnifiedStep& step : graph.steps) EXPECT_LE(step.nap_ns, kMostNap);
    ASSERT_EQ(graph.steps.back().remote.size(), 1U);
    EXPECT_FALSE(graph.steps.back().remote[0].at.gpu);
    EXPECT_LT(moves_of(graph), 20);
    builder.graph.steps.resize(6);
    const double six = ns(machine);
    EXPECT_NEAR(six, ns(undamped), 1) << "nobody has napped yet";
}

/// Two GPUs behind one PCIe switch reach each other, but pages are accessed there at once only by a link that is faster
/// than the way to the host: not by a switch whose links are alike.
TEST_F(ToAndFro, BehindASwitchPagesStayIfItIsFasterThanTheHost) {
    const TempDir folder;
    const auto with_links = [&](const std::string& of_gpus, bool direct = false) {
        return load_host_machine(folder.write("m.json", R"({"extends": "dgx-1", "parts": [
{"name": "gpu", "count": 2}, {"name": "cpu", "count": 2, "kind": "cpu"}, {"name": "pcie", "count": 1, "kind": "router"}],
"network": {"links": [{"name": "pcie", "gbytes_per_s": 15.75}, {"name": "qpi", "gbytes_per_s": 19.2},
{"name": "nvlink", "gbytes_per_s": )" + of_gpus +
                                                            R"(}], "wires": [
{"from": "cpu[0]", "to": "pcie", "link": "pcie"}, {"from": "cpu[0]", "to": "cpu[1]", "link": "qpi"},
{"from": "pcie", "to": "gpu", "link": "nvlink"})" +
                                                            (direct ? R"(,
{"from": "gpu[0]", "to": "gpu[1]", "link": "nvlink"})"
                                                                    : "") +
                                                            "]}}"),
                                 {}, source_dir() + "/configs/calibrations/dgx-1.json");
    };
    play(kGpu0, kGpu1, 40, kLeaf);
    const auto played = [&](const HostMachine& on) { return unified_moves(builder.graph, on, Place("g.json")); };
    const auto naps = [](const UnifiedGraph& graph) {
        return std::count_if(graph.steps.begin(), graph.steps.end(),
                             [](const UnifiedStep& step) { return step.nap_ns > 0; });
    };
    const UnifiedGraph alike = played(with_links("15.75"));
    EXPECT_GT(moves_of(alike), 5) << "the sixth fault moves the page as those before";
    EXPECT_GT(naps(alike), 0);
    const UnifiedGraph faster = played(with_links("16"));
    EXPECT_EQ(moves_of(faster), 5);
    EXPECT_EQ(naps(faster), 0);
    const UnifiedGraph direct = played(with_links("15.75", true));
    EXPECT_EQ(moves_of(direct), 5) << "a link of their own is enough";
}

/// A nap is a part of the move behind it: 20 kernels take what moves and kernels take, and the naps.
TEST_F(ToAndFro, NapsTakeTime) {
    play(kGpu0, kGpu5, 12, kLeaf);
    double naps = 0;
    for (const UnifiedStep& step : moved().steps) naps += step.nap_ns;
    ASSERT_GT(naps, kMostNap);
    EXPECT_NEAR(ns(machine), ns(undamped) + naps, 1);
}

/// What takes longer than 500 us to go to and fro does not thrash: the driver moves it as often as it is asked for.
TEST_F(ToAndFro, LargeValuesGoOn) {
    play(kGpu0, kGpu1, 12, 64 << 20);
    EXPECT_EQ(moves_of(moved()), 12);
    EXPECT_DOUBLE_EQ(ns(machine), ns(undamped));
}

/// A step that another one keeps waiting is late: the page lies still meanwhile.
TEST_F(ToAndFro, TimeIsThatOfTheLongestPath) {
    const unsigned value = builder.value(kCpu0, kLeaf, true, HostMemory::managed);
    for (unsigned k = 0; k < 12; ++k) {
        builder.kernel(kGpu2, 600, {}, {});
        builder.kernel(k % 2 == 0 ? kGpu0 : kGpu1, 10, {value}, {});
    }
    EXPECT_EQ(moves_of(moved()), 5) << "nobody waits for GPU 2";
    for (unsigned step = 1; step < 24; ++step) builder.graph.steps[step].after = {step - 1};
    EXPECT_EQ(moves_of(moved()), 12) << "600 us lie between two readers";
}

} // namespace
} // namespace numavp::test
