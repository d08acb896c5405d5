/// Names of the numbers that summarise a histogram.
#pragma once

#include <cstdint>

#include "base/stats/histogram.h"
#include "base/values/error.h"

namespace numavp {

enum class HistogramFigure : std::uint8_t { count, sum, mean, min, max, p50, p90, p99 };
inline constexpr unsigned kHistogramFigures = 8;

inline const char* name_of(HistogramFigure figure) {
    constexpr const char* kNames[kHistogramFigures] = {"count", "sum", "mean", "min", "max", "p50", "p90", "p99"};
    return kNames[static_cast<unsigned>(figure)];
}

/// True for figures that add up over parts of a run.
inline bool is_sum(HistogramFigure figure) {
    return figure == HistogramFigure::count || figure == HistogramFigure::sum;
}

/// Mean of the values; not finite if there is none.
inline double mean_of(const Histogram& values) {
    return static_cast<double>(values.sum()) / static_cast<double>(values.count());
}

/// Any figure but the mean; 0 if there is no value.
inline std::uint64_t figure_of(const Histogram& values, HistogramFigure figure) {
    switch (figure) {
    case HistogramFigure::count: return values.count();
    case HistogramFigure::sum: return values.sum();
    case HistogramFigure::min: return values.min();
    case HistogramFigure::max: return values.max();
    case HistogramFigure::p50: return values.percentile(50);
    case HistogramFigure::p90: return values.percentile(90);
    case HistogramFigure::p99: return values.percentile(99);
    case HistogramFigure::mean: break;
    }
    throw ModelError("the mean of a histogram is no whole number");
}

} // namespace numavp
