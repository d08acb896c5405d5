#include "communication/characterize/findings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>

namespace numavp {

namespace {

constexpr double kYes = 0.05, kSmall = 0.025;
using Case = std::optional<BenchmarkCase>;

class Finder {
  public:
    explicit Finder(const HostMachine& machine) : m_(machine) {
        for (unsigned g = 0; g < m_.gpus(); ++g) {
            if (m_.home(g) == 0) local_.push_back(g);
            if (m_.home(g) != 0) remote_.push_back(g);
        }
        for (unsigned g = 1; g < m_.gpus(); ++g) {
            if (m_.home(g) == m_.home(0)) near_.push_back(g);
            if (m_.home(g) != m_.home(0) && !m_.joined_without_cpu(0, g)) far_.push_back(g);
        }
    }

    std::vector<Finding> all() {
        using B = Benchmark;
        const TransferEnd host{false, 0};
        const auto of = [&](B b, const std::vector<unsigned>& gpus, bool out, std::size_t which = 0) -> Case {
            if (gpus.size() <= which) return {};
            const TransferEnd gpu{true, gpus[which]};
            return BenchmarkCase{b, out ? gpu : host, out ? host : gpu, 0};
        };
        const auto gpus = [&](B b, const std::vector<unsigned>& others, bool back, std::size_t which = 0) -> Case {
            if (others.size() <= which) return {};
            if (b == B::peer && !m_.peers(0, others[which])) return {};
            const TransferEnd a{true, 0}, c{true, others[which]};
            return BenchmarkCase{b, back ? c : a, back ? a : c, b == B::staged ? 0 : -1};
        };
        const auto pair = [&](const char* table, const char* row, const Case& a, const Case& b) {
            add(table, row, a, b);
        };
        pair("4.1 affinity", "pageable to GPU", of(B::pageable_to_gpu, local_, false),
             of(B::pageable_to_gpu, remote_, false));
        pair("4.1 affinity", "GPU to pageable", of(B::gpu_to_pageable, local_, true),
             of(B::gpu_to_pageable, remote_, true));
        pair("4.1 affinity", "pinned to GPU", of(B::pinned_to_gpu, local_, false),
             of(B::pinned_to_gpu, remote_, false));
        pair("4.1 affinity", "GPU to pinned", of(B::gpu_to_pinned, local_, true), of(B::gpu_to_pinned, remote_, true));
        for (const auto& [where, some] : {std::pair{"local", &local_}, std::pair{"remote", &remote_}}) {
            both("4.2 anisotropy", "pageable", where, of(B::pageable_to_gpu, *some, false),
                 of(B::gpu_to_pageable, *some, true));
            both("4.2 anisotropy", "pinned", where, of(B::pinned_to_gpu, *some, false),
                 of(B::gpu_to_pinned, *some, true));
        }
        for (const auto& [name, b, out] : {std::tuple{"pageable to GPU", B::pageable_to_gpu, false},
                                           std::tuple{"GPU to pageable", B::gpu_to_pageable, true},
                                           std::tuple{"pinned to GPU", B::pinned_to_gpu, false},
                                           std::tuple{"GPU to pinned", B::gpu_to_pinned, true}})
            add("4.3 like CPU-GPU links", name, of(b, local_, out, 0), of(b, local_, out, 1));
        for (const auto& [where, some] : {std::pair{"local", &near_}, std::pair{"remote", &far_}}) {
            both("4.4 like GPU-GPU links", "peer", where, gpus(B::peer, *some, false), gpus(B::peer, *some, true));
            both("4.4 like GPU-GPU links", "staged", where, gpus(B::staged, *some, false),
                 some->size() > 1 ? gpus(B::staged, *some, false, 1) : gpus(B::staged, *some, true));
        }
        unified("5.1 affinity of demand", "5.3 anisotropy of demand", B::demand_to_gpu, B::demand_to_host,
                B::demand_between, of, gpus);
        unified("5.2 affinity of prefetch", "5.4 anisotropy of prefetch", B::prefetch_to_gpu, B::prefetch_to_host,
                B::prefetch_between, of, gpus);
        latency("CPU to GPU", of(B::latency_to_gpu, local_, false));
        latency("GPU to CPU", of(B::latency_to_host, local_, true));
        latency("GPU to GPU (local)", gpus(B::latency_between, near_, false));
        latency("GPU to GPU (remote)", gpus(B::latency_between, far_, false));
        return std::move(found_);
    }

  private:
    std::string name(const BenchmarkCase& c) const { return end_name(m_, c.from) + "-" + end_name(m_, c.to); }

    void add(const std::string& table, const std::string& row, const Case& a, const Case& b) {
        if (!a || !b) {
            found_.push_back({table, row, "none", 0, ""});
            return;
        }
        double most = 0;
        for (unsigned power = 20; power <= 30; ++power) {
            const std::uint64_t bytes = std::uint64_t{1} << power;
            const double one = benchmark_ns(m_, *a, bytes), other = benchmark_ns(m_, *b, bytes);
            most = std::max(most, std::max(one, other) / std::min(one, other) - 1);
        }
        found_.push_back({table, row,
                          most >= kYes     ? "yes"
                          : most >= kSmall ? "small"
                                           : "no",
                          most, name(*a) + ", " + name(*b)});
    }
    void both(const char* table, const char* row, const char* where, const Case& a, const Case& b) {
        add(table, fmt::format("{} ({})", row, where), a, b);
    }
    void latency(const char* row, const Case& a) {
        if (!a) {
            found_.push_back({"5.5 page-fault latency", row, "none", 0, ""});
            return;
        }
        const double us = slope_ns(run_benchmark(m_, *a, 0).points) / 1000;
        found_.push_back({"5.5 page-fault latency", row, fmt::format("{:.1f} us", us), us, name(*a)});
    }
    template <class Of, class Gpus>
    void unified(const char* affinity, const char* anisotropy, Benchmark in, Benchmark out, Benchmark between, Of of,
                 Gpus gpus) {
        add(affinity, "CPU to GPU", of(in, local_, false), of(in, remote_, false));
        add(affinity, "GPU to CPU", of(out, local_, true), of(out, remote_, true));
        add(affinity, "GPU to GPU", gpus(between, near_, false), gpus(between, far_, false));
        for (const auto& [where, some] : {std::pair{"local", &local_}, std::pair{"remote", &remote_}})
            both(anisotropy, "CPU and GPU", where, of(in, *some, false), of(out, *some, true));
        for (const auto& [where, some] : {std::pair{"local", &near_}, std::pair{"remote", &far_}})
            both(anisotropy, "GPU and GPU", where, gpus(between, *some, false), gpus(between, *some, true));
    }

    const HostMachine& m_;
    std::vector<unsigned> local_, remote_; ///< GPUs of the first CPU, and others
    std::vector<unsigned> near_, far_;     ///< of GPU 0: of the same CPU; of another, with a CPU on the way
    std::vector<Finding> found_;
};

} // namespace

std::vector<Finding> find_findings(const HostMachine& machine) { return Finder(machine).all(); }

} // namespace numavp
