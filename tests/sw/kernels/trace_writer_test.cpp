/// Pattern programs written as traces and read back: the same instructions, sectors, addresses.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "sw/traces/trace_kernel.h"
#include "sw/traces/trace_writer.h"
#include "sw/work/count.h"
#include "tests/support/fast_build.h"
#include "tests/support/temp_dir.h"
#include "tests/sw/kernels/pattern_cases.h"

namespace numavp {
namespace {

using test::TempDir;

std::string trace_of(Kernel& kernel, unsigned mode) {
    TraceWriterOptions options;
    options.address_mode = mode;
    std::ostringstream out;
    write_trace(kernel, out, options);
    return out.str();
}

class TraceRoundTrip : public ::testing::TestWithParam<PatternCase> {};

TEST_P(TraceRoundTrip, KeepsCountsAndFootprintInEveryAddressMode) {
    const Workload workload = workload_of(GetParam());
    for (const Launch& launch : workload.launches) {
        Footprint footprint;
        const StreamCounts expected = count_kernel(*launch.kernel, &footprint);
        for (const unsigned mode : {0U, 1U, 2U}) {
            TraceKernel traced(TraceText::from_string(trace_of(*launch.kernel, mode), "written"));
            EXPECT_EQ(traced.shape().blocks, launch.kernel->shape().blocks);
            EXPECT_EQ(traced.shape().threads, launch.kernel->shape().threads);
            EXPECT_EQ(traced.shape().registers, launch.kernel->shape().registers);
            EXPECT_EQ(traced.shape().shared_bytes, launch.kernel->shape().shared_bytes);
            Footprint touched;
            EXPECT_TRUE(count_kernel(traced, &touched) == expected) << launch.kernel->shape().name << " mode " << mode;
            EXPECT_EQ(touched.bytes(), footprint.bytes());
        }
    }
}

TEST_P(TraceRoundTrip, WhatWasReadIsWrittenAgainTheSame) {
    const Workload workload = workload_of(GetParam());
    Kernel& kernel = *workload.launches.back().kernel;
    const std::string once = trace_of(kernel, 2);
    TraceKernel traced(TraceText::from_string(once, "written"));
    EXPECT_EQ(trace_of(traced, 2), once);
}

INSTANTIATE_TEST_SUITE_P(All, TraceRoundTrip, ::testing::ValuesIn(pattern_cases()), [](const auto& row) {
    return std::string(row.param.pattern) + "_" + std::to_string(row.index);
});

TEST(TraceWriter, WritesFoldersThatLoadAsWorkloads) {
    Workload workload = workload_of({"reduction", R"({"blocks": 3, "read_bytes": 1024, "result_bytes": 512})"});
    workload.launches.back().stream = 3;
    Launch copy;
    copy.what = Launch::What::copy_to_device;
    copy.address = 0x100000000;
    copy.bytes = 4096;
    workload.launches.insert(workload.launches.begin(), copy);
    const StreamCounts expected = count_workload(workload);
    for (const bool compress : {false, true}) {
        const TempDir folder;
        TraceWriterOptions options;
        options.compress = compress;
        const std::string list = write_trace_folder(workload, folder.path("traces"), options);
        const Workload read = load_workload(list, {});
        ASSERT_EQ(read.launches.size(), workload.launches.size());
        EXPECT_EQ(read.launches[0].address, copy.address);
        EXPECT_EQ(read.launches.back().stream, 3U);
        EXPECT_TRUE(count_workload(read) == expected);
    }
}

TEST(TraceWriter, LargeTextsSpillToATemporaryFile) {
    // More text than TraceText keeps in memory, from a file of a few kilobytes.
    const Workload workload = workload_of({"shape", R"({"kind": "compute", "blocks": 1300})"});
    const TempDir folder;
    TraceWriterOptions options;
    options.compress = true;
    const std::string list = write_trace_folder(workload, folder.path("traces"), options);
    const auto text = TraceText::load(folder.path("traces/kernel-1.traceg.xz"));
    EXPECT_GT(text->view().size(), TraceText::kInMemoryBytes);
    if (test::kFastBuild) {
        EXPECT_TRUE(count_workload(load_workload(list, {})) == count_workload(workload));
    }
}

} // namespace
} // namespace numavp
