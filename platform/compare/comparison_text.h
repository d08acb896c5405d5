/// A comparison as text for a terminal, as JSON, and as CSV.
#pragma once

#include <cstddef>
#include <string>

#include "common/words/text.h"
#include "platform/compare/comparison.h"

namespace numavp {

/// Tables call the runs A, B, C, with their names above. They list at most `limit` settings, `limit` kernels and
/// `limit` statistics.
std::string comparison_text(const Comparison& comparison, std::size_t limit, const Style& style);

/// The whole comparison: names in the order of the runs, null for a number that a run does not have.
ordered_json comparison_json(const Comparison& comparison);

/// Columns: kind (setting, headline, slots, access_latency, kernel, statistic), path, unit, over, a value for each run,
/// a change for each run but the first.
std::string comparison_csv(const Comparison& comparison);

/// Letter of a run: "A" for the first; after "Z" comes "A2".
std::string run_letter(std::size_t run);

} // namespace numavp
