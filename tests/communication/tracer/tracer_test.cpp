/// The tracer of CUDA calls: a program with the stand-in runtime, preloaded, and the graph that its records are.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "communication/records/cprof_reader.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tracer/kernel_parameters.h"
#include "tracer/recorder.h"

namespace numavp::test {
namespace {

struct PointerRow {
    const char* symbol;
    std::vector<std::pair<unsigned, bool>> pointers; ///< position, written
};

TEST(Tracer, PointersOfAKernelComeFromItsName) {
    const PointerRow rows[] = {
        {"_Z5scalePKfPfj", {{0, false}, {1, true}}},
        {"_ZN2ns7add_oneEPf", {{0, true}}},
        {"_Z3mixiPKdddPiS1_", {{1, false}, {4, true}, {5, true}}},
        {"_Z4gemmIfEvPKT_S2_PS0_i", {{0, false}, {1, false}, {2, true}}}, // void gemm<float>(float const*, ...)
        {"_Z4swapPPf", {{0, true}}},
        {"_Z4nonev", {}},
        {"plain", {}},
        {"", {}},
    };
    for (const PointerRow& row : rows) {
        std::vector<std::pair<unsigned, bool>> found;
        for (const auto& p : tracer::pointer_parameters(row.symbol)) found.emplace_back(p.position, p.written);
        EXPECT_EQ(found, row.pointers) << row.symbol;
    }
}

TEST(Tracer, MemoryThatNobodyAllocatedIsPageableAndFreedMemoryIsForgotten) {
    std::ostringstream out;
    tracer::Recorder recorder(out);
    std::vector<char> memory(256), other(256);
    recorder.allocated(memory.data(), 128, tracer::MemoryKind::device, 3);
    tracer::Call copy;
    copy.name = "cudaMemcpy";
    copy.device = 3;
    recorder.copied(copy, memory.data() + 64, other.data(), 64);
    recorder.copied(copy, other.data(), memory.data(), 128); // of the host more than was copied before
    recorder.freed(memory.data());
    recorder.allocated(memory.data(), 64, tracer::MemoryKind::pinned, 0);
    recorder.copied(copy, other.data(), memory.data(), 64);
    std::istringstream in(out.str());
    const AppGraph graph = read_cprof(in, "made").graph;
    ASSERT_EQ(graph.steps.size(), 3U) << out.str();
    EXPECT_EQ(graph.values[graph.steps[0].writes[0]].place.name(), "gpu3");
    EXPECT_EQ(graph.values[graph.steps[0].reads[0]].memory, HostMemory::pageable);
    EXPECT_EQ(graph.values[graph.steps[1].writes[0]].bytes, 128U);
    EXPECT_EQ(graph.values[graph.steps[2].reads[0]].memory, HostMemory::pinned);
}

/// "gpu0: scale" of a kernel, "cpu0 to gpu0, 4096" of a copy.
std::vector<std::string> words_of(const AppGraph& graph) {
    std::vector<std::string> words;
    for (const AppStep& step : graph.steps) {
        const AppValue& to = graph.values[step.writes[0]];
        const AppValue& from = graph.values[step.reads[0]];
        words.push_back(step.kind == AppStepKind::kernel
                            ? step.place.name() + ": " + step.name
                            : from.place.name() + " to " + to.place.name() + ", " + std::to_string(to.bytes));
    }
    return words;
}

TEST(Tracer, AProgramsCallsAreAGraph) {
    for (const bool waits : {true, false}) {
        TempDir dir;
        const std::string trace = dir.path("t.cprof");
        const Ended ended =
            run_process({"/usr/bin/env", std::string("LD_PRELOAD=") + NUMAVP_TRACER, "NUMAVP_TRACE=" + trace,
                         std::string("NUMAVP_TRACE_WAIT=") + (waits ? "1" : "0"),
                         "ASAN_OPTIONS=verify_asan_link_order=0", NUMAVP_TRACED_PROGRAM});
        ASSERT_EQ(ended.status, 0) << ended.err;
        std::ifstream in(trace);
        const RecordedGraph recorded = read_cprof(in, trace);
        const std::vector<std::string> expected = {"cpu0 to gpu0, 4096", "gpu0: scale 2", "gpu0 to gpu1, 4096",
                                                   "gpu1: ns::add_one 4", "gpu1 to cpu0, 2048"};
        EXPECT_EQ(words_of(recorded.graph), expected);
        EXPECT_EQ(recorded.graph.values[recorded.graph.steps[0].reads[0]].memory, HostMemory::pinned);
        EXPECT_EQ(recorded.graph.steps[3].stream, waits ? "gpu1.1" : "") << "a stream is known from the device's work";
        EXPECT_GT(recorded.graph.steps[1].time.time_us, 0.0);
    }
}

} // namespace
} // namespace numavp::test
