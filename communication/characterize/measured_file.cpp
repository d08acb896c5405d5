#include "communication/characterize/measured_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

namespace {
constexpr const char* kHeader = "system,benchmark,exec_numa,src,dst,x_kind,x,median_ns,stddev_ns,GBps";
constexpr std::size_t kColumns = 10;
constexpr std::size_t kMostLines = 1'000'000;
constexpr std::size_t kLongestLine = 4096;

class LineReader {
  public:
    LineReader(const std::string& path, unsigned line) : path_(path), line_(line) {}
    [[noreturn]] void fail(const std::string& what) const {
        throw ConfigError(fmt::format("{}: line {}", path_, line_), what);
    }
    double number(const char* column, const std::string& text, double least) const {
        double value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || stop != end || !std::isfinite(value) || value < least || value > 1e18)
            fail(fmt::format("{} '{}' is no number from {:g} to 1e18", column, quotable(text), least));
        return value;
    }
    MeasuredRow row(const std::string& line) const {
        const std::vector<std::string> cells = cells_between_commas(line);
        if (cells.size() != kColumns)
            fail(fmt::format("the row has {} cells; {} are expected", cells.size(), kColumns));
        MeasuredRow row{cells[0], cells[1], cells[2], cells[3], cells[4], cells[5] == "strides", 0, 0, 0, line_};
        if (!kBenchmarks.find(row.benchmark)) fail(unknown_name("benchmark", row.benchmark, kBenchmarks.names()));
        if (!row.strides && cells[5] != "bytes")
            fail(fmt::format("x_kind '{}' is not known; bytes and strides are allowed", quotable(cells[5])));
        if (row.strides != is_latency(*kBenchmarks.find(row.benchmark)))
            fail(fmt::format("x_kind {} does not go with {}; {} is expected", cells[5], row.benchmark,
                             row.strides ? "bytes" : "strides"));
        constexpr double kMostStrides = 1e6, kMostBytes = 1e15;
        const double x = number("x", cells[6], 1);
        if (x != std::floor(x) || x > (row.strides ? kMostStrides : kMostBytes))
            fail(fmt::format("x is {}; a whole number up to {:.0f} is expected", quotable(cells[6]),
                             row.strides ? kMostStrides : kMostBytes));
        row.x = static_cast<std::uint64_t>(x);
        row.median_ns = number("median_ns", cells[7], 1e-3);
        row.stddev_ns = cells[8].empty() ? 0 : number("stddev_ns", cells[8], 0);
        if (!cells[9].empty()) number("GBps", cells[9], 0);
        return row;
    }

  private:
    const std::string& path_;
    unsigned line_;
};

} // namespace

std::vector<std::string> cells_between_commas(const std::string& line) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

std::vector<MeasuredRow> read_measured(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in || (in.peek(), in.bad())) throw ConfigError(path, "it can't be read; measurements as CSV are expected");
    in.clear();
    return parse_measured(in, path);
}

std::vector<MeasuredRow> parse_measured(std::istream& in, const std::string& path) {
    std::string line;
    if (!std::getline(in, line)) throw ConfigError(path, "it is empty; measurements as CSV are expected");
    const auto strip = [](std::string& text) {
        if (!text.empty() && text.back() == '\r') text.pop_back();
    };
    strip(line);
    if (line != kHeader)
        throw ConfigError(fmt::format("{}: line 1", path),
                          fmt::format("the header is '{}'; '{}' is expected", quotable(line), kHeader));
    std::vector<MeasuredRow> rows;
    std::set<std::string> seen;
    for (unsigned number = 2; std::getline(in, line); ++number) {
        const LineReader reader(path, number);
        if (line.size() > kLongestLine) reader.fail("the line is longer than 4096 characters");
        if (number > kMostLines) reader.fail("there are more than 1000000 lines");
        if (in.eof()) reader.fail("the line has no end; the file is cut off");
        strip(line);
        rows.push_back(reader.row(line));
        const MeasuredRow& row = rows.back();
        if (!seen.insert(
                     fmt::format("{},{},{},{},{},{}", row.system, row.benchmark, row.thread, row.from, row.to, row.x))
                 .second)
            reader.fail("the point is there twice; one row for each is allowed");
    }
    if (rows.empty()) throw ConfigError(path, "it has no rows behind its header; one or more are expected");
    return rows;
}

std::string measured_text(const HostMachine& machine, const std::vector<BenchmarkSeries>& all) {
    std::string text = std::string(kHeader) + "\n";
    for (const BenchmarkSeries& series : all) {
        const BenchmarkCase& what = series.what;
        const bool strides = is_latency(what.benchmark);
        for (const BenchmarkPoint& point : series.points)
            text +=
                fmt::format("{},{},{},{},{},{},{},{:.1f},0.0,{}\n", machine.calibration().system,
                            kBenchmarks.name(what.benchmark), thread_name(machine, what), end_name(machine, what.from),
                            end_name(machine, what.to), strides ? "strides" : "bytes", point.x, point.ns,
                            strides ? "" : fmt::format("{:.4f}", static_cast<double>(point.x) / point.ns));
    }
    return text;
}

} // namespace numavp
