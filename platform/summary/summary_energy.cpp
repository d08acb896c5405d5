#include "platform/summary/summary_energy.h"

#include <algorithm>
#include <string_view>

#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {

namespace {
constexpr std::string_view kEnding = "_pj";
} // namespace

std::optional<EnergySummary> summarise_energy(const ordered_json& statistics, double time_ns) {
    const SummaryStatistics s(statistics, "");
    const ordered_json* group = s.group("energy");
    if (group == nullptr) return std::nullopt;
    EnergySummary out;
    for (const auto& [name, value] : group->items())
        if (value.is_number() && name != "total_pj") // a group has the parts of what stands beside it
            out.components.emplace_back(name.substr(0, name.size() - kEnding.size()), value.get<double>());
    out.total_pj = s.real("energy.total_pj").value_or(0.0);
    out.power_w = ratio(out.total_pj * 1e-3, time_ns).value_or(0.0);
    return out;
}

ordered_json json_of(const EnergySummary& e) {
    ordered_json out = {{"total_pj", e.total_pj}, {"power_w", e.power_w}};
    for (const auto& [name, pj] : e.components) out["components_pj"][name] = pj;
    return out;
}

std::string energy_table(const EnergySummary& e, const Style& style) {
    std::vector<std::string> header = {"all, mJ", "W"},
                             row = {fmt::format("{:.4g}", e.total_pj * 1e-9), fmt::format("{:.1f}", e.power_w)};
    for (const auto& [name, pj] : e.components) {
        if (pj == 0.0) continue;
        std::string words = name;
        std::replace(words.begin(), words.end(), '_', ' ');
        header.push_back(words);
        row.push_back(percent_of(ratio(pj, e.total_pj)));
    }
    TextTable table(header);
    table.row(std::move(row));
    return heading("Energy, and shares of it", style) + table.text(style);
}

} // namespace numavp
