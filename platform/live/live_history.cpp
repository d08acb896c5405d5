#include "platform/live/live_history.h"

#include <algorithm>

namespace numavp {

void LiveHistory::halve() {
    const auto keep_second = [](auto& list) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list.size(); i += 2) list[kept++] = list[std::min(i + 1, list.size() - 1)];
        list.resize(kept);
    };
    for (Column& column : columns_) {
        if (column.increase)
            for (std::size_t i = 1; i < column.values.size(); i += 2) column.values[i] += column.values[i - 1];
        keep_second(column.values);
    }
    keep_second(ends_);
    width_ *= 2;
}

void LiveHistory::take(std::size_t number, const SeriesColumn& column, std::size_t rows) {
    if (number == columns_.size()) columns_.push_back({column.name, column.increase, 0, {}});
    Column& own = columns_[number];
    for (std::size_t row = rows_; row < rows; ++row) {
        const std::uint64_t value = column.values[row];
        if (row % width_ == 0)
            own.values.push_back(value);
        else if (column.increase)
            own.values.back() += value;
        else
            own.values.back() = value;
    }
    own.recent = 0;
    for (std::size_t row = rows - std::min(rows, kRecentRows); row < rows; ++row)
        own.recent = column.values[row] + (column.increase ? own.recent : 0);
}

void LiveHistory::catch_up(const std::vector<const SeriesRecorder*>& recorders) {
    const std::vector<Cycle>& cycles = recorders.front()->cycles();
    const std::size_t rows = cycles.size();
    while (rows > kMostIntervals * width_) halve();
    std::size_t number = 0;
    for (const SeriesRecorder* recorder : recorders)
        recorder->each([&](const SeriesColumn& column) { take(number++, column, rows); });
    for (std::size_t row = rows_; row < rows; ++row) {
        if (row % width_ == 0)
            ends_.push_back(cycles[row]);
        else
            ends_.back() = cycles[row];
    }
    recent_begin_ = rows > kRecentRows ? cycles[rows - kRecentRows - 1] : 0;
    rows_ = rows;
}

} // namespace numavp
