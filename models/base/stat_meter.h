/// Statistics of parts of a run: what was counted between the moments at which a part began and ended.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/base/stats.h"

namespace numavp {

/// A number of a part of a run, or nothing.
using StatValue = std::variant<std::monostate, std::uint64_t, double>;

/// What was counted in a part of a run; the order is that of the meter's paths.
struct StatShare {
    std::vector<std::uint64_t> counts;
    std::vector<double> reals;
    std::vector<Histogram> histograms; ///< kept if `detailed`
    bool detailed = false;
};

/// Reads all statistics of a tree where a part of the run ends and the next one begins, and at no other time: models
/// count as ever. All counts of all parts sum to the statistics; what came before the first take() is in it.
class StatMeter {
  public:
    /// After the last registration; the tree outlives this and its copies.
    explicit StatMeter(const StatGroup& stats);

    /// Adds what was counted since the last call to `share`.
    void take(StatShare& share);
    /// What take() would make of `share`, without its histograms; the next call counts on from where it did.
    StatShare taken(const StatShare& share) const;
    /// Numbers that do not add up, of a part that ends now: levels as they are, and means, extremes and percentiles of
    /// what a detailed share has; nothing of a histogram without a value.
    std::vector<StatValue> values(const StatShare& share) const;

    /// Paths of whole numbers that add up, of others that do but for rounding (energies), and of values(). A
    /// histogram's parts have their names after its path.
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
