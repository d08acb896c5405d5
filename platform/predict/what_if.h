/// What a change of the machine or of the application would do: predictions beside the one without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/predict/prediction.h"

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
    std::string loaded;              ///< what bounds the closed form, if its load does
    std::vector<std::string> placed; ///< kernels that list scheduling moved: "add to gpu1"
    bool calibrated = true;
    std::uint64_t lanes = 0; ///< of all links of the machine, in one direction
    std::vector<WhatIfStep> critical;
    std::vector<WhatIfLink> links; ///< that carry something
};

/// "(as it is, on DGX-1)", or the change.
std::string row_name(const WhatIfRow& row);

/// Rows of several changes, the fastest first.
struct WhatIfAnswer {
    std::string graph, description;
    double before_ns = 0;                ///< simulated, without a change
    std::optional<std::uint64_t> budget; ///< lanes that a machine may have
    std::vector<WhatIfRow> rows;

    bool within(const WhatIfRow& row) const { return !budget || row.lanes <= *budget; }
};

/// A machine as the command line names it.
struct WhatIfMachine {
    std::string name, calibration;
    std::vector<std::string> set;
};

/// The row of a change: parts joined by commas, made together (docs/APPLICATION_GRAPHS.md lists them). Settings come
/// first, then changes of links in their order. `file` is where the graph was read. ConfigError for what can't be.
WhatIfRow what_if(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                  const std::string& change);

} // namespace numavp
