/// The tables `kernels` and `streams` of a study's results file: the rows of each run's member `kernels` with their
/// figures, each by itself and by stream.
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config_file.h"
#include "common/files/sql.h"

namespace numavp {

/// Creates the tables in a file that lacks them, such as one of an earlier version.
void make_kernel_tables(const SqlDatabase& database);

/// Writes the rows of a run, in the order of results.json; replaces existing ones. `results` is its results.json.
void put_kernels(const SqlDatabase& database, std::int64_t run, const ordered_json& results);

} // namespace numavp
