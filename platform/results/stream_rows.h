/// Statistics by stream: sums of the rows in the member `kernels` of results.json that name the same streams.
///
/// Counts of launches of several streams that ran side by side are not divided: they make a row that names these
/// streams. So the rows tile the time of the run, and their counters sum to the statistics exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "platform/results/kernel_figures.h"

namespace numavp {

struct StreamRow {
    std::string kind;                      ///< "stream", "overlap" or "outside"
    std::string streams;                   ///< joined by +; empty: outside, or launches for which no row was left
    std::optional<std::uint64_t> launches; ///< of a stream
    std::uint64_t cycles = 0;
};

struct StreamTable {
    std::vector<StreamRow> rows; ///< streams by number, then streams side by side, then time outside kernels
    std::vector<KernelFigure> figures;

    /// True if at least two streams have launches.
    bool several() const;
};

/// Of a results.json with `kernels`.
StreamTable streams_of(const ordered_json& results);

/// The rows as a JSON list: `kind`, `streams`, `launches`, `cycles` and the figures by their names.
ordered_json json_of(const StreamTable& table);

} // namespace numavp
