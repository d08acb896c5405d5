/// Statistics of results.json by path, for summaries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "base/config/config_file.h"

namespace numavp {

/// Reads numbers of results.json; a member that is missing or not a number gives no value.
class SummaryStatistics {
  public:
    /// `at`: a prefix of all paths, such as "socket0."; `values` must outlive this object.
    SummaryStatistics(const ordered_json& values, std::string at) : values_(values), at_(std::move(at)) {}

    std::optional<double> real(const std::string& path) const {
        const ordered_json* value = group(path);
        return value != nullptr && value->is_number() ? std::optional<double>(value->get<double>()) : std::nullopt;
    }
    std::optional<std::uint64_t> count(const std::string& path) const {
        const ordered_json* value = group(path);
        if (value == nullptr || !value->is_number_integer() || *value < 0) return std::nullopt;
        return value->get<std::uint64_t>();
    }
    /// The member at a path; null if there is none.
    const ordered_json* group(const std::string& path) const { return find(at_ + path); }

  private:
    const ordered_json* find(std::string path) const {
        const ordered_json* at = &values_;
        while (!path.empty()) {
            const std::size_t dot = std::min(path.find('.'), path.size());
            const auto member = at->find(path.substr(0, dot));
            if (!at->is_object() || member == at->end()) return nullptr;
            at = &*member;
            path.erase(0, dot + 1);
        }
        return at;
    }
    const ordered_json& values_;
    std::string at_;
};

/// Sum of a column of the series, which end with the last kernel; `counted` if there is none. What is written home
/// after that is in the statistics, but its time is not in the run's: a rate takes what had passed by then.
inline std::optional<double> until_the_end(const ordered_json& results, const std::string& column,
                                           std::optional<double> counted) {
    const SummaryStatistics columns(results, "series.");
    const ordered_json* all = columns.group("columns");
    const auto found = all == nullptr ? ordered_json::const_iterator() : all->find(column);
    if (all == nullptr || found == all->end() || found->value("kind", "increase") != "increase") return counted;
    double total = 0.0;
    for (const ordered_json& value : found->at("values"))
        if (value.is_number()) total += value.get<double>();
    return total;
}

/// `part` over `whole`; no value if either is missing, or if `whole` is not above 0.
inline std::optional<double> ratio(std::optional<double> part, std::optional<double> whole) {
    if (!part || !whole || *whole <= 0.0) return std::nullopt;
    return *part / *whole;
}

inline std::optional<double> sum(std::initializer_list<std::optional<double>> terms) {
    double total = 0.0;
    for (const std::optional<double>& term : terms) {
        if (!term) return std::nullopt;
        total += *term;
    }
    return total;
}

inline ordered_json number(std::optional<double> value) { return value ? ordered_json(*value) : ordered_json(); }
inline ordered_json number(std::optional<std::uint64_t> value) { return value ? ordered_json(*value) : ordered_json(); }

} // namespace numavp
