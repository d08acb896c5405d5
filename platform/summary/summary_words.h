/// Formats numbers of a summary; a missing one is a dash.
#pragma once

#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "common/words/text.h"

namespace numavp {

inline constexpr const char* kNoNumber = "-";

inline std::string percent_of(std::optional<double> share) {
    return share ? fmt::format("{:.1f} %", *share * 100.0) : kNoNumber;
}
inline std::string one_decimal(std::optional<double> value) {
    return value ? fmt::format("{:.1f}", *value) : kNoNumber;
}
inline std::string energy_text(double pj) {
    constexpr std::array<const char*, 5> kUnits = {"pJ", "nJ", "uJ", "mJ", "J"};
    std::size_t unit = 0;
    for (; pj >= 1000.0 && unit + 1 < kUnits.size(); ++unit) pj /= 1000.0;
    return fmt::format("{:.4g} {}", pj, kUnits[unit]);
}
inline std::string heading(const std::string& text, const Style& style) { return "\n" + style.bold(text) + "\n"; }

} // namespace numavp
