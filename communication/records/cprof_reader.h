/// Application graphs from the records of the tracer that C. Pearson's thesis describes (section 6.4): a line of JSON
/// a record, in files called .cprof.
///
/// | record | members that are read |
/// |---|---|
/// | `allocation` | `id`; `loc`, `addrsp`: where; `mem` or `type`: which memory |
/// | `val` | `id`, `size`, `allocation` or `allocation_id` |
/// | `api` | `name`, `inputs`, `outputs`, `device`, `symbolname`, `dstCount`, `correlation_id`, begin and end in ns |
/// | `compute`, `transfer` | `correlation_id`, `stream_id`, `dur` in ns |
///
/// Numbers may be written as texts, and objects inside a record as texts of JSON: versions of the tracer differ.
#pragma once

#include <istream>
#include <string>

#include "communication/records/recorded_graph.h"

namespace numavp {

/// Reads records. ConfigError with the line of a malformed record, an unknown value, or an impossible copy. `path` is
/// the name in error messages.
RecordedGraph read_cprof(std::istream& in, const std::string& path);

} // namespace numavp
