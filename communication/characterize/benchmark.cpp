#include "communication/characterize/benchmark.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

namespace {

bool between_gpus(Benchmark b) {
    return b == Benchmark::peer || b == Benchmark::staged || b == Benchmark::prefetch_between ||
           b == Benchmark::demand_between || b == Benchmark::latency_between;
}

bool to_host(Benchmark b) {
    return b == Benchmark::gpu_to_pinned || b == Benchmark::gpu_to_combined || b == Benchmark::gpu_to_pageable ||
           b == Benchmark::prefetch_to_host || b == Benchmark::demand_to_host || b == Benchmark::latency_to_host;
}

void add_gpu_pairs(const HostMachine& machine, Benchmark benchmark, int thread, std::vector<BenchmarkCase>& cases) {
    for (unsigned a = 0; a < machine.gpus(); ++a)
        for (unsigned b = 0; b < machine.gpus(); ++b)
            if (a != b && (benchmark != Benchmark::peer || machine.peers(a, b)))
                cases.push_back({benchmark, {true, a}, {true, b}, thread});
}

void add_cases(const HostMachine& machine, Benchmark benchmark, std::vector<BenchmarkCase>& cases) {
    const unsigned cpus = machine.cpus();
    if (benchmark == Benchmark::host_to_pinned) {
        for (unsigned a = 0; a < cpus; ++a)
            for (unsigned b = 0; b < cpus; ++b) cases.push_back({benchmark, {false, a}, {false, b}, -1});
    } else if (benchmark == Benchmark::staged) {
        for (unsigned cpu = 0; cpu < cpus; ++cpu) add_gpu_pairs(machine, benchmark, static_cast<int>(cpu), cases);
    } else if (between_gpus(benchmark)) {
        add_gpu_pairs(machine, benchmark, -1, cases);
    } else {
        for (unsigned cpu = 0; cpu < cpus; ++cpu)
            for (unsigned gpu = 0; gpu < machine.gpus(); ++gpu) {
                const TransferEnd host{false, cpu}, device{true, gpu};
                const int thread = static_cast<int>(cpu);
                if (to_host(benchmark))
                    cases.push_back({benchmark, device, host, thread});
                else
                    cases.push_back({benchmark, host, device, thread});
            }
    }
}

} // namespace

std::vector<BenchmarkCase> benchmark_cases(const HostMachine& machine) {
    std::vector<BenchmarkCase> cases;
    for (const NameEntry<Benchmark>& entry : kBenchmarks) add_cases(machine, entry.value, cases);
    return cases;
}

std::string why_no_cases(const HostMachine& machine, Benchmark benchmark) {
    std::vector<BenchmarkCase> cases;
    add_cases(machine, benchmark, cases);
    if (!cases.empty()) return "";
    const std::string name = machine.title();
    if (machine.gpus() < 2) return fmt::format("{} has no pair: {} has one GPU", kBenchmarks.name(benchmark), name);
    return fmt::format("{} has no pair: between any two GPUs of {} the way leads through a CPU, so that none are peers",
                       kBenchmarks.name(benchmark), name);
}

std::vector<std::uint64_t> benchmark_sizes(Benchmark benchmark) {
    std::vector<std::uint64_t> sizes;
    if (is_latency(benchmark)) {
        for (std::uint64_t strides = 4; strides <= 34; ++strides) sizes.push_back(strides);
        return sizes;
    }
    const bool less = benchmark == Benchmark::peer || benchmark == Benchmark::prefetch_between;
    for (unsigned power = 8; power <= (less ? 31U : 33U); ++power) sizes.push_back(std::uint64_t{1} << power);
    return sizes;
}

double benchmark_ns(const HostMachine& machine, const BenchmarkCase& what, std::uint64_t x) {
    const HostProgram program(machine);
    switch (what.benchmark) {
    case Benchmark::host_to_pinned: return program.host_ns(what.from.index, what.to.index, x);
    case Benchmark::pinned_to_gpu:
    case Benchmark::gpu_to_pinned:
    case Benchmark::combined_to_gpu:
    case Benchmark::gpu_to_combined: return program.pinned_ns(what.from, what.to, x);
    case Benchmark::pageable_to_gpu:
    case Benchmark::gpu_to_pageable: return program.pageable_ns(what.from, what.to, x);
    case Benchmark::peer: return program.peer_ns(what.from.index, what.to.index, x);
    case Benchmark::staged:
        return program.staged_ns(what.from.index, what.to.index, static_cast<unsigned>(what.thread), x);
    case Benchmark::prefetch_to_gpu:
    case Benchmark::prefetch_to_host:
    case Benchmark::prefetch_between: return program.prefetch_ns(what.from, what.to, x);
    case Benchmark::demand_to_gpu:
    case Benchmark::demand_to_host:
    case Benchmark::demand_between: return program.demand_ns(what.from, what.to, x);
    case Benchmark::latency_to_gpu:
    case Benchmark::latency_to_host:
    case Benchmark::latency_between: return program.chase_ns(what.from, what.to, static_cast<unsigned>(x));
    }
    throw ModelError("a benchmark without a time");
}

BenchmarkSeries run_benchmark(const HostMachine& machine, const BenchmarkCase& what, std::uint64_t bytes_up_to) {
    BenchmarkSeries series{what, {}};
    for (const std::uint64_t x : benchmark_sizes(what.benchmark))
        if (is_latency(what.benchmark) || x <= bytes_up_to)
            series.points.push_back({x, benchmark_ns(machine, what, x)});
    return series;
}

std::string end_name(const HostMachine& machine, TransferEnd end) {
    return end.gpu ? HostMachine::gpu_name(end.index) : machine.cpu_name(end.index);
}

std::string thread_name(const HostMachine& machine, const BenchmarkCase& what) {
    return what.thread < 0 ? "" : std::to_string(machine.numa_id(static_cast<unsigned>(what.thread)));
}

double slope_ns(const std::vector<BenchmarkPoint>& points) {
    double x = 0, y = 0;
    for (const BenchmarkPoint& point : points) {
        x += static_cast<double>(point.x);
        y += point.ns;
    }
    const auto n = static_cast<double>(points.size());
    double over = 0, under = 0;
    for (const BenchmarkPoint& point : points) {
        const double dx = static_cast<double>(point.x) - x / n;
        over += dx * (point.ns - y / n);
        under += dx * dx;
    }
    return under > 0 ? over / under : 0;
}

double plateau_gbytes_per_s(const std::vector<BenchmarkPoint>& points) {
    double best = 0;
    for (const BenchmarkPoint& point : points) best = std::max(best, static_cast<double>(point.x) / point.ns);
    return best;
}

} // namespace numavp
