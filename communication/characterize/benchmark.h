/// The microbenchmarks of C. Pearson's thesis (University of Illinois 2018, algorithms 4.1 to 5.6) as data: the parts
/// and sizes for which each is run, and the time that a machine takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/values/name_table.h"
#include "communication/characterize/host_program.h"

namespace numavp {

enum class Benchmark : std::uint8_t {
    host_to_pinned,
    pinned_to_gpu,
    gpu_to_pinned,
    combined_to_gpu,
    gpu_to_combined,
    pageable_to_gpu,
    gpu_to_pageable,
    peer,
    staged,
    prefetch_to_gpu,
    prefetch_to_host,
    prefetch_between,
    demand_to_gpu,
    demand_to_host,
    demand_between,
    latency_to_gpu,
    latency_to_host,
    latency_between
};

inline constexpr NameTable<Benchmark> kBenchmarks{
    "benchmark",
    {{Benchmark::host_to_pinned, "NUMA_Memcpy_HostToPinned", "CPU to CPU, pageable to pinned (algorithm 4.1)"},
     {Benchmark::pinned_to_gpu, "NUMA_Memcpy_PinnedToGPU", "pinned memory to a GPU (4.3)"},
     {Benchmark::gpu_to_pinned, "NUMA_Memcpy_GPUToPinned", "a GPU to pinned memory (4.3)"},
     {Benchmark::combined_to_gpu, "NUMA_Memcpy_WCToGPU", "write-combined memory to a GPU (4.3)"},
     {Benchmark::gpu_to_combined, "NUMA_Memcpy_GPUToWC", "a GPU to write-combined memory (4.3)"},
     {Benchmark::pageable_to_gpu, "NUMA_Memcpy_HostToGPU", "pageable memory to a GPU (4.3)"},
     {Benchmark::gpu_to_pageable, "NUMA_Memcpy_GPUToHost", "a GPU to pageable memory (4.3)"},
     {Benchmark::peer, "CUDA_Memcpy_GPUToGPU", "between GPUs with peer access (4.4)"},
     {Benchmark::staged, "NUMA_Memcpy_GPUToGPU", "between GPUs without peer access (4.5)"},
     {Benchmark::prefetch_to_gpu, "NUMAUM_Prefetch_HostToGPU", "unified memory, prefetched to a GPU (5.2)"},
     {Benchmark::prefetch_to_host, "NUMAUM_Prefetch_GPUToHost", "unified memory, prefetched to the host (5.4)"},
     {Benchmark::prefetch_between, "UM_Prefetch_GPUToGPU", "unified memory, prefetched between GPUs (5.1)"},
     {Benchmark::demand_to_gpu, "NUMAUM_Coherence_HostToGPU", "unified memory, touched by a GPU (5.2)"},
     {Benchmark::demand_to_host, "NUMAUM_Coherence_GPUToHost", "unified memory, touched by a CPU (5.3)"},
     {Benchmark::demand_between, "UM_Coherence_GPUToGPU", "unified memory of a GPU, touched by another (5.1)"},
     {Benchmark::latency_to_gpu, "NUMAUM_Latency_HostToGPU", "page faults of a GPU, pointer chase (5.6)"},
     {Benchmark::latency_to_host, "NUMAUM_Latency_GPUToHost", "page faults of a CPU, pointer chase (5.5)"},
     {Benchmark::latency_between, "UM_Latency_GPUToGPU", "page faults of a GPU on another's page, chase (5.6)"}}};

constexpr bool is_latency(Benchmark b) { return b >= Benchmark::latency_to_gpu; }

/// One benchmark between two parts, with its thread on a CPU.
struct BenchmarkCase {
    Benchmark benchmark = Benchmark::host_to_pinned;
    TransferEnd from, to;
    int thread = -1; ///< index of the CPU it is bound to; -1: not bound
};

struct BenchmarkPoint {
    std::uint64_t x = 0; ///< bytes, or strides
    double ns = 0;
};

/// Results of one case.
struct BenchmarkSeries {
    BenchmarkCase what;
    std::vector<BenchmarkPoint> points;
};

/// All cases of a machine, in the order of the table, for each benchmark by CPU, source and destination.
std::vector<BenchmarkCase> benchmark_cases(const HostMachine& machine);
/// Why a machine has no pair for a benchmark, as a sentence without a name before it; empty if it has some.
std::string why_no_cases(const HostMachine& machine, Benchmark benchmark);
/// Sizes or numbers of strides of a benchmark: 2^8 to 2^33 bytes (2^31 where the thesis has that); 4 to 34 strides.
std::vector<std::uint64_t> benchmark_sizes(Benchmark benchmark);
/// Time in ns of one point.
double benchmark_ns(const HostMachine& machine, const BenchmarkCase& what, std::uint64_t x);
/// Computes all points of a case, except sizes above `bytes_up_to`.
BenchmarkSeries run_benchmark(const HostMachine& machine, const BenchmarkCase& what, std::uint64_t bytes_up_to);

/// Name of an end, such as "cpu8" or "gpu3".
std::string end_name(const HostMachine& machine, TransferEnd end);
/// The NUMA id of the thread's CPU; empty if it is not bound.
std::string thread_name(const HostMachine& machine, const BenchmarkCase& what);

/// Time in ns per stride: slope of a least-squares line.
double slope_ns(const std::vector<BenchmarkPoint>& points);
/// The highest bandwidth of all points, in GB/s.
double plateau_gbytes_per_s(const std::vector<BenchmarkPoint>& points);

} // namespace numavp
