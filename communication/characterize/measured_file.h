/// Measurements of microbenchmarks as CSV, a row for each point; what `numavp characterize --csv` writes and
/// `--against` reads. Columns: system, benchmark, exec_numa, src, dst, x_kind, x, median_ns, stddev_ns, GBps.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "communication/characterize/benchmark.h"

namespace numavp {

struct MeasuredRow {
    std::string system, benchmark, thread, from, to;
    bool strides = false; ///< x counts these, not bytes
    std::uint64_t x = 0;
    double median_ns = 0, stddev_ns = 0;
    unsigned line = 0;
};

/// Cells of a line of such a table, which has no quotes.
std::vector<std::string> cells_between_commas(const std::string& line);
/// Reads a file. ConfigError with the line of the first wrong row.
std::vector<MeasuredRow> read_measured(const std::string& path);
/// Reads a stream; errors call it `path`.
std::vector<MeasuredRow> parse_measured(std::istream& in, const std::string& path);

/// Text of such a file.
std::string measured_text(const HostMachine& machine, const std::vector<BenchmarkSeries>& all);

} // namespace numavp
