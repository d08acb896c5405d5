/// Search for the kinds of links where more lanes pay off.
#pragma once

#include <cstdint>
#include <vector>

#include "communication/predict/what_if.h"

namespace numavp {

/// Predicts every choice of link kinds to be two or four times as wide, within a budget of lanes, and returns the rows
/// that are faster than all rows with no more lanes; not `before`, the unchanged machine. Only kinds that carry bytes
/// in `before` are widened. ConfigError if these are more than six.
std::vector<WhatIfRow> widened(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                               const WhatIfRow& before, std::uint64_t budget);

} // namespace numavp
