#include "base/stats/series.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/values/error.h"
#include "base/values/json_members.h"

namespace numavp {

void SeriesRecorder::level(const std::string& name, std::function<std::uint64_t()> read, std::string unit,
                           std::string doc) {
    add(name, {false, false, {std::move(read)}, std::move(unit), std::move(doc), 0, {}});
}

void SeriesRecorder::increase(const std::string& name, std::function<std::uint64_t()> read, std::string unit,
                              std::string doc) {
    const std::uint64_t before = read();
    add(name, {true, false, {std::move(read)}, std::move(unit), std::move(doc), before, {}});
}

void SeriesRecorder::total(const std::string& name, std::function<std::uint64_t()> read, std::string_view unit,
                           std::string_view doc) {
    const std::uint64_t before = read();
    const auto known = columns_.find(name);
    if (known == columns_.end())
        return add(name, {true, true, {std::move(read)}, std::string(unit), std::string(doc), before, {}});
    Column& column = known->second;
    if (!cycles_.empty() || !column.total || column.unit != unit || column.doc != doc)
        throw ModelError("column '" + name + "' of the time series is registered twice, or too late");
    column.reads.push_back(std::move(read));
    column.before += before;
}

std::uint64_t SeriesRecorder::Column::read() const {
    std::uint64_t sum = 0;
    for (const auto& part : reads) sum += part();
    return sum;
}

void SeriesRecorder::add(const std::string& name, Column column) {
    if (!cycles_.empty()) throw ModelError("column '" + name + "' of the time series comes after the first sample");
    const bool is_new = columns_.emplace(name, std::move(column)).second;
    if (!is_new) throw ModelError("column '" + name + "' of the time series is registered twice");
}

void SeriesRecorder::sample(Cycle now) {
    if (!cycles_.empty() && now <= cycles_.back()) {
        if (now == cycles_.back()) return;
        throw ModelError("the time series was sampled backwards in time");
    }
    cycles_.push_back(now);
    for (auto& [name, column] : columns_) {
        const std::uint64_t value = column.read();
        column.values.push_back(column.increase ? value - column.before : value);
        column.before = value;
    }
}

void SeriesRecorder::mark(Cycle cycle, std::string name) { marks_.push_back({cycle, std::move(name)}); }

void SeriesRecorder::each(const std::function<void(const SeriesColumn&)>& see) const {
    for (const auto& [name, column] : columns_) see({name, column.increase, column.values});
}

nlohmann::ordered_json SeriesRecorder::json() const {
    using Json = nlohmann::ordered_json;
    Json columns = Json::object();
    for (const auto& [name, column] : columns_)
        append_member(columns, name,
                      {{"kind", column.increase ? "increase" : "level"},
                       {"unit", column.unit},
                       {"doc", column.doc},
                       {"values", column.values}});
    std::vector<Mark> in_order = marks_;
    std::stable_sort(in_order.begin(), in_order.end(), [](const Mark& a, const Mark& b) { return a.cycle < b.cycle; });
    Json marks = Json::array();
    for (const Mark& mark : in_order) marks.push_back({{"cycle", mark.cycle}, {"name", mark.name}});
    return {{"interval_cycles", interval_cycles_},
            {"cycles", cycles_},
            {"columns", std::move(columns)},
            {"marks", std::move(marks)}};
}

} // namespace numavp
