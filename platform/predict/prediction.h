/// Predicts the time of an application on a machine: by simulation, and by a closed form.
#pragma once

#include <string>
#include <vector>

#include "platform/predict/joined_graph.h"

namespace numavp {

struct StepTimes {
    double start_ns = 0, end_ns = 0;
    unsigned after = AppGraph::kNone; ///< the step whose end let it begin; kNone: it began at once
};

/// Result of a simulation. A step begins when the steps that it waits for have ended and its units are free; of several
/// the first in the list. Copies under way share links as in `FluidNetwork`.
struct Simulated {
    double ns = 0;
    std::vector<StepTimes> steps;
    std::vector<unsigned> critical; ///< from the first step to the last, each the `after` of the next
};
Simulated simulate_graph(const JoinedGraph& joined);

/// Closed form: the larger of two numbers. `path_ns` is the longest path, where a copy takes the time that its links
/// need for it and for the other copies that could share them at the same time. `load_ns` is the largest load of a link
/// or unit: for a set of its steps, the earliest time at which one may begin, plus the load of all, plus the shortest
/// path from one of them to the end.
struct ClosedForm {
    double ns = 0, path_ns = 0, load_ns = 0;
    std::vector<unsigned> path;
    std::string loaded; ///< the link or unit
};
ClosedForm closed_form(const JoinedGraph& joined);

/// Reason why a step began when it did: "value x", "pages of x", "stream s", "event of a", or the unit that was busy.
std::string reason_of(const JoinedGraph& joined, unsigned step, unsigned after);
/// Name of a step's first unit, such as "gpu0 copies in".
const std::string& where_of(const JoinedGraph& joined, unsigned step);
/// Steps sorted by their start, then by their order in the graph.
std::vector<unsigned> by_start(const Simulated& run);
/// Name of a link with its kind, such as "cpu[0] to pcie[1]".
std::string link_name(const HostMachine& machine, unsigned link);

} // namespace numavp
