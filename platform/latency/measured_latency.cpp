#include "platform/latency/measured_latency.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/words/number.h"

namespace numavp {

namespace {
constexpr const char* kLatencyHeader = "system,kib,cycles";
constexpr std::uint64_t kMostKib = std::uint64_t{1} << 24;
constexpr double kMostCycles = 1e6;
} // namespace

std::vector<MeasuredLatency> read_measured_latency(const std::string& path, const std::string& system) {
    std::ifstream in(path);
    std::string line;
    if (!in || !std::getline(in, line) || line != kLatencyHeader)
        throw ConfigError(path,
                          fmt::format("latencies by footprint are expected, CSV that begins with {}", kLatencyHeader));
    std::vector<MeasuredLatency> points;
    for (unsigned number = 2; std::getline(in, line); ++number) {
        std::istringstream cells(line);
        std::string name, kib, cycles, more;
        std::getline(cells, name, ',');
        std::getline(cells, kib, ',');
        std::getline(cells, cycles, ',');
        const auto size = number_in<std::uint64_t>(kib);
        const auto time = number_in<double>(cycles);
        if (std::getline(cells, more) || !size || *size == 0 || *size > kMostKib || !time || !(*time > 0) ||
            *time > kMostCycles)
            throw ConfigError(fmt::format("{}: line {}", path, number),
                              "a system, a number of KiB from 1 to 16777216 and cycles up to 1000000 are expected");
        if (name == system) points.push_back({*size << 10, *time});
    }
    if (points.empty()) throw ConfigError(path, fmt::format("it has no latencies of {}", system));
    return points;
}

} // namespace numavp
