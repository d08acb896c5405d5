#include "platform/study/study_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace numavp {
namespace {

double reduced(const std::vector<double>& values, MetricReduce how) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    switch (how) {
    case MetricReduce::mean: return sum / static_cast<double>(values.size());
    case MetricReduce::min: return *std::min_element(values.begin(), values.end());
    case MetricReduce::max: return *std::max_element(values.begin(), values.end());
    case MetricReduce::spread: {
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        return *least == 0.0 ? std::numeric_limits<double>::infinity() : *most / *least;
    }
    case MetricReduce::sum: break;
    }
    return sum;
}

std::optional<double> plain_value(const StudyMetric& metric, const std::string& path, const std::string& key,
                                  const PointResults& results) {
    const auto values_of = [&](const std::string& name) {
        return metric.kernel.empty() ? results.values(key, name) : results.kernel_values(key, metric.kernel, name);
    };
    const std::vector<double> values = values_of(path);
    if (values.empty()) return std::nullopt;
    double value = reduced(values, metric.reduce) * metric.factor;
    if (!std::isfinite(value)) return std::nullopt;
    if (!metric.per.empty()) {
        const std::vector<double> divisors = values_of(metric.per);
        if (divisors.empty()) return std::nullopt;
        const double divisor = reduced(divisors, metric.reduce);
        if (divisor == 0.0) return std::nullopt;
        value /= divisor;
    }
    return value;
}

/// Matches from the given places on.
bool fits_from(const std::string& path, std::size_t p, const std::string& name, std::size_t n) {
    for (; p < path.size(); ++p, ++n) {
        if (path[p] == '*') {
            for (std::size_t end = n; end <= name.size(); ++end) {
                if (fits_from(path, p + 1, name, end)) return true;
                if (end < name.size() && name[end] == '.') return false;
            }
            return false;
        }
        if (n >= name.size() || path[p] != name[n]) return false;
    }
    return n == name.size();
}

/// Of one seed, by its index.
std::optional<double> seed_value(const PlannedFigure& figure, const StudyPlan& plan, const StudyMetric& metric,
                                 const std::string& configuration, const std::string& workload,
                                 const PointResults& results, std::size_t seed) {
    const auto value_on = [&](const std::string& label, const std::string& path) -> std::optional<double> {
        const StudyCell* cell = figure.cell(label, workload, seed);
        if (cell == nullptr) return std::nullopt;
        const std::string& key = plan.points[cell->point]->key;
        return results.state(key) == PointState::done ? plain_value(metric, path, key, results) : std::nullopt;
    };
    std::optional<double> value = value_on(configuration, metric.path);
    if (metric.relation != MetricRelation::none) {
        const std::string& base_path = metric.baseline_path.empty() ? metric.path : metric.baseline_path;
        const std::optional<double> base = value_on(baseline_of(figure.figure->file, metric), base_path);
        const bool inverse = metric.relation == MetricRelation::speedup;
        if (!value || !base || (inverse ? *value : *base) == 0.0) return std::nullopt;
        value = inverse ? *base / *value : *value / *base;
    }
    if (value && metric.above.value) value = *value > *metric.above.value ? 1.0 : 0.0;
    return value;
}

} // namespace

std::string baseline_of(const StudyFile& file, const StudyMetric& metric) {
    if (metric.relation == MetricRelation::none) return "";
    return metric.baseline.empty() ? file.baseline : metric.baseline;
}

bool measures(const StudyFile& file, const StudyMetric& metric, const std::string& configuration) {
    return metric.configurations.given ? metric.configurations.has(configuration)
                                       : configuration != baseline_of(file, metric) || !metric.baseline_path.empty();
}

const StudyMetric* find_metric(const StudyFile& file, const std::string& name) {
    for (const StudyMetric& metric : file.metrics)
        if (metric.name == name) return &metric;
    return nullptr;
}

bool path_fits(const std::string& path, const std::string& name) { return fits_from(path, 0, name, 0); }

std::vector<double> metric_values(const PlannedFigure& figure, const StudyPlan& plan, const StudyMetric& metric,
                                  const std::string& configuration, const std::string& workload,
                                  const PointResults& results) {
    std::vector<double> values;
    for (std::size_t seed = 0; seed < figure.seeds(); ++seed) {
        const auto value = seed_value(figure, plan, metric, configuration, workload, results, seed);
        if (!value) return {};
        values.push_back(*value);
    }
    return values;
}

std::optional<double> metric_value(const PlannedFigure& figure, const StudyPlan& plan, const StudyMetric& metric,
                                   const std::string& configuration, const std::string& workload,
                                   const PointResults& results) {
    const std::vector<double> values = metric_values(figure, plan, metric, configuration, workload, results);
    const bool one = !values.empty() && std::equal(values.begin() + 1, values.end(), values.begin()); // as of a trace
    return one ? std::optional<double>(values.front()) : arithmetic_mean(values);
}

std::optional<double> arithmetic_mean(const std::vector<double>& values) {
    if (values.empty()) return std::nullopt;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> geometric_mean(const std::vector<double>& values) {
    if (values.empty() || *std::min_element(values.begin(), values.end()) <= 0.0) return std::nullopt;
    double sum = 0.0;
    for (const double value : values) sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

std::optional<double> harmonic_mean(const std::vector<double>& values) {
    if (values.empty() || *std::min_element(values.begin(), values.end()) <= 0.0) return std::nullopt;
    double sum = 0.0;
    for (const double value : values) sum += 1.0 / value;
    return static_cast<double>(values.size()) / sum;
}

} // namespace numavp
