/// What a change of the machine or of the application would do: predictions beside the one without it.
#pragma once

#include <string>
#include <vector>

#include "platform/predict/prediction.h"

namespace numavp {

struct WhatIfRow {
    std::string change; ///< empty: nothing changed
    std::string system;
    double simulated_ns = 0, closed_form_ns = 0;
    std::string loaded;              ///< what bounds the closed form, if its load does
    std::vector<std::string> placed; ///< kernels that list scheduling moved: "add to gpu1"
    bool calibrated = true;
};

/// A machine as the command line names it.
struct WhatIfMachine {
    std::string name, calibration;
    std::vector<std::string> set;
};

/// The row of a change: parts joined by commas, made together. `machine=FILE`, `link.KIND*FACTOR`, `copies=pinned` or
/// `pageable`, `place.KERNEL=gpu2`, `place=auto`. `file` is where the graph was read. ConfigError for what can't be.
WhatIfRow what_if(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                  const std::string& change);

} // namespace numavp
