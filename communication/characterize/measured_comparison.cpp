#include "communication/characterize/measured_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

namespace {
using Key = std::tuple<std::string, std::string, std::string, std::string>;
constexpr std::uint64_t kLarge = 64 * 1024;

void add_levels(ComparedSeries& series) {
    std::vector<BenchmarkPoint> measured, ours;
    for (const ComparedPoint& point : series.points) {
        measured.push_back({point.x, point.measured_ns});
        ours.push_back({point.x, point.ns});
    }
    const bool latency = is_latency(series.what.benchmark);
    series.measured_level = latency ? slope_ns(measured) : plateau_gbytes_per_s(measured);
    series.level = latency ? slope_ns(ours) : plateau_gbytes_per_s(ours);
}
} // namespace

bool ComparedPoint::scatters() const {
    constexpr double kDeviations = 2;
    return std::abs(ns - measured_ns) <= kDeviations * stddev_ns;
}

std::vector<ComparedPoint> ComparedSeries::large() const {
    std::vector<ComparedPoint> found;
    for (const ComparedPoint& point : points)
        if (is_latency(what.benchmark) || point.x >= kLarge) found.push_back(point);
    return found;
}

double ComparedSeries::worst(const std::vector<ComparedPoint>& points) {
    double worst = 0;
    for (const ComparedPoint& point : points)
        if (std::abs(point.error()) > std::abs(worst)) worst = point.error();
    return worst;
}

double ComparedSeries::median(const std::vector<ComparedPoint>& points) {
    std::vector<double> errors;
    for (const ComparedPoint& point : points) errors.push_back(std::abs(point.error()));
    if (errors.empty()) return 0;
    std::sort(errors.begin(), errors.end());
    const std::size_t half = errors.size() / 2;
    return errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
}

std::size_t ComparedSeries::within(const std::vector<ComparedPoint>& points, double error) {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [error](const ComparedPoint& point) {
        return std::abs(point.error()) <= error;
    }));
}

std::size_t ComparedSeries::scattered(const std::vector<ComparedPoint>& points) {
    return static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(), [](const ComparedPoint& point) { return point.scatters(); }));
}

MeasuredComparison compare_measured(const HostMachine& machine, const std::vector<MeasuredRow>& rows,
                                    const std::string& path, const std::string& benchmark, std::uint64_t bytes_up_to) {
    MeasuredComparison result;
    std::set<std::string> systems;
    std::map<Key, std::vector<const MeasuredRow*>> by_case;
    for (const MeasuredRow& row : rows) {
        systems.insert(row.system);
        if (row.system != machine.calibration().system) {
            ++result.other_systems;
        } else if ((benchmark.empty() || row.benchmark == benchmark) && (row.strides || row.x <= bytes_up_to)) {
            by_case[{row.benchmark, row.thread, row.from, row.to}].push_back(&row);
        }
    }
    if (result.other_systems == rows.size())
        throw ConfigError(path, fmt::format("it has no rows of {}; its systems are {}", machine.calibration().system,
                                            fmt::join(systems, ", ")));
    for (const BenchmarkCase& what : benchmark_cases(machine)) {
        const auto found = by_case.find({std::string(kBenchmarks.name(what.benchmark)), thread_name(machine, what),
                                         end_name(machine, what.from), end_name(machine, what.to)});
        if (found == by_case.end()) continue;
        ComparedSeries series;
        series.what = what;
        for (const MeasuredRow* row : found->second)
            series.points.push_back({row->x, row->median_ns, row->stddev_ns, benchmark_ns(machine, what, row->x)});
        std::sort(series.points.begin(), series.points.end(),
                  [](const ComparedPoint& a, const ComparedPoint& b) { return a.x < b.x; });
        add_levels(series);
        result.series.push_back(std::move(series));
        by_case.erase(found);
    }
    for (const auto& [key, left] : by_case) result.unknown += left.size();
    if (result.series.empty())
        throw ConfigError(path,
                          fmt::format("it has no rows that {} can be compared with{}", machine.calibration().system,
                                      benchmark.empty() ? "" : ": none of " + benchmark));
    return result;
}

} // namespace numavp
