#include "platform/report/characterize_report.h"

#include <fmt/format.h>

namespace numavp {

namespace {
std::string case_label(const HostMachine& machine, const BenchmarkCase& what) {
    const std::string thread = thread_name(machine, what);
    const bool said = thread.empty() || !what.from.gpu || !what.to.gpu;
    return fmt::format("{} to {}{}", end_name(machine, what.from), end_name(machine, what.to),
                       said ? "" : ", thread on cpu" + thread);
}
} // namespace

ordered_json comparison_json(const HostMachine& machine, const MeasuredComparison& comparison) {
    ordered_json all = ordered_json::array();
    for (const ComparedSeries& series : comparison.series) {
        const std::vector<ComparedPoint> large = series.large();
        ordered_json points = ordered_json::array();
        for (const ComparedPoint& p : series.points)
            points.push_back({{"x", p.x}, {"ns", p.ns}, {"measured_ns", p.measured_ns}, {"stddev_ns", p.stddev_ns}});
        all.push_back({{"benchmark", kBenchmarks.name(series.what.benchmark)},
                       {"label", case_label(machine, series.what)},
                       {"exec_numa", thread_name(machine, series.what)},
                       {"src", end_name(machine, series.what.from)},
                       {"dst", end_name(machine, series.what.to)},
                       {"compared", large.size()},
                       {"median_error", ComparedSeries::median(large)},
                       {"worst_error", ComparedSeries::worst(large)},
                       {"within_10", ComparedSeries::within(large, 0.1)},
                       {"within_20", ComparedSeries::within(large, 0.2)},
                       {"within_two_deviations", ComparedSeries::scattered(large)},
                       {"level", series.level},
                       {"measured_level", series.measured_level},
                       {"level_error", series.level_error()},
                       {"points", points}});
    }
    return all;
}

ReportPage characterize_report(const HostMachine& machine, const std::vector<const BenchmarkSeries*>& series,
                               const std::vector<Finding>& findings, const MeasuredComparison& comparison) {
    ReportPage page;
    page.title = machine.title() + ": copies and unified memory";
    page.scripts = {"base.js", "figure.js", "table.js", "characterize.js"};
    page.data = {{"kind", "characterize"},
                 {"system", machine.title()},
                 {"calibrated", machine.calibrated()},
                 {"assumed", machine.assumed()},
                 {"description", machine.calibration().description},
                 {"benchmarks", ordered_json::array()},
                 {"series", ordered_json::array()},
                 {"findings", ordered_json::array()},
                 {"compared", comparison_json(machine, comparison)}};
    for (const NameEntry<Benchmark>& entry : kBenchmarks)
        page.data["benchmarks"].push_back(
            {{"name", entry.name}, {"doc", entry.doc}, {"latency", is_latency(entry.value)}});
    for (const BenchmarkSeries* one : series) {
        ordered_json points = ordered_json::array();
        for (const BenchmarkPoint& p : one->points) points.push_back({{"x", p.x}, {"ns", p.ns}});
        page.data["series"].push_back({{"benchmark", kBenchmarks.name(one->what.benchmark)},
                                       {"label", case_label(machine, one->what)},
                                       {"points", points}});
    }
    for (const Finding& f : findings)
        page.data["findings"].push_back(
            {{"table", f.table}, {"transfers", f.row}, {"verdict", f.verdict}, {"between", f.between}});
    return page;
}

} // namespace numavp
