/// The summary of a run as aligned tables for the terminal.
#pragma once

#include <string>

#include "common/words/text.h"
#include "platform/results/results_host.h"
#include "platform/summary/summary.h"

namespace numavp {

/// `place` is the path of the results.
std::string summary_text(const RunSummary& summary, const RunCost& cost, const std::string& place, const Style& style);

} // namespace numavp
