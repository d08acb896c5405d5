/// Unified memory of an application on a machine: moves, copies, what stays where it is, what makes room.
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/predict/unified_moves.h"
#include "tests/communication/predict/graphs.h"
#include "tests/support/fast_build.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kMiB64 = 64 << 20; // a sixteenth of a GPU's memory here
constexpr double kUs = 1000;

std::vector<std::string> steps_of(const AppGraph& graph) {
    std::vector<std::string> names;
    for (const AppStep& step : graph.steps) names.push_back(step.name);
    return names;
}

class UnifiedMoves : public ::testing::Test {
  protected:
    unsigned managed(AppPlace place, std::uint64_t bytes, AppAdvice advice = {}, bool given = true) {
        const unsigned value = builder.value(place, bytes, given, HostMemory::managed);
        builder.graph.values[value].advice = std::move(advice);
        return value;
    }
    /// A kernel or host step that reads and writes nothing else.
    void reads(AppPlace place, double us, std::vector<unsigned> values, const std::string& stream = "") {
        builder.kernel(place, us, std::move(values), {}, stream);
        if (!place.gpu) builder.graph.steps.back().kind = AppStepKind::host;
    }
    JoinedGraph joined() const { return join_graph(builder.graph, machine, Place("g.json")); }
    double ns() const { return simulate_graph(joined()).ns; }
    double faults_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
        return program.alone_ns(program.demanded(from, to, bytes), bytes);
    }
    /// Of bytes that are accessed over links.
    double access_ns(TransferEnd by, TransferEnd at, bool writes, std::uint64_t bytes) const {
        return static_cast<double>(bytes) / machine.graph().alone_gbytes_per_s(program.accessed_uses(by, at, writes));
    }

    HostMachine machine = load_host_machine("dgx-1", {"gpu.memory.capacity_gib=1"}, "");
    HostProgram program{machine};
    GraphBuilder builder;
};

TEST_F(UnifiedMoves, NamesAreNew) {
    const unsigned v = managed(kCpu0, 8);
    reads(kGpu0, 1, {v});
    builder.graph.steps[0].name = "move v0@gpu0";
    EXPECT_THAT(steps_of(joined().graph), ElementsAre("move v0@gpu0 (2)", "move v0@gpu0"));
}

/// Steps of the list move behind moves; events still name the same ones, and a move waits for the readers before.
TEST_F(UnifiedMoves, EventsKeepTheirSteps) {
    const unsigned v = managed(kCpu0, 8);
    reads(kGpu0, 1, {v});
    reads(kGpu1, 1, {v});
    reads(kGpu2, 1, {});
    builder.graph.steps[2].after = {0};
    const JoinedGraph graph = joined();
    ASSERT_THAT(steps_of(graph.graph), ElementsAre("move v0@gpu0", "s0", "move v0@gpu1", "s1", "s2"));
    EXPECT_THAT(graph.graph.steps[4].after, ElementsAre(1U));
    EXPECT_THAT(graph.waits,
                ElementsAre(IsEmpty(), ElementsAre(0U), ElementsAre(0U, 1U), ElementsAre(0U, 2U), ElementsAre(1U)));
}

/// A fault comes when its kernel could begin; a prefetch does not wait for that.
TEST_F(UnifiedMoves, NobodyFaultsBeforeItBegins) {
    const unsigned v = managed(kCpu0, kMiB64), made = builder.value(kGpu1, 8, false);
    builder.kernel(kGpu1, 9000, {}, {made});
    const unsigned here = builder.copy(made, kGpu0);
    reads(kGpu0, 10, {v, here});
    const double faults = faults_ns({false, 0}, {true, 0}, kMiB64);
    const double copy = program.peer_ns(1, 0, 8);
    EXPECT_NEAR(ns(), 9010 * kUs + copy + faults, 1);
    builder.graph.values[v].memory = HostMemory::prefetched;
    EXPECT_NEAR(ns(), 9010 * kUs + copy, 1);
}

/// Both copies cross the root port of one switch; no reader waits for another's copy.
TEST_F(UnifiedMoves, WhatIsReadMostlyIsCopied) {
    AppAdvice mostly;
    mostly.read_mostly = true;
    const unsigned v = managed(kCpu0, kMiB64, mostly);
    for (const AppPlace& place : {kGpu0, kGpu1, kGpu0, kCpu0}) reads(place, 100, {v});
    const JoinedGraph graph = joined();
    ASSERT_THAT(steps_of(graph.graph), ElementsAre("copy v0@gpu0", "s0", "copy v0@gpu1", "s1", "s2", "s3"));
    EXPECT_THAT(graph.waits[2], IsEmpty());
    EXPECT_THAT(graph.waits[5], ElementsAre(0U, 2U)) << "who reads all copies waits for all";
    EXPECT_EQ(graph.steps[0].bytes, kMiB64);
}

