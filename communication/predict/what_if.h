/// Effects of changes to a machine or an application: predictions beside the one without a change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "communication/predict/prediction.h"

namespace numavp {

/// A step of a simulation's critical path.
struct WhatIfStep {
    std::string name, where;
    double ns = 0;
};
struct WhatIfLink {
    std::string name, kind;
    double bytes = 0, busy_ns = 0;
};

struct WhatIfRow {
    std::string change; ///< empty: nothing changed
    std::string system;
    double simulated_ns = 0, closed_form_ns = 0;
    std::string loaded;              ///< the link or unit that bounds the closed form, if its load does
    std::vector<std::string> placed; ///< kernels that list scheduling moved: "add to gpu1"
    bool calibrated = true;
    std::vector<std::string> assumed; ///< sentences
    std::uint64_t lanes = 0;          ///< of all links of the machine, in one direction
    std::vector<WhatIfStep> critical;
    std::vector<WhatIfLink> links; ///< that carry something
};

/// Name of a row: its change, or "(as it is, on DGX-1)".
std::string row_name(const WhatIfRow& row);

/// Rows of several changes, the fastest first.
struct WhatIfAnswer {
    std::string graph, description;
    double before_ns = 0;                ///< simulated, without a change
    std::optional<std::uint64_t> budget; ///< lanes that a machine may have
    std::vector<WhatIfRow> rows;

    bool within(const WhatIfRow& row) const { return !budget || row.lanes <= *budget; }
};

/// The machine that the command line names.
struct WhatIfMachine {
    std::string name, calibration;
    std::vector<std::string> set;
};

/// Predicts a change: parts joined by commas, made together (docs/use/APPLICATION_GRAPHS.md lists them), first
/// settings, then changes of links in their order. `file` is the graph's file. ConfigError for an impossible change.
WhatIfRow what_if(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                  const std::string& change);

} // namespace numavp
