/// Trace reader: any bytes as a kernel trace, an .xz or .tracez trace, a kernelslist.g or mem_trace's output; reads
/// everything there is.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sw/traces/kernelslist.h"
#include "sw/traces/mem_trace.h"
#include "sw/traces/trace_kernel.h"
#include "sw/work/coalesce.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

/// Every instruction of a block; the answers of the coalescer are looked at so that a sanitizer sees them.
std::uint64_t read_block(Kernel& kernel, std::uint64_t index) {
    std::uint64_t lines = 0;
    const auto block = kernel.open(index);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
        for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch()) {
            LineAccess out[kMaxLinesPerInst];
            if (inst->op == Op::load || inst->op == Op::store || inst->op == Op::atomic || inst->op == Op::reduce)
                lines += coalesce(*inst, out);
        }
    }
    return lines;
}

std::uint64_t read_kernel(TraceKernel& kernel) {
    std::uint64_t lines = read_block(kernel, kernel.shape().blocks - 1);
    for (const std::uint64_t block : kernel.present_blocks()) lines += read_block(kernel, block);
    return lines;
}

void read_trace(const std::string& bytes) {
    constexpr std::string_view kXz("\xFD"
                                   "7zXZ\0",
                                   6);
    if (bytes.compare(0, kXz.size(), kXz) == 0) {
        TraceKernel kernel(test::input_file("kernel.traceg.xz", bytes));
        read_kernel(kernel);
    } else if (bytes.find('\0') != std::string::npos) { // ends the header of a binary trace
        TraceKernel kernel(test::input_file("kernel.tracez", bytes));
        read_kernel(kernel);
    } else if (bytes.compare(0, 8, "MEMTRACE") == 0) {
        const Workload workload = read_mem_trace(test::input_file("app.memtrace", bytes));
        for (const Launch& launch : workload.launches) read_kernel(dynamic_cast<TraceKernel&>(*launch.kernel));
    } else if (bytes.compare(0, 6, "Memcpy") == 0 || bytes.compare(0, 6, "kernel") == 0) {
        read_kernelslist(test::input_file("kernelslist.g", bytes));
    } else {
        TraceKernel kernel(TraceText::from_string(bytes, "fuzz"));
        read_kernel(kernel);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, read_trace);
}
