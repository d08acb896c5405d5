/// A comparison for a terminal, for programs and for spreadsheets.
#pragma once

#include <cstddef>
#include <string>

#include "platform/cli/cli_text.h"
#include "platform/compare/comparison.h"

namespace numavp {

/// Runs are called A, B, C in the tables, and named above them. At most `limit` settings, as many kernels
/// and as many statistics.
std::string comparison_text(const Comparison& comparison, std::size_t limit, const Style& style);

/// All of it: names in the order of the runs, null for a number that a run does not have.
ordered_json comparison_json(const Comparison& comparison);

/// Lines of kind (setting, headline, slots, access_latency, kernel, statistic), path, unit, over, a value for each run,
/// a change for each but the first.
std::string comparison_csv(const Comparison& comparison);

/// "A" for the first; after "Z" comes "A2".
std::string run_letter(std::size_t run);

} // namespace numavp
