/// Statistics of parts of a run, such as kernels: the growth of all counters between a part's begin and its end.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/stats/stats.h"

namespace numavp {

/// A number for a part of a run, or no number.
using StatValue = std::variant<std::monostate, std::uint64_t, double>;

/// Growth of all statistics during a part of a run, in the order of the meter's paths.
struct StatShare {
    std::vector<std::uint64_t> counts;
    std::vector<double> reals;
    std::vector<Histogram> histograms; ///< kept if `detailed`
    bool detailed = false;
};

/// Reads all statistics of a tree where a part of the run ends and the next one begins, and at no other time; models do
/// not know of it. The growth of all parts sums to the statistics; the first take() includes all counted before it.
class StatMeter {
  public:
    /// Call it after the last statistic is registered; the tree must outlive this object and its copies.
    explicit StatMeter(const StatGroup& stats);

    /// Adds the growth since the last call to `share`.
    void take(StatShare& share);
    /// Returns `share` as take() would leave it, but without histograms; does not change where the next take() starts.
    StatShare taken(const StatShare& share) const;
    /// Statistics that do not add up over parts, for a part that ends now: the present values of levels, and means,
    /// extremes and percentiles from the histograms of a detailed share; no number for a histogram without a value.
    std::vector<StatValue> values(const StatShare& share) const;

    /// Paths of integers that add up, of reals that add up but for rounding (energies), and of values(). The paths of a
    /// histogram's numbers are its path, a dot and the number's name.
    const std::vector<std::string>& count_paths() const { return count_paths_; }
    const std::vector<std::string>& real_paths() const { return real_paths_; }
    const std::vector<std::string>& value_paths() const { return value_paths_; }

  private:
    using Source = StatGroup::Source;
    struct Count {
        const Source* source;
        HistogramFigure figure; ///< of a histogram
    };
    struct Value {
        const Source* source; ///< of a level; else null
        std::size_t histogram;
        HistogramFigure figure;
    };
    void add(const std::string& path, Growth growth, const Source& source);
    std::size_t histogram(const Histogram& values);
    static std::uint64_t read(const Count& count);

    std::vector<std::string> count_paths_, real_paths_, value_paths_;
    std::vector<Count> counts_;
    std::vector<const std::function<double()>*> reals_;
    std::vector<Value> values_;
    std::vector<const Histogram*> histograms_;
    std::vector<std::uint64_t> counts_before_;
    std::vector<double> reals_before_;
    std::vector<Histogram> histograms_before_;
};

} // namespace numavp
