/// Application graphs on machines: what is shared and what waits, against closed forms.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "tests/communication/predict/graphs.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;

constexpr AppPlace kCpu{false, 0};
constexpr double kWithin = 0.03;
constexpr std::uint64_t k64MiB = std::uint64_t{64} << 20;
/// GB/s of pinned copies over PCIe 3.0 x16 (docs/papers/REAL_MACHINES.md): in completions of 64 B, out packets of 128
/// B.
constexpr double kIn = 0.93 * 15.753846 * 64 / 84, kOut = 0.93 * 15.753846 * 128 / 152;
constexpr double kNvlink = 20 * 196.0 / 212;

constexpr AppPlace gpu(unsigned index) { return {true, index}; }

class Prediction : public ::testing::Test {
  protected:
    Simulated simulate(const HostMachine& machine) {
        joined = join_graph(builder.graph, machine, "g.json");
        form = closed_form(joined);
        return simulate_graph(joined);
    }
    Simulated simulate() { return simulate(dgx); }

    HostMachine dgx = load_host_machine("dgx-1", {}, "");
    GraphBuilder builder;
    JoinedGraph joined;
    ClosedForm form;
};

/// The links of two GPUs behind one switch carry 31 GB/s together, its uplink half of that.
TEST_F(Prediction, TwoCopiesShareTheUplinkOfASwitch) {
    const unsigned value = builder.value(kCpu, k64MiB, true);
    builder.copy(value, gpu(0));
    builder.copy(value, gpu(1));
    const double ns = 10'900 + 2 * k64MiB / kIn;
    EXPECT_NEAR(simulate().ns, ns, ns * kWithin);
    EXPECT_NEAR(form.ns, ns, ns * kWithin);
    EXPECT_EQ(form.loaded, "pcie cpu[0] to pcie[0]");
    EXPECT_NEAR(form.path_ns, ns, ns * kWithin) << "both are under way at once";
}

TEST_F(Prediction, CopiesBehindTwoSwitchesShareNothing) {
    const unsigned value = builder.value(kCpu, k64MiB, true);
    builder.copy(value, gpu(0));
    builder.copy(value, gpu(2));
    const double ns = 10'900 + k64MiB / kIn;
    EXPECT_NEAR(simulate().ns, ns, ns * kWithin);
}

