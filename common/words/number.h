/// Numbers on the command line.
#pragma once

#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

/// Reads `text` as a number; none if it is not wholly a number, or does not fit the type.
template <class N> std::optional<N> number_in(const std::string& text) {
    N value{};
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Reads the number of an option, from `low` to `high`; ConfigError with `allowed`, the range in words.
template <class N> N number_of(const char* option, const std::string& text, N low, N high, const char* allowed) {
    const std::optional<N> value = number_in<N>(text);
    if (!value || !(*value >= low && *value <= high))
        throw ConfigError(option, fmt::format("'{}' is not {}", quotable(text), allowed));
    return *value;
}

} // namespace numavp