TEST_F(UnifiedMoves, WhoIsAdvisedReadsOverTheLink) {
    AppAdvice there;
    there.accessed_by = {kGpu0};
    const unsigned v = managed(kCpu0, kMiB64, there);
    reads(kGpu0, 100, {v});
    const double flow = access_ns({true, 0}, {false, 0}, false, kMiB64);
    EXPECT_GT(flow, 100 * kUs);
    EXPECT_NEAR(ns(), flow, 1);
    EXPECT_NEAR(closed_form(joined()).ns, flow, 1);
    builder.graph.steps[0].time.time_us = 20'000; // longer than the link needs
    EXPECT_NEAR(ns(), 20'000 * kUs, 1);
    EXPECT_THAT(steps_of(joined().graph), ElementsAre("s0"));
}

/// Written over the link, and read there.
TEST_F(UnifiedMoves, WhatPrefersAPlaceComesIntoBeingThere) {
    AppAdvice host;
    host.preferred = kCpu0;
    const unsigned made = managed(kGpu0, kMiB64, host, false);
    builder.kernel(kGpu0, 10, {}, {made});
    reads(kCpu0, 100, {made});
    EXPECT_NEAR(ns(), access_ns({true, 0}, {false, 0}, true, kMiB64) + 100 * kUs, 1);
    EXPECT_THAT(steps_of(joined().graph), ElementsAre("s0", "s1"));
}

/// Their thread reads another CPU's memory no faster than it copies from there, which on this machine is slower than
/// the link; a prefetch moves nothing from CPU to CPU.
TEST_F(UnifiedMoves, CpusReadInPlaceAsTheirThreadDoes) {
    const unsigned v = managed(kCpu0, kMiB64);
    reads(kCpu1, 1, {v});
    for (const HostMemory memory : {HostMemory::managed, HostMemory::prefetched}) {
        builder.graph.values[v].memory = memory;
        EXPECT_THAT(steps_of(joined().graph), ElementsAre("s0"));
        const double thread = machine.calibration().host_remote.ns(0, kMiB64, kMiB64);
        EXPECT_GT(thread, access_ns({false, 1}, {false, 0}, false, kMiB64));
        EXPECT_NEAR(ns(), thread, 1);
    }
}

/// 16 units of memory, 20 of pages: the 4 that came first go back to the host and come again.
TEST_F(UnifiedMoves, TheOldestPagesMakeRoom) {
    const unsigned a = managed(kCpu0, 10 * kMiB64), b = managed(kCpu0, 10 * kMiB64);
    for (const unsigned value : {a, b, a}) reads(kGpu0, 100, {value}, "0");
    const JoinedGraph graph = joined();
    ASSERT_THAT(steps_of(graph.graph),
                ElementsAre("move v0@gpu0", "s0", "evict v0@gpu0", "move v1@gpu0", "s1", "move v0@gpu0 (2)", "s2"));
    EXPECT_EQ(graph.steps[2].bytes, 4 * kMiB64);
    EXPECT_EQ(graph.steps[5].bytes, 4 * kMiB64) << "b is not needed any more";
    const CopyPlan out = program.evicted({true, 0}, {false, 0}, 4 * kMiB64);
    const double all = 2 * faults_ns({false, 0}, {true, 0}, 10 * kMiB64) + program.alone_ns(out, 4 * kMiB64) +
                       faults_ns({false, 0}, {true, 0}, 4 * kMiB64) + 300 * kUs;
    EXPECT_NEAR(ns(), all, all * 1e-9);
}

/// More than the memory in one step: what is left of it at the end is what came last.
TEST_F(UnifiedMoves, AStepMayTouchMoreThanTheMemory) {
    const unsigned a = managed(kCpu0, 24 * kMiB64), made = managed(kGpu0, 20 * kMiB64, {}, false);
    builder.kernel(kGpu0, 100, {a}, {made}, "0");
    reads(kGpu0, 100, {a}, "0");
    reads(kCpu0, 100, {made});
    const JoinedGraph graph = joined();
    ASSERT_THAT(steps_of(graph.graph),
                ElementsAre("evict v0@gpu0", "move v0@gpu0", "s0", "evict v1@gpu0", "evict v1@gpu0 (2)",
                            "evict v0@gpu0 (2)", "move v0@gpu0 (2)", "s1", "s2"));
    EXPECT_EQ(graph.steps[0].bytes, 24 * kMiB64) << "8 by its own end, 16 by what is written";
    EXPECT_EQ(graph.steps[3].bytes, 4 * kMiB64) << "of what is written";
    EXPECT_THAT(graph.waits[3], ElementsAre(2U));
    EXPECT_EQ(graph.graph.order().size(), graph.graph.steps.size()) << "no circle";
}

/// Memory that is not unified makes room too, and is given back behind its last reader.
TEST_F(UnifiedMoves, WhatDoesNotMoveTakesRoom) {
    const unsigned a = managed(kCpu0, 10 * kMiB64), fixed = builder.value(kGpu0, 10 * kMiB64, false);
    const unsigned b = builder.value(kGpu0, 10 * kMiB64, false);
    reads(kGpu0, 100, {a}, "0");
    builder.kernel(kGpu0, 100, {}, {fixed}, "0");
    reads(kGpu0, 100, {fixed}, "0");
    builder.kernel(kGpu0, 100, {}, {b}, "0");
    reads(kGpu0, 100, {a, b}, "0");
    const JoinedGraph graph = joined();
    ASSERT_THAT(steps_of(graph.graph), ElementsAre("move v0@gpu0", "s0", "evict v0@gpu0", "s1", "s2", "s3",
                                                   "evict v0@gpu0 (2)", "move v0@gpu0 (2)", "s4"));
    EXPECT_EQ(graph.steps[2].bytes, 4 * kMiB64);
    EXPECT_EQ(graph.steps[6].bytes, 10 * kMiB64) << "each page drives out the one that is needed next";
    builder.graph.values[b].bytes = 17 * kMiB64;
    try {
        joined();
        ADD_FAILURE() << "it does not fit";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("$.values[2]: 'v2' of 1140850688 B does not fit into what is left of "
                                            "gpu0's memory"));
    }
}

