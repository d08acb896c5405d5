/// The time series of a run so far in a bounded number of intervals, for a view of the run while it goes on.
///
/// Neighbouring intervals are merged in pairs when they become too many, so that the whole run fits, however long it
/// is. Increases of merged intervals are added; of levels the later one stays.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/stats/series.h"
#include "base/values/types.h"

namespace numavp {

class LiveHistory {
  public:
    static constexpr std::size_t kMostIntervals = 240; ///< even; a chart of a page is about as many pixels wide
    static constexpr std::size_t kRecentRows = 16;     ///< samples that count as "now"

    struct Column {
        std::string name;
        bool increase = false;
        std::uint64_t recent = 0;          ///< growth over the recent samples, or the last level
        std::vector<std::uint64_t> values; ///< one for each interval
    };

    /// Takes the rows that were added since the last call. All recorders are sampled at the same cycles.
    void catch_up(const std::vector<const SeriesRecorder*>& recorders);

    const std::vector<Cycle>& ends() const { return ends_; } ///< of the intervals
    /// Beginning of the recent samples; the last of ends() is their end.
    Cycle recent_begin() const { return recent_begin_; }
    const std::vector<Column>& columns() const { return columns_; }

  private:
    void halve();
    void take(std::size_t number, const SeriesColumn& column, std::size_t rows);

    std::vector<Column> columns_;
    std::vector<Cycle> ends_;
    Cycle recent_begin_ = 0;
    std::size_t rows_ = 0;  ///< taken so far
    std::size_t width_ = 1; ///< rows of an interval; the last interval may have fewer
};

} // namespace numavp
