/// Predicts the time of an application on a machine: by simulation, and by a closed form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "communication/predict/joined_graph.h"

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

/// The largest of three numbers. The longest path, each copy as long as its links need for it and for what other copies
/// would carry over them at the same time if none delayed another. What a link or a unit has to do: from the earliest
/// time that one of some steps may begin, all that these load on it, and the shortest way from one of them to the end.
/// And the end of the last step if each unit takes its steps in the order in which they could begin, copies as long as
/// links need for what is under way at once then: this keeps a step waiting that becomes ready while another one runs.
/// The second alone is a bound.
struct ClosedForm {
    double ns = 0, path_ns = 0, load_ns = 0, turn_ns = 0;
    std::vector<unsigned> path;
    std::string loaded; ///< the link or unit
};
ClosedForm closed_form(const JoinedGraph& joined);

/// Reason why a step began when it did: "value x", "pages of x", "stream s", "event of a", or the unit that was busy.
std::string reason_of(const JoinedGraph& joined, unsigned step, unsigned after);
/// Name of a step's first unit, such as "gpu0 copies in".
const std::string& where_of(const JoinedGraph& joined, unsigned step);
/// Source of the time of a kernel or host step, as a word; empty for what moves bytes.
std::string_view time_source_word(const JoinedGraph& joined, unsigned step);
/// Steps sorted by their start, then by their order in the graph.
std::vector<unsigned> by_start(const Simulated& run);
/// Name of a link with its kind, such as "cpu[0] to pcie[1]".
std::string link_name(const HostMachine& machine, unsigned link);

} // namespace numavp
