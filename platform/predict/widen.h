/// Which kinds of links are worth more lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/predict/what_if.h"

namespace numavp {

/// Rows of a machine whose links of some kinds are two or four times as wide, within a budget of lanes: every choice
/// is predicted, and what a row with no more lanes is as fast as is left out. Only kinds that `before`, the row without
/// a change, has something on; the unchanged machine is no row. ConfigError if these are more than six kinds.
std::vector<WhatIfRow> widened(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                               const WhatIfRow& before, std::uint64_t budget);

} // namespace numavp
