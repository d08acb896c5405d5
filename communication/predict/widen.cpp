#include "communication/predict/widen.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

namespace {
constexpr std::size_t kMostKinds = 6; // 3^6 predictions take seconds
constexpr unsigned kFactors = 3;      // 1, 2 and 4: widths double, from x8 to x16 or from one NVLink to two

/// The choice of a number in base 3, a digit for each kind; empty: nothing is wider.
std::string choice_text(const std::set<std::string>& kinds, unsigned number) {
    std::string text;
    for (const std::string& kind : kinds) {
        if (const unsigned twice = number % kFactors; twice != 0)
            text += fmt::format("{}link.{}*{}", text.empty() ? "" : ",", kind, 1U << twice);
        number /= kFactors;
    }
    return text;
}
} // namespace

std::vector<WhatIfRow> widened(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                               const WhatIfRow& before, std::uint64_t budget) {
    std::set<std::string> kinds;
    for (const WhatIfLink& link : before.links) kinds.insert(link.kind);
    if (kinds.size() > kMostKinds)
        throw ConfigError("--widen", fmt::format("{} kinds of links carry something; at most {} are allowed",
                                                 kinds.size(), kMostKinds));
    unsigned choices = 1;
    for (std::size_t k = 0; k < kinds.size(); ++k) choices *= kFactors;
    std::vector<WhatIfRow> rows{before};
    for (unsigned choice = 1; choice < choices; ++choice) {
        WhatIfRow row = what_if(graph, file, machine, choice_text(kinds, choice));
        if (row.lanes <= budget) rows.push_back(std::move(row));
    }
    // By lanes: a row stays if it is faster than all with no more lanes.
    std::stable_sort(rows.begin(), rows.end(), [](const WhatIfRow& a, const WhatIfRow& b) {
        return a.lanes != b.lanes ? a.lanes < b.lanes : a.simulated_ns < b.simulated_ns;
    });
    std::vector<WhatIfRow> kept;
    double fastest = 0;
    constexpr double kLess = 1 - 1e-9; // than rounding
    for (WhatIfRow& row : rows) {
        if (fastest > 0 && row.simulated_ns >= fastest * kLess) continue;
        fastest = row.simulated_ns;
        if (!row.change.empty()) kept.push_back(std::move(row));
    }
    return kept;
}

} // namespace numavp
