/// An application graph that is made from a recording, and helpers to make it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "communication/graph/app_graph.h"

namespace numavp {

struct RecordedGraph {
    AppGraph graph;
    std::vector<std::string> notes; ///< sentences about assumptions and omissions
};

/// Adds a value, called v1, v2, ... unless a name is given; returns its index.
unsigned add_value(AppGraph& graph, AppPlace place, std::uint64_t bytes, HostMemory memory, bool given,
                   const std::string& name = "");
/// Adds a step, whose number is appended to its name; returns its index.
unsigned add_step(AppGraph& graph, AppStep step);

/// Limits of a graph file; recordings beyond them are refused.
inline constexpr std::uint64_t kMostValueBytes = std::uint64_t{1} << 50;
inline constexpr std::uint64_t kMostRecordedPlaces = 1024;   ///< CPUs, and GPUs
inline constexpr std::size_t kMostRecordedSteps = 1'000'000; ///< a prediction of so many takes minutes

} // namespace numavp
