/// Table of the pattern programs by name: one row for each, in the order in which lists show them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/config/config.h"
#include "sw/patterns/pattern.h"

namespace numavp {

/// Makes pattern P from the parameters at `place`; the function in a row of the table of patterns.
template <class P>
std::unique_ptr<Pattern> make_pattern(const nlohmann::json& parameters, const Place& place,
                                      const PatternContext& context) {
    return std::make_unique<P>(read_config<typename P::Parameters>(parameters, place), context);
}

/// A row of the table of patterns.
struct PatternEntry {
    std::string_view name;
    std::string_view doc; ///< one line
    std::unique_ptr<Pattern> (*make)(const nlohmann::json& parameters, const Place& place, const PatternContext&);
    ordered_json (*schema)(); ///< JSON Schema of the parameters
};

/// All patterns, in the order in which lists show them.
const std::vector<PatternEntry>& patterns();

/// The pattern called `name`; if there is none, ConfigError at `place` with the names that exist.
const PatternEntry& find_pattern(std::string_view name, const Place& place);

} // namespace numavp
