/// How long an application takes on a machine: by simulation, and by a closed form.
#pragma once

#include <string>
#include <vector>

#include "platform/predict/joined_graph.h"

namespace numavp {

struct StepTimes {
    double start_ns = 0, end_ns = 0;
    unsigned after = AppGraph::kNone; ///< the step whose end let it begin; kNone: it began at once
};

/// Each step begins as soon as those that it waits for have ended and its units are free; of several the first of the
/// list. Copies under way share links as `FluidNetwork` does.
struct Simulated {
    double ns = 0;
    std::vector<StepTimes> steps;
    std::vector<unsigned> critical; ///< from the first step to the last, each the `after` of the next
};
Simulated simulate_graph(const JoinedGraph& joined);

/// The larger of two numbers. The longest path, each copy as long as its links need for it and for what other copies
/// would carry over them at the same time if none delayed another. And what a link or a unit has to do: from the
/// earliest time that one of some steps may begin, all that these load on it, and the shortest way from one of them to
/// the end.
struct ClosedForm {
    double ns = 0, path_ns = 0, load_ns = 0;
    std::vector<unsigned> path;
    std::string loaded; ///< the link or unit
};
ClosedForm closed_form(const JoinedGraph& joined);

/// Why a step began when it did: "value x", "pages of x", "stream s", "event of a", or the unit that was busy.
std::string reason_of(const JoinedGraph& joined, unsigned step, unsigned after);
/// Where a step runs: its first unit, such as "gpu0 copies in".
const std::string& where_of(const JoinedGraph& joined, unsigned step);
/// Steps by their start, then in their order.
std::vector<unsigned> by_start(const Simulated& run);
/// "cpu[0] to pcie[1]", with the kind.
std::string link_name(const HostMachine& machine, unsigned link);

} // namespace numavp
