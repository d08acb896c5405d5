/// Changes of links, formats, topology and unified memory, against closed forms.
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/characterize/host_program.h"
#include "communication/predict/what_if.h"
#include "communication/predict/widen.h"
#include "tests/communication/predict/graphs.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t k64 = std::uint64_t{64} << 20;
constexpr double kBytes = 64.0 * (1U << 20);

WhatIfRow row_of(const GraphBuilder& builder, const std::string& change) {
    return what_if(builder.graph, "g.json", {"dgx-1", "", {}}, change);
}
double ns_of(const GraphBuilder& builder, const std::string& change) { return row_of(builder, change).simulated_ns; }

GraphBuilder one_copy(AppPlace from, AppPlace to) {
    GraphBuilder builder;
    builder.copy(builder.value(from, k64, true), to);
    return builder;
}

/// S822LC's NVLink 1.0 x2 to the CPU: 40 GB/s, reads of 128 B with 32 more.
TEST(LinkChanges, AKindBecomesThatOfAnotherMachine) {
    const GraphBuilder in = one_copy(kCpu0, kGpu0);
    EXPECT_NEAR(ns_of(in, "link.pcie=s822lc:nvlink_cpu"), 10'900 + kBytes / 32, kBytes / 32 * 0.01);
    EXPECT_NEAR(ns_of(in, "link.pcie=nvlink"), 10'900 + kBytes / (20 * 196.0 / 212), kBytes / 18 * 0.01);
    // Later parts see what earlier ones made.
    EXPECT_NEAR(ns_of(in, "link.pcie=nvlink,link.nvlink*2"), 10'900 + kBytes / (40 * 196.0 / 212), kBytes / 36 * 0.01);
}

/// Writes in packets of 256 B with 24 more, in the place of 128.
TEST(LinkChanges, AFormatChanges) {
    const GraphBuilder out = one_copy(kGpu0, kCpu0);
    const double before = 0.93 * 15.753846 * 128 / 152, after = 0.93 * 15.753846 * 256 / 280;
    EXPECT_NEAR(ns_of(out, ""), 10'300 + kBytes / before, kBytes / before * 0.01);
    EXPECT_NEAR(ns_of(out, "format.pcie.write_payload_bytes=256"), 10'300 + kBytes / after, kBytes / after * 0.01);
    EXPECT_NEAR(ns_of(out, "format.pcie.write_overhead_bytes=12,format.pcie.efficiency=1"),
                10'300 + kBytes / (15.753846 * 128 / 140), kBytes / 14 * 0.01);
}

/// Wires run from CPUs by switches to GPUs, so that copies out go against them.
TEST(LinkChanges, ALinkMayBeSlowerOneWay) {
    const std::string slow = "format.pcie.back_share=0.5";
    const GraphBuilder in = one_copy(kCpu0, kGpu0), out = one_copy(kGpu0, kCpu0);
    EXPECT_NEAR(ns_of(in, slow), ns_of(in, ""), ns_of(in, "") * 0.001);
    EXPECT_NEAR(ns_of(out, slow) - 10'300, 2 * (ns_of(out, "") - 10'300), ns_of(out, "") * 0.01);
    EXPECT_EQ(row_of(out, slow).lanes, row_of(out, "").lanes) << "a link has the lanes of its faster direction";
}

/// GPU 0 and GPU 5 have no link: a wire in the place of those between the CPUs' GPUs joins them.
TEST(LinkChanges, WiresChange) {
    const GraphBuilder across = one_copy(kGpu0, kGpu5);
    const double wired = 11'000 + kBytes / (20 * 196.0 / 212);
    EXPECT_GT(ns_of(across, ""), 1.5 * wired);
    EXPECT_NEAR(ns_of(across, R"(set.network.wires[2]={"from": "gpu[0]", "to": "gpu[5]", "link": "nvlink"})"), wired,
                wired * 0.01);
}

TEST(LinkChanges, SettingsAreOfTheMachineThatTheChangeNames) {
    const GraphBuilder in = one_copy(kCpu0, kGpu0);
    const double half = ns_of(in, "machine=s822lc,set.network.links[0].gbytes_per_s=20");
    const double whole = ns_of(in, "machine=s822lc");
    EXPECT_GT(half, 1.9 * whole);
    EXPECT_LT(ns_of(in, "machine=s822lc,calibration.calls.pinned_to_gpu_us=0"), whole - 5000);
}

/// dgx-1: 16 NVLinks of 8 lanes, 12 PCIe links of 16, QPI of 16; docs/use/APPLICATION_GRAPHS.md has the others.
TEST(Lanes, AreCountedFromLinks) {
    const GraphBuilder in = one_copy(kCpu0, kGpu0);
    EXPECT_EQ(row_of(in, "").lanes, 16U * 8 + 12 * 16 + 16);
    EXPECT_EQ(row_of(in, "link.pcie*2").lanes, 16U * 8 + 12 * 32 + 16);
    EXPECT_EQ(row_of(in, "link.pcie=nvlink").lanes, 28U * 8 + 16);
    // In their order: new links are what the other kind is then.
    EXPECT_EQ(row_of(in, "link.pcie*2,link.pcie=nvlink").lanes, 28U * 8 + 16);
    EXPECT_EQ(row_of(in, "link.nvlink*2,link.pcie=nvlink").lanes, 28U * 16 + 16);
    EXPECT_EQ(row_of(in, "link.pcie=nvlink,link.nvlink*2").lanes, 28U * 16 + 16);
    // Another machine's of the same name is another kind: links of 75 GB/s with lanes of 3.125, beside the old ones.
    EXPECT_EQ(row_of(in, "link.pcie=ac922:nvlink").lanes, 16U * 8 + 12 * 24 + 16);
    EXPECT_EQ(row_of(in, "link.pcie=ac922:nvlink,link.ac922:nvlink*2").lanes, 16U * 8 + 12 * 48 + 16);
    // NVLink x2 or x3: 6 links; the X bus; a PCIe link to each of 4 root ports and on to its GPU.
    EXPECT_EQ(row_of(in, "machine=s822lc").lanes, 6U * 16 + 48 + 8 * 8);
    EXPECT_EQ(row_of(in, "machine=ac922").lanes, 6U * 24 + 32 + 8 * 2);
}

/// PCIe is all that carries something: links of twice the width have 528 lanes together, of four times 912.
TEST(Lanes, ABudgetIsMetWithItsLastLane) {
    const GraphBuilder in = one_copy(kCpu0, kGpu0);
    const WhatIfRow before = row_of(in, "");
    const auto changes = [&](std::uint64_t budget) {
        std::vector<std::string> found;
        for (const WhatIfRow& row : widened(in.graph, "g.json", {"dgx-1", "", {}}, before, budget))
            found.push_back(row.change);
        return found;
    };
    EXPECT_THAT(changes(527), ::testing::IsEmpty());
    EXPECT_THAT(changes(528), ElementsAre("link.pcie*2"));
    EXPECT_THAT(changes(911), ElementsAre("link.pcie*2"));
    EXPECT_THAT(changes(912), ElementsAre("link.pcie*2", "link.pcie*4"));
}

class Unified : public ::testing::Test {
  protected:
    /// A value in unified memory on CPU 0 that kernels on GPUs read in turn.
    void readers(std::initializer_list<AppPlace> places) {
        const unsigned value = builder.value(kCpu0, k64, true, HostMemory::managed);
        for (const AppPlace& place : places) builder.kernel(place, 100, {value}, {builder.value(place, 8, false)});
    }
    double fault_ns(TransferEnd from, TransferEnd to) const {
        const CalibrationFaults& f = dgx.calibration().faults;
        const double us = !to.gpu ? f.host_call_us : from.gpu ? f.between_write_kernel_us : f.write_kernel_us;
        return program.demand_ns(from, to, k64) - us * 1000;
    }

    HostMachine dgx = load_host_machine("dgx-1", {}, "");
    HostProgram program{dgx};
    GraphBuilder builder;
};

TEST_F(Unified, FaultsOrAPrefetchMoveWhatAKernelReads) {
    readers({kGpu0});
    const double faults = fault_ns({false, 0}, {true, 0}) + 100'000;
    const double prefetch = program.prefetch_ns({false, 0}, {true, 0}, k64) + 100'000;
    EXPECT_NEAR(ns_of(builder, ""), faults, faults * 1e-6);
    EXPECT_NEAR(ns_of(builder, "faults=prefetch"), prefetch, prefetch * 1e-6);
    EXPECT_GT(faults, 1.2 * prefetch);
    EXPECT_NEAR(row_of(builder, "faults=prefetch").closed_form_ns, prefetch, prefetch * 1e-6);
    // Explicit copies of pinned memory are no part of it.
    EXPECT_DOUBLE_EQ(ns_of(builder, "copies=pinned"), ns_of(builder, ""));
}

/// Pages go where they are read, and back: each move waits for those who read them before.
TEST_F(Unified, PagesMoveBetweenReadersInTurn) {
    readers({kGpu0, kGpu1, kGpu1, kGpu0});
    const double there = fault_ns({false, 0}, {true, 0}), between = fault_ns({true, 0}, {true, 1});
    const double all = there + 2 * between + 400'000;
    EXPECT_NEAR(ns_of(builder, ""), all, all * 1e-6);
    std::vector<std::string> names;
    for (const AppStep& step : join_graph(builder.graph, dgx, Place("g.json")).graph.steps) names.push_back(step.name);
    EXPECT_THAT(names, ElementsAre("move v0@gpu0", "s0", "move v0@gpu1", "s1", "s2", "move v0@gpu0 (2)", "s3"));
}

/// One copy for each GPU in the place of three moves; over the link it costs the link's time alone.
TEST_F(Unified, AdviceIsAChange) {
    readers({kGpu0, kGpu1, kGpu1, kGpu0});
    const double there = fault_ns({false, 0}, {true, 0});
    const double mostly = ns_of(builder, "advice.*=read_mostly");
    EXPECT_GT(mostly, there + 200'000);
    EXPECT_LT(mostly, 2 * there + 200'000) << "the copies share a link, and no more";
    EXPECT_LT(ns_of(builder, "advice.v0=accessed_by:gpu1"), ns_of(builder, ""));
    EXPECT_DOUBLE_EQ(ns_of(builder, "advice.v0=read_mostly,advice.v0=none"), ns_of(builder, ""));
}

/// A prefetch follows the advice too: a copy for each GPU, made while nobody waits, in the place of three moves.
TEST_F(Unified, APrefetchOfWhatIsReadMostlyCopies) {
    readers({kGpu0, kGpu1, kGpu1, kGpu0});
    const double prefetch = program.prefetch_ns({false, 0}, {true, 0}, k64);
    const double moved = ns_of(builder, "faults=prefetch"),
                 copied = ns_of(builder, "faults=prefetch,advice.*=read_mostly");
    EXPECT_GE(copied, prefetch + 200'000) << "two kernels on a GPU behind its copy";
    EXPECT_LE(copied, 2 * prefetch + 200'001) << "both copies share a link, and no more";
    EXPECT_GT(moved, prefetch + program.prefetch_ns({true, 0}, {true, 1}, k64) + 400'000) << "there, over, and back";
    EXPECT_LT(copied, ns_of(builder, "advice.*=read_mostly")) << "faults take longer";
    builder.graph.values[0].memory = HostMemory::prefetched;
    builder.graph.values[0].advice.read_mostly = true;
    std::vector<std::string> names;
    for (const AppStep& step : join_graph(builder.graph, dgx, Place("g.json")).graph.steps) names.push_back(step.name);
    EXPECT_THAT(names, ElementsAre("copy v0@gpu0", "s0", "copy v0@gpu1", "s1", "s2", "s3"));
}

/// Four readers in turn: whoever has the pages best keeps them, which a list schedule does not see.
TEST_F(Unified, OneGpuMayBeBest) {
    readers({kGpu0, kGpu1, kGpu0, kGpu1});
    const double faults = fault_ns({false, 0}, {true, 0}) + 400'000;
    EXPECT_NEAR(ns_of(builder, "place=auto"), faults, faults * 1e-6);
    EXPECT_EQ(row_of(builder, "place=auto").placed.size(), 2U);
}

/// While a GPU's warps wait for pages it computes nothing else; a prefetch is the copy engine's.
TEST_F(Unified, APrefetchLeavesTheGpuToOthers) {
    readers({kGpu0});
    builder.kernel(kGpu0, 5000, {}, {builder.value(kGpu0, 8, false)}); // 5 ms
    const double faults = fault_ns({false, 0}, {true, 0});
    const double prefetch = program.prefetch_ns({false, 0}, {true, 0}, k64);
    ASSERT_GT(prefetch, 5'000'000);
    EXPECT_NEAR(ns_of(builder, ""), faults + 5'100'000, faults * 1e-6);
    EXPECT_NEAR(ns_of(builder, "faults=prefetch"), prefetch + 100'000, prefetch * 1e-6);
}

TEST_F(Unified, AHostReadsWhatAGpuMade) {
    const unsigned result = builder.value(kGpu0, k64, false, HostMemory::managed);
    builder.kernel(kGpu0, 100, {}, {result});
    builder.kernel(kCpu0, 10, {result}, {});
    builder.graph.steps[1].kind = AppStepKind::host;
    const double faults = fault_ns({true, 0}, {false, 0}) + 110'000;
    EXPECT_NEAR(ns_of(builder, ""), faults, faults * 1e-6);
}

/// Then the change is refused.
TEST_F(Unified, AGraphWithoutItHasNothingToPrefetch) {
    EXPECT_THROW(ns_of(one_copy(kCpu0, kGpu0), "faults=prefetch"), ConfigError);
}

} // namespace
} // namespace numavp::test
