/// An application graph mapped to a machine: the time of each step there, and the resources that it occupies.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_place.h"
#include "communication/characterize/host_program.h"
#include "communication/graph/app_graph.h"

namespace numavp {

/// A resource that steps use one after the other: a GPU's kernels, its copy engines of a direction, a CPU's thread.
struct JoinedUnit {
    std::string name;
    unsigned count = 1;
};

struct JoinedStep {
    bool copies = false;     ///< it moves bytes over links: a copy, or accesses to memory elsewhere
    CopyPlan plan;           ///< of these
    std::uint64_t bytes = 0; ///< the same
    double alone_ns = 0;     ///< with the machine to itself
    std::vector<unsigned> units;
    /// Links that the step uses, and its bytes on each, with headers and requests.
    std::vector<std::pair<unsigned, double>> link_bytes;
};

/// Plans a copy between two places of a machine, with the units that it needs.
JoinedStep join_copy(const HostMachine& machine, const AppValue& from, const AppValue& to);

struct JoinedGraph {
    AppGraph graph; ///< with a step for each move of unified memory
    const HostMachine* machine = nullptr;
    std::vector<JoinedUnit> units;
    std::vector<JoinedStep> steps;
    std::vector<std::vector<unsigned>> waits; ///< for each step the steps that it waits for

    double link_ns(unsigned link, double bytes) const { return bytes / machine->graph().links()[link].gbytes_per_s; }
    /// Sum of the bytes on each link, over all steps.
    std::vector<double> link_bytes() const;
};

/// Maps a graph to a machine. ConfigError, at the value in `place`, if a value lies on a part that the machine does not
/// have, and as unified_moves(). Keeps a pointer to `machine`.
JoinedGraph join_graph(const AppGraph& graph, const HostMachine& machine, const Place& place);

} // namespace numavp
