/// The bars of the bench: what is measured for each, how the ratio is made, and whether it holds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace numavp {

struct Bar {
    std::string key;  ///< in the JSON output
    std::string what; ///< one line
    double value = 0.0;
    std::optional<double> limit;                                   ///< none: a rate that is reported, not judged
    bool at_least = false;                                         ///< the limit is a minimum, else a maximum
    bool sound = true;                                             ///< what was simulated is what should have been
    std::string note;                                              ///< figures behind it
    nlohmann::ordered_json runs = nlohmann::ordered_json::array(); ///< of every point
    bool holds() const { return sound && (!limit || (at_least ? value >= *limit : value <= *limit)); }
};

struct BarOptions {
    unsigned pairs = 7; ///< medians over so many
    int core = 0;
    std::function<void(const std::string&)> progress; ///< told of each point
};

/// Measures all bars in order; `only` keeps those whose keys contain it.
std::vector<Bar> measure_bars(const BarOptions& options, const std::string& only);

} // namespace numavp
