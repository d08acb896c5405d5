/// Time series: named columns of integers that are sampled at an interval, and marks of events in between.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/values/natural_order.h"
#include "base/values/types.h"

namespace numavp {

/// What was recorded of one column; the references are valid until the next sample.
struct SeriesColumn {
    const std::string& name;
    bool increase; ///< growth of a counter in each interval; else the level at its end
    const std::vector<std::uint64_t>& values;
};

/// Columns must be registered before the first sample; later, or with a name in use, it is a ModelError. Values that a
/// column reads must live until the last sample.
class SeriesRecorder {
  public:
    /// The caller samples each `interval_cycles`; the last sample may come earlier.
    explicit SeriesRecorder(Cycle interval_cycles) : interval_cycles_(interval_cycles) {}

    /// Adds a column with the value of `read` at the end of each interval (such as lanes that face out).
    void level(const std::string& name, std::function<std::uint64_t()> read, std::string unit, std::string doc);
    /// Adds a column with the growth of a counter in each interval (such as bytes sent).
    void increase(const std::string& name, std::function<std::uint64_t()> read, std::string unit, std::string doc);
    void increase(const std::string& name, const std::uint64_t& counter, std::string unit, std::string doc) {
        increase(
            name, [&counter] { return counter; }, std::move(unit), std::move(doc));
    }

    /// Adds a part's counter to a column of growths that several parts share under one name.
    void total(const std::string& name, std::function<std::uint64_t()> read, std::string_view unit,
               std::string_view doc);

    /// Adds a row. Cycles ascend; a second call at the same cycle (the end of the run) does nothing.
    void sample(Cycle now);
    /// Marks a cycle, such as a kernel's launch. Marks are written in the order of cycles, then of calls.
    void mark(Cycle cycle, std::string name);

    Cycle interval_cycles() const { return interval_cycles_; }
    /// Ends of the intervals that were sampled so far.
    const std::vector<Cycle>& cycles() const { return cycles_; }
    /// Calls `see` for each column, in natural order of their names.
    void each(const std::function<void(const SeriesColumn&)>& see) const;
    /// {"interval_cycles": 5000, "cycles": [5000, ...],
    ///  "columns": {"socket0.lanes_out": {"kind": "level", "unit": "lanes", "doc": "...", "values": [8, ...]}, ...},
    ///  "marks": [{"cycle": 0, "name": "triad"}, ...]}; columns in natural order of their names.
    nlohmann::ordered_json json() const;

  private:
    struct Column {
        bool increase = false;
        bool total = false;
        std::vector<std::function<std::uint64_t()>> reads; ///< one, or one a part of a total
        std::uint64_t read() const;
        std::string unit;
        std::string doc;
        std::uint64_t before = 0; ///< the counter at the last sample
        std::vector<std::uint64_t> values;
    };
    struct Mark {
        Cycle cycle;
        std::string name;
    };
    void add(const std::string& name, Column column);

    Cycle interval_cycles_;
    std::vector<Cycle> cycles_;
    std::map<std::string, Column, NaturalLess> columns_;
    std::vector<Mark> marks_;
};

/// The columns of one owner; their names begin with the owner's name and a dot.
class SeriesGroup {
  public:
    SeriesGroup(SeriesRecorder& series, std::string prefix) : series_(series), prefix_(std::move(prefix)) {}
    void level(const std::string& name, std::function<std::uint64_t()> read, std::string unit, std::string doc) {
        series_.level(prefix_ + name, std::move(read), std::move(unit), std::move(doc));
    }
    void increase(const std::string& name, std::function<std::uint64_t()> read, std::string unit, std::string doc) {
        series_.increase(prefix_ + name, std::move(read), std::move(unit), std::move(doc));
    }
    void increase(const std::string& name, const std::uint64_t& counter, std::string unit, std::string doc) {
        series_.increase(prefix_ + name, counter, std::move(unit), std::move(doc));
    }
    void total(const std::string& name, std::function<std::uint64_t()> read, std::string_view unit,
               std::string_view doc) {
        series_.total(prefix_ + name, std::move(read), unit, doc);
    }
    void total(const std::string& name, const std::uint64_t& part, std::string_view unit, std::string_view doc) {
        total(
            name, [&part] { return part; }, unit, doc);
    }

  private:
    SeriesRecorder& series_;
    std::string prefix_;
};

} // namespace numavp