/// From GPU 0 to GPU 5 there is no link: by GPU 1 it is two copies over NVLink, one after the other.
TEST_F(Prediction, ACopyByWayOfANeighbour) {
    builder.copy(builder.copy(builder.value(gpu(0), k64MiB, true), gpu(1)), gpu(5));
    const double ns = 2 * (11'000 + k64MiB / kNvlink);
    const Simulated run = simulate();
    EXPECT_NEAR(run.ns, ns, ns * kWithin);
    EXPECT_NEAR(form.ns, ns, ns * kWithin);
    EXPECT_THAT(run.critical, ElementsAre(0U, 1U));
    EXPECT_EQ(reason_of(joined, 1, 0), "value v1");
}

/// From CPU 0 to GPUs 4, 5 and 6, and to GPU 0. QPI carries 17.1 GB/s of data; GPUs 4 and 5 share an uplink of 11.2.
/// While all run, three share QPI: 5.7 each would be more than half of the uplink, so that 4 and 5 have 5.6 each, and 6
/// what they leave. Once these have ended, which have less to copy, 6 has an uplink to itself.
TEST_F(Prediction, FourCopiesContend) {
    const double qpi = 19.2 * 64 / 72;
    ASSERT_LT(kIn / 2, qpi / 3);
    const double left = qpi - kIn; // for GPU 6
    const double shared = k64MiB / (kIn / 2), alone = (3 * k64MiB - shared * left) / kIn;
    const unsigned small = builder.value(kCpu, k64MiB, true), large = builder.value(kCpu, 3 * k64MiB, true);
    builder.copy(small, gpu(4));
    builder.copy(small, gpu(5));
    builder.copy(large, gpu(6));
    builder.copy(large, gpu(0));
    const Simulated run = simulate();
    EXPECT_NEAR(run.steps[0].end_ns, 11'800 + shared, shared * kWithin);
    EXPECT_NEAR(run.steps[1].end_ns, 11'800 + shared, shared * kWithin);
    EXPECT_NEAR(run.steps[2].end_ns, 11'800 + shared + alone, (shared + alone) * kWithin);
    EXPECT_NEAR(run.steps[3].end_ns, 10'900 + 3 * k64MiB / kIn, 3 * k64MiB / kIn * kWithin) << "another way";
}

/// To all GPUs of the other CPU: each uplink could carry 5.6 for each of its two, QPI carries 4.3 for each of four.
TEST_F(Prediction, FourCopiesShareTheBusBetweenCpus) {
    const unsigned value = builder.value(kCpu, k64MiB, true);
    for (unsigned g = 4; g < 8; ++g) builder.copy(value, gpu(g));
    const double ns = 11'800 + 4 * k64MiB / (19.2 * 64 / 72);
    EXPECT_NEAR(simulate().ns, ns, ns * kWithin);
    EXPECT_NEAR(form.ns, ns, ns * kWithin);
    EXPECT_EQ(form.loaded, "qpi cpu[0] to cpu[1]");
}

/// Out of GPU 0 and into GPU 1 at once, over one switch: each direction has its own engine and link.
TEST_F(Prediction, BothDirectionsAtOnce) {
    builder.copy(builder.value(kCpu, k64MiB, true), gpu(0));
    builder.copy(builder.value(gpu(0), k64MiB, true), kCpu);
    const double ns = 10'900 + k64MiB / kIn; // requests take 4 % of what goes out
    EXPECT_NEAR(simulate().ns, ns, ns * kWithin);
    EXPECT_GT(kOut, kIn);
}

TEST_F(Prediction, AnEngineCopiesOneAfterTheOther) {
    const unsigned value = builder.value(kCpu, 1024, true);
    builder.copy(value, gpu(0), "a");
    builder.copy(value, gpu(0), "b");
    const Simulated run = simulate();
    EXPECT_DOUBLE_EQ(run.steps[1].start_ns, run.steps[0].end_ns);
    EXPECT_EQ(reason_of(joined, 1, run.steps[1].after), "gpu0 copies in");
    Calibration more = dgx.calibration();
    more.copy_engines = 2;
    const HostMachine machine(load_system("dgx-1"), more, true);
    EXPECT_DOUBLE_EQ(simulate(machine).steps[1].start_ns, 0);
}

/// Two engines make four copies that hardly load the link in the time of two.
TEST_F(Prediction, EnginesOfADirectionShareItsCopies) {
    const unsigned value = builder.value(kCpu, 1024, true);
    for (const char* stream : {"a", "b", "c", "d"}) builder.copy(value, gpu(0), stream);
    Calibration two = dgx.calibration();
    two.copy_engines = 2;
    const HostMachine machine(load_system("dgx-1"), two, true);
    const double ns = simulate(machine).ns, one = joined.steps[0].alone_ns;
    EXPECT_NEAR(ns, 2 * one, one * kWithin);
    EXPECT_NEAR(form.load_ns, 2 * one, one * kWithin);
    EXPECT_NEAR(form.ns, ns, ns * kWithin);
    EXPECT_EQ(form.loaded, "gpu0 copies in");
}

TEST_F(Prediction, AGpuRunsOneKernelAtATime) {
    builder.kernel(gpu(3), 50, {}, {builder.value(gpu(3), 8, false)}, "a");
    builder.kernel(gpu(3), 70, {}, {builder.value(gpu(3), 8, false)}, "b");
    builder.kernel(gpu(4), 100, {}, {builder.value(gpu(4), 8, false)}, "c");
    const Simulated run = simulate();
    EXPECT_DOUBLE_EQ(run.ns, 120'000);
    EXPECT_DOUBLE_EQ(form.ns, 120'000);
    EXPECT_EQ(form.loaded, "gpu3");
    EXPECT_EQ(reason_of(joined, 1, run.steps[1].after), "gpu3");
}

TEST_F(Prediction, StreamsAreInOrderAndOthersAreNot) {
    builder.kernel(gpu(0), 10, {}, {builder.value(gpu(0), 8, false)}, "a");
    builder.copy(builder.value(gpu(1), 8, true), gpu(2), "a");
    builder.copy(builder.value(gpu(3), 8, true), gpu(2), "b");
    const Simulated run = simulate();
    EXPECT_DOUBLE_EQ(run.steps[1].start_ns, 10'000);
    EXPECT_EQ(reason_of(joined, 1, run.steps[1].after), "stream a");
    EXPECT_DOUBLE_EQ(run.steps[2].start_ns, 0);
}

/// Pageable memory is copied by the CPU's thread, pinned memory by the GPUs' engines.
TEST_F(Prediction, PageableCopiesShareAThread) {
    for (const HostMemory memory : {HostMemory::pageable, HostMemory::pinned, HostMemory::write_combined}) {
        builder = {};
        const unsigned value = builder.value(kCpu, k64MiB, true, memory);
        builder.copy(value, gpu(0));
        builder.copy(value, gpu(2));
        const Simulated run = simulate();
        EXPECT_EQ(run.steps[1].start_ns > 0, memory == HostMemory::pageable);
    }
}

/// What is read and written within a P100 at 732 GB/s.
TEST_F(Prediction, CopiesWithinAGpuTakeItsMemory) {
    builder.copy(builder.value(gpu(0), k64MiB, true), gpu(0));
    EXPECT_NEAR(simulate().ns, 11'000 + 2 * k64MiB / 732.0, 10);
}

/// Copies that share links and units at random: nothing says that the closed form is exact there.
TEST(PredictedExamples, RandomCopiesAreNear) {
    const HostMachine machine = load_host_machine("dgx-1", {}, "");
    std::mt19937 random(5);
    const auto draw = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
    unsigned near = 0;
    for (unsigned i = 0; i < 20; ++i) {
        GraphBuilder builder;
        for (unsigned copies = 4 + draw(20); copies > 0; --copies) {
            const HostMemory memory = draw(2) == 0 ? HostMemory::pinned : HostMemory::pageable;
            const unsigned from = draw(2), part = 1U << draw(4), to = draw(8);
            builder.copy(builder.value({false, from}, k64MiB / part, true, memory), gpu(to));
        }
        const JoinedGraph joined = join_graph(builder.graph, machine, "g.json");
        const double ns = simulate_graph(joined).ns;
        const ClosedForm form = closed_form(joined);
        EXPECT_LE(form.load_ns, ns * (1 + 1e-9)) << "a bound";
        EXPECT_GE(form.ns, 0.8 * ns) << i; // taking turns may only make it longer
        near += form.ns <= 1.2 * ns ? 1 : 0;
    }
    EXPECT_GE(near, 16U) << "of 20";
}

/// Each shipped graph, on each machine.
TEST(PredictedExamples, ClosedFormsAreNear) {
    for (const char* system : {"dgx-1", "s822lc", "ac922"}) {
        const HostMachine machine = load_host_machine(system, {}, "");
        for (const char* name : kExamples) {
            const AppGraph graph = shipped_graph(name);
            const JoinedGraph joined = join_graph(graph, machine, "g.json");
            const Simulated run = simulate_graph(joined);
            const ClosedForm form = closed_form(joined);
            EXPECT_NEAR(form.ns, run.ns, 0.01 * run.ns) << name << " on " << system;
            EXPECT_NEAR(std::max(form.path_ns, form.load_ns), run.ns, 0.15 * run.ns) << "without turns";
            EXPECT_TRUE(std::all_of(run.steps.begin(), run.steps.end(), [](const StepTimes& t) {
                return t.end_ns > t.start_ns;
            })) << "all steps end";
            for (std::size_t i = 1; i < run.critical.size(); ++i)
                EXPECT_DOUBLE_EQ(run.steps[run.critical[i]].start_ns, run.steps[run.critical[i - 1]].end_ns);
            EXPECT_DOUBLE_EQ(run.steps[run.critical.back()].end_ns, run.ns);
        }
    }
}

} // namespace
} // namespace numavp::test
