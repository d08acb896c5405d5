/// The trace reader on traces written by hand (tests/data/traces) and on the shared real one if it is there.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "sw/traces/kernelslist.h"
#include "sw/traces/trace_kernel.h"
#include "sw/work/coalesce.h"
#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/places.h"

namespace numavp {
namespace {

constexpr std::uint64_t kBase = 0x7f2000000000;

std::string data(const std::string& name) { return test::source_dir() + "/tests/data/traces/" + name; }

/// The instructions of a warp, lists resolved.
struct Read {
    Inst inst;
    std::vector<std::uint64_t> addresses; ///< of the active lanes
};

std::vector<Read> read_warp(WarpStream& warp) {
    std::vector<Read> result;
    for (;;) {
        const Inst& inst = *warp.fetch();
        Read read{inst, {}};
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            if ((inst.mask >> lane & 1) == 0) continue;
            read.addresses.push_back(inst.mode == AddressMode::list
                                         ? inst.list[lane]
                                         : inst.base + static_cast<std::uint64_t>(std::int64_t{inst.stride} * lane));
        }
        result.push_back(read);
        if (inst.op == Op::exit) return result;
    }
}

TEST(TraceReader, ReadsHeader) {
    TraceKernel kernel(data("kernel-2.traceg.xz"));
    EXPECT_EQ(kernel.shape().name, "spaces");
    EXPECT_EQ(kernel.shape().blocks, 1U);
    EXPECT_EQ(kernel.shape().threads, 32U);
    EXPECT_EQ(kernel.shape().registers, 16U);
    EXPECT_EQ(kernel.shape().shared_bytes, 1024U);
    EXPECT_EQ(kernel.header().stream, 7U);
    EXPECT_EQ(kernel.header().tracer_version, 3U);
}

TEST(TraceReader, ReadsAddressModesAndRegisters) {
    TraceKernel kernel(data("kernel-1.traceg"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(0));
    ASSERT_EQ(warp.size(), 13U);
    EXPECT_EQ(warp[2].inst.op, Op::load);
    EXPECT_EQ(warp[2].inst.mode, AddressMode::affine);
    EXPECT_EQ(warp[2].inst.dst, 4U);
    EXPECT_EQ(warp[2].inst.src[0], 2U);
    EXPECT_EQ(warp[2].addresses[31], kBase + 31 * 4);
    EXPECT_EQ(warp[3].inst.width, 8U);
    EXPECT_EQ(warp[3].addresses, (std::vector<std::uint64_t>{kBase, kBase + 4096, kBase + 8192, kBase + 12288}));
    EXPECT_TRUE(warp[4].inst.read_only);
    EXPECT_EQ(warp[4].addresses,
              (std::vector<std::uint64_t>{kBase + 0x10000, kBase + 0x10020, kBase + 0xffe0, kBase + 0x10040}));
    EXPECT_EQ(warp[6].inst.src[2], 6U);
    EXPECT_EQ(warp[6].inst.latency, 4U);
    EXPECT_EQ(warp[7].inst.op, Op::barrier);
    EXPECT_TRUE(warp[8].inst.bypass_l1);
    EXPECT_EQ(warp[8].inst.op, Op::store);
    EXPECT_EQ(warp[10].inst.op, Op::reduce);
    EXPECT_EQ(warp[10].inst.stride, 0);
    EXPECT_EQ(warp[10].addresses[0], kBase + 0x30000);
    EXPECT_EQ(warp[11].inst.op, Op::fence);
}

TEST(TraceReader, PredicatedOffIsAnInstructionThatTouchesNothing) {
    TraceKernel kernel(data("kernel-1.traceg"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(0));
    EXPECT_EQ(warp[5].inst.op, Op::compute);
    EXPECT_EQ(warp[5].inst.dst, kNoReg);
    EXPECT_EQ(warp[5].inst.repeat, 1U);
}

TEST(TraceReader, PartialExitDoesNotEndTheWarp) {
    TraceKernel kernel(data("kernel-1.traceg"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(0));
    EXPECT_EQ(warp[9].inst.op, Op::compute);
    EXPECT_EQ(warp[12].inst.op, Op::exit);
    EXPECT_EQ(warp[12].inst.repeat, 1U);
}

TEST(TraceReader, SharedMemoryAndAtomics) {
    TraceKernel kernel(data("kernel-1.traceg"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(1));
    EXPECT_EQ(warp[2].inst.op, Op::shared);
    EXPECT_EQ(warp[3].inst.op, Op::shared);
    EXPECT_EQ(warp[3].inst.dst, 9U);
    EXPECT_EQ(warp[4].inst.op, Op::atomic);
    EXPECT_EQ(warp[4].inst.dst, 10U);
    EXPECT_TRUE(warp[4].inst.bypass_l1);
}

TEST(TraceReader, MissingBlocksAndEmptyWarpsEndAtOnceAndCountNothing) {
    TraceKernel kernel(data("kernel-1.traceg"));
    EXPECT_EQ(kernel.present_blocks(), (std::vector<std::uint64_t>{0, 2}));
    for (const unsigned w : {0U, 1U}) {
        const auto missing = kernel.open(1);
        const std::vector<Read> warp = read_warp(missing->warp(w));
        ASSERT_EQ(warp.size(), 1U);
        EXPECT_EQ(warp[0].inst.repeat, 0U);
    }
    const auto present = kernel.open(2);
    EXPECT_EQ(read_warp(present->warp(0))[0].inst.repeat, 0U);
    EXPECT_EQ(read_warp(present->warp(1))[0].inst.repeat, 1U);
    EXPECT_EQ(count_kernel(kernel).warp_instructions, 13U + 6 + 1);
}

TEST(TraceReader, BlocksOpenInAnyOrderAndAgain) {
    TraceKernel kernel(data("kernel-1.traceg"));
    const StreamCounts once = count_kernel(kernel);
    kernel.open(2);
    kernel.open(0);
    kernel.open(1);
    EXPECT_TRUE(count_kernel(kernel) == once);
    const auto held = kernel.open(0);
    kernel.open(2); // the last block of the file: the kernel lets the text go, the open block keeps it
    EXPECT_EQ(read_warp(held->warp(0)).size(), 13U);
}

TEST(TraceReader, GenericAddressesGoWhereTheirWindowSays) {
    TraceKernel kernel(data("kernel-2.traceg.xz"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(0));
    ASSERT_EQ(warp.size(), 9U);
    EXPECT_EQ(warp[0].inst.op, Op::shared);
    EXPECT_EQ(warp[1].inst.op, Op::load);
    EXPECT_EQ(warp[1].addresses[1] - warp[1].addresses[0], 4U) << "local memory is private to a thread";
    EXPECT_EQ(warp[2].addresses[0], kBase);
    LineAccess lines[kMaxLinesPerInst];
    EXPECT_EQ(coalesce(warp[3].inst, lines), 1U) << "words of local memory lie side by side over the lanes";
    EXPECT_EQ(coalesce(warp[4].inst, lines), 2U);
    EXPECT_EQ(warp[5].inst.op, Op::load);
    EXPECT_EQ(coalesce(warp[5].inst, lines), 4U);
    EXPECT_EQ(warp[6].inst.op, Op::compute) << "a fence of the device needs no coherence between sockets";
    EXPECT_EQ(warp[7].inst.latency, 14U);
}

TEST(TraceReader, OldVersionHasFourIntegersBeforeEachPc) {
    TraceKernel kernel(data("kernel-3.traceg"));
    const StreamCounts counts = count_kernel(kernel);
    EXPECT_EQ(counts.warp_instructions, 4U);
    EXPECT_EQ(counts.sectors, 1U + 4);
}

TEST(TraceReader, LineNumbersAndImmediatesAreSkipped) {
    TraceKernel kernel(data("kernel-4.traceg"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(0));
    ASSERT_EQ(warp.size(), 3U);
    EXPECT_EQ(warp[0].inst.width, 16U);
    EXPECT_EQ(warp[1].inst.width, 1U);
    EXPECT_EQ(warp[1].addresses[3], kBase + 0x100004);
}

TEST(TraceReader, CollidingPcsKeepTheirOwnMeaning) {
    const std::string head = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n"
                             "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 5\n";
    TraceKernel kernel(TraceText::from_string(head + "0000 ffffffff 1 R1 FADD 2 R2 R3 0 0\n"
                                                     "0000 ffffffff 1 R1 DADD 2 R2 R3 0 0\n"
                                                     "0000 ffffffff 1 R1 FADD 2 R2 R31 0 0\n"
                                                     "0000 ffffffff 1 R1 FADD 2 R2 R3 0\n"
                                                     "0000 ffffffff 0 EXIT 0 0\n#END_TB\n",
                                              "memory"));
    const auto block = kernel.open(0);
    const std::vector<Read> warp = read_warp(block->warp(0));
    EXPECT_EQ(warp[1].inst.latency, 8U);
    EXPECT_EQ(warp[2].inst.src[1], 31U);
    EXPECT_EQ(warp[3].inst.src[1], 3U);
    EXPECT_EQ(warp[4].inst.op, Op::exit);
}

TEST(KernelsList, GivesCopiesKernelsAndStreamsInOrder) {
    const Workload workload = load_workload(data("kernelslist.g"), {});
    ASSERT_EQ(workload.launches.size(), 5U);
    EXPECT_EQ(workload.launches[0].what, Launch::What::copy_to_device);
    EXPECT_EQ(workload.launches[0].address, kBase);
    EXPECT_EQ(workload.launches[0].bytes, 65536U);
    EXPECT_EQ(workload.launches[1].kernel->shape().name, "modes");
    EXPECT_EQ(workload.launches[2].stream, 7U);
    EXPECT_EQ(workload.launches[4].kernel->shape().name, "lines");
    EXPECT_TRUE(workload.ranges.empty());
    EXPECT_EQ(count_workload(workload).warp_instructions, 20U + 9 + 4 + 3);
}

TEST(SharedTrace, HasTheCountsOfAccelSim) {
    const char* folder = std::getenv("NUMAVP_SHARED_TRACES"); // NOLINT(concurrency-mt-unsafe)
    if (folder == nullptr) GTEST_SKIP() << "NUMAVP_SHARED_TRACES is not set";
    const Workload workload = load_workload(std::string(folder) + "/vectoradd-sm80/kernelslist.g", {});
    const StreamCounts counts = count_workload(workload);
    EXPECT_EQ(counts.warp_instructions, 26601U);
    EXPECT_EQ(counts.sectors, 18750U);
}

} // namespace
} // namespace numavp
