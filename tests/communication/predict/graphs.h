/// Small application graphs, and the shipped ones.
#pragma once

#include <string>

#include "communication/graph/graph_file.h"
#include "communication/predict/prediction.h"
#include "tests/support/places.h"

namespace numavp::test {

inline std::string graph_path(const std::string& name) { return source_dir() + "/configs/graphs/" + name + ".json"; }
inline AppGraph shipped_graph(const std::string& name) { return load_graph(graph_path(name)); }

inline constexpr const char* kExamples[] = {"vector-add",        "vector-add-64mib",  "vector-add-managed",
                                            "weights-managed-4", "ping-pong-managed", "stencil-4",
                                            "train-ring-4"};

inline constexpr AppPlace kCpu0{false, 0}, kCpu1{false, 1}, kGpu0{true, 0}, kGpu1{true, 1}, kGpu2{true, 2},
    kGpu5{true, 5};

/// Grows by one copy or kernel at a time.
struct GraphBuilder {
    AppGraph graph;

    unsigned value(AppPlace place, std::uint64_t bytes, bool given, HostMemory memory = HostMemory::pinned) {
        graph.values.push_back({"v" + std::to_string(graph.values.size()), place, bytes, memory, given});
        return static_cast<unsigned>(graph.values.size() - 1);
    }
    /// Returns the value that is there then.
    unsigned copy(unsigned from, AppPlace to, const std::string& stream = "") {
        const unsigned made = value(to, graph.values[from].bytes, false, graph.values[from].memory);
        add(AppStepKind::copy, {from}, {made}, stream);
        return made;
    }
    void kernel(AppPlace place, double us, std::vector<unsigned> reads, std::vector<unsigned> writes,
                const std::string& stream = "") {
        add(AppStepKind::kernel, std::move(reads), std::move(writes), stream);
        graph.steps.back().place = place;
        graph.steps.back().time.time_us = us;
    }

  private:
    void add(AppStepKind kind, std::vector<unsigned> reads, std::vector<unsigned> writes, const std::string& stream) {
        AppStep step;
        step.name = "s" + std::to_string(graph.steps.size());
        step.kind = kind;
        step.reads = std::move(reads);
        step.writes = std::move(writes);
        step.stream = stream;
        graph.steps.push_back(std::move(step));
    }
};

} // namespace numavp::test