/// A CPU whose links are coherent reads a GPU's memory where it is advised to.
TEST_F(UnifiedMoves, AHostReachesGpusOverCoherentLinks) {
    AppAdvice there;
    there.preferred = kGpu0;
    const unsigned made = managed(kGpu0, kMiB64, there, false);
    builder.kernel(kGpu0, 100, {}, {made});
    reads(kCpu0, 100, {made});
    EXPECT_THAT(steps_of(joined().graph), ElementsAre("s0", "move v0@cpu0", "s1"));
    const HostMachine coherent = load_host_machine("ac922", {}, "");
    EXPECT_THAT(steps_of(join_graph(builder.graph, coherent, Place("g.json")).graph), ElementsAre("s0", "s1"));
}

/// Random applications with more pages than memory: nothing waits for itself, and all of it runs.
TEST_F(UnifiedMoves, WhateverIsReadArrives) {
    machine = load_host_machine("dgx-1", {"gpu.memory.capacity_gib=1", "cpu.memory.capacity_gib=1"}, "");
    constexpr std::uint64_t kMiB16 = 16 << 20;
    std::mt19937 random(5);
    const auto draw = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
    const auto place = [&] { return draw(3) == 0 ? AppPlace{false, draw(2)} : AppPlace{true, draw(4)}; };
    unsigned moved = 0, evicted = 0, remote = 0;
    const auto rounds = static_cast<unsigned>(of_seeds(24));
    for (unsigned round = 0; round < rounds; ++round) {
        builder = {};
        std::vector<unsigned> there;
        for (unsigned v = 0; v < 4; ++v) {
            AppAdvice advice;
            advice.read_mostly = draw(3) == 0;
            if (draw(3) == 0) advice.preferred = place();
            if (draw(3) == 0) advice.accessed_by = {place(), place()};
            there.push_back(managed(place(), (4 + draw(36)) * kMiB16 + draw(100'000), advice));
            if (draw(3) == 0) builder.graph.values.back().memory = HostMemory::prefetched;
        }
        for (unsigned s = 0; s < 12; ++s) {
            std::vector<unsigned> in;
            for (const unsigned value : there)
                if (draw(2) == 0) in.push_back(value);
            const std::string stream = draw(3) == 0 ? "" : std::to_string(draw(3));
            reads(place(), 10, in, stream);
            AppStep& step = builder.graph.steps.back();
            if (draw(2) == 0) {
                const unsigned made = managed(step.place, (4 + draw(20)) * kMiB16, {}, false);
                step.writes = {made};
                there.push_back(made);
            }
            if (s > 2 && draw(4) == 0) step.after = {draw(s)};
        }
        const JoinedGraph graph = joined();
        ASSERT_EQ(graph.graph.order().size(), graph.graph.steps.size()) << "round " << round;
        const Simulated run = simulate_graph(graph);
        for (unsigned s = 0; s < graph.steps.size(); ++s) {
            ASSERT_GT(run.steps[s].end_ns, 0) << "round " << round;
            const std::string& name = graph.graph.steps[s].name;
            moved += name.rfind("move ", 0) == 0 ? 1 : 0;
            evicted += name.rfind("evict ", 0) == 0 ? 1 : 0;
            remote += graph.steps[s].copies && name[0] == 's' ? 1 : 0;
        }
    }
    EXPECT_GT(moved, 6 * rounds);
    EXPECT_GT(evicted, 3 * rounds / 2);
    EXPECT_GT(remote, 2 * rounds);
}

} // namespace
} // namespace numavp::test
