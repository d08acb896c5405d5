#include "platform/study/kernel_metrics.h"

#include <cstdint>
#include <optional>

#include "platform/results/kernel_figures.h"
#include "platform/study/study_metrics.h"
#include "platform/verdict/kernel_rows.h"

namespace numavp {
namespace {

constexpr const char* kCounters = "statistics.";

std::vector<std::size_t> rows_of_kernel(const KernelRows& rows, const std::string& kernel) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < rows.all().size(); ++i) {
        const KernelRow& row = rows.all()[i];
        const bool alone = row.kind == KernelRowKind::kernel || row.kind == KernelRowKind::folded;
        if (alone && row.name == kernel) own.push_back(i);
    }
    return own;
}

/// A figure of the rows together.
std::vector<double> figure_of(const ordered_json& results, const KernelRows& rows, const std::vector<std::size_t>& own,
                              const std::string& name) {
    KernelGroups groups{std::vector<std::size_t>(rows.all().size(), 1), 2};
    for (const std::size_t row : own) groups.of_row[row] = 0;
    for (const KernelFigure& figure : kernel_figures(results, groups))
        if (figure.name == name && figure.values.at(0).is_number()) return {figure.values.at(0).get<double>()};
    return {};
}

} // namespace

std::vector<double> kernel_metric(const ordered_json& results, const std::string& kernel, const std::string& path) {
    const KernelRows rows(results);
    const std::vector<std::size_t> own = rows_of_kernel(rows, kernel);
    if (own.empty()) return {};
    std::uint64_t cycles = 0, launches = 0;
    for (const std::size_t row : own) {
        cycles += rows.all()[row].cycles;
        launches += rows.all()[row].launches;
    }
    if (path == "cycles") return {static_cast<double>(cycles)};
    if (path == "launches") return {static_cast<double>(launches)};
    if (path == "time_ns")
        return {static_cast<double>(cycles) * 1e6 / results.at("configuration").at("clock_khz").get<double>()};
    if (path.rfind(kCounters, 0) != 0) return figure_of(results, rows, own, path);
    const std::string counter = path.substr(std::string(kCounters).size());
    std::vector<double> values;
    for (const auto& [name, column] : results.at("kernels").at("counters").items())
        if (path_fits(counter, name))
            if (const std::optional<double> sum = rows.sum(name, own)) values.push_back(*sum);
    return values;
}

const std::vector<std::string>& plain_kernel_paths() {
    static const std::vector<std::string> paths = {"cycles",       "time_ns",    "launches",       "warp_instructions",
                                                   "memory_bytes", "link_bytes", "link_energy_pj", "faults"};
    return paths;
}

} // namespace numavp
