/// An application graph on a machine: what each step takes there, and what it occupies meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/appgraph/app_graph.h"
#include "models/base/config_place.h"
#include "platform/characterize/host_program.h"

namespace numavp {

/// What steps take one after the other: a GPU's kernels, its copy engines of a direction, a CPU's thread.
struct JoinedUnit {
    std::string name;
    unsigned count = 1;
};

struct JoinedStep {
    bool copies = false;     ///< it moves bytes over links: a copy, or what accesses memory elsewhere
    CopyPlan plan;           ///< of these
    std::uint64_t bytes = 0; ///< the same
    double alone_ns = 0;     ///< with the machine to itself
    std::vector<unsigned> units;
    /// Links, and bytes on each with headers and requests.
    std::vector<std::pair<unsigned, double>> link_bytes;
};

/// A copy between two places of a machine, and the units that it needs.
JoinedStep join_copy(const HostMachine& machine, const AppValue& from, const AppValue& to);

struct JoinedGraph {
    AppGraph graph; ///< with a step for each move of unified memory
    const HostMachine* machine = nullptr;
    std::vector<JoinedUnit> units;
    std::vector<JoinedStep> steps;
    std::vector<std::vector<unsigned>> waits; ///< of each step: for whom

    double link_ns(unsigned link, double bytes) const { return bytes / machine->graph().links()[link].gbytes_per_s; }
    /// Bytes on each link, of all steps.
    std::vector<double> link_bytes() const;
};

/// ConfigError, at the value in `place`, if a value lies on a part that the machine does not have, or as
/// `unified_moves` has it. Keeps the machine by address.
JoinedGraph join_graph(const AppGraph& graph, const HostMachine& machine, const Place& place);

} // namespace numavp
