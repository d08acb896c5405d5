/// Statistics of results.json by path, for summaries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "models/base/config_file.h"

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
