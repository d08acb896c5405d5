// Attributions as tables for a terminal, and as JSON.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "platform/compare/attribution.h"
#include "platform/compare/comparison_text.h"

namespace numavp {
namespace {

constexpr std::size_t kToldCauses = 3; ///< of a kernel

std::string cycles_text(double cycles) {
    return (cycles < 0.0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(std::abs(cycles))));
}
std::string signed_text(double cycles) { return (cycles > 0.0 ? "+" : "") + cycles_text(cycles); }

struct CauseDifference {
    const NameEntry<TimeCause>* cause = nullptr;
    double before = 0.0, after = 0.0;
    double difference() const { return after - before; }
};

/// Causes that any of both has, the largest difference first.
std::vector<CauseDifference> differences_of(const CauseCycles& before, const CauseCycles& after) {
    std::vector<CauseDifference> out;
    for (const auto& cause : kTimeCauses) {
        const auto i = static_cast<std::size_t>(cause.value);
        if (before[i] != 0.0 || after[i] != 0.0) out.push_back({&cause, before[i], after[i]});
    }
    std::stable_sort(out.begin(), out.end(), [](const CauseDifference& a, const CauseDifference& b) {
        return std::abs(a.difference()) > std::abs(b.difference());
    });
    return out;
}

std::string cause_name(const CauseDifference& of) {
    std::string name(of.cause->name);
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string causes_table(const Attribution& one, const std::string& letter, const Style& style) {
    TextTable table({"cause", "A cycles", letter + " cycles", letter + " - A", ""}, {true, false, false, false, true});
    for (const CauseDifference& of : differences_of(one.causes_before, one.causes_after))
        table.row({cause_name(of), cycles_text(of.before), cycles_text(of.after), signed_text(of.difference()),
                   std::string(of.cause->doc)});
    table.row({"sum", cycles_text(one.before), cycles_text(one.after), signed_text(one.difference()), ""});
    return table.text(style);
}

std::string kernels_attributed(const Attribution& one, const std::string& letter, std::size_t limit,
                               const Style& style) {
    TextTable table({"kernel", letter + " - A", "of which"}, {true, false, true});
    std::size_t told = 0;
    for (const KernelAttribution& kernel : one.kernels) {
        if (kernel.difference() == 0.0 || told == limit) break;
        ++told;
        std::string causes;
        const std::vector<CauseDifference> all = differences_of(kernel.before, kernel.after);
        for (std::size_t i = 0; i < std::min(kToldCauses, all.size()); ++i)
            if (all[i].difference() != 0.0)
                causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", cause_name(all[i]),
                                      signed_text(all[i].difference()));
        table.row({escaped(kernel.name), signed_text(kernel.difference()), causes});
    }
    return table.empty() ? "" : table.text(style);
}

ordered_json json_of(const CauseCycles& before, const CauseCycles& after) {
    ordered_json list = ordered_json::array();
    for (const CauseDifference& of : differences_of(before, after))
        list.push_back({{"cause", of.cause->name},
                        {"doc", of.cause->doc},
                        {"before", of.before},
                        {"after", of.after},
                        {"difference", of.difference()}});
    return list;
}

} // namespace

std::string attribution_text(const std::vector<Attribution>& attributions, std::size_t limit, const Style& style) {
    std::string text;
    for (const Attribution& one : attributions) {
        if (one.difference() == 0.0) continue;
        const std::string letter = run_letter(one.run);
        text +=
            style.bold(fmt::format("Where the difference comes from: {} takes {} cycles {} than A ({:+.1f} %)", letter,
                                   cycles_text(std::abs(one.difference())), one.difference() > 0.0 ? "more" : "less",
                                   100.0 * one.difference() / one.before));
        text.append("\n").append(causes_table(one, letter, style)).append("\n");
        text.append(kernels_attributed(one, letter, limit, style)).append("\n");
    }
    return text;
}

ordered_json json_of(const std::vector<Attribution>& attributions) {
    ordered_json list = ordered_json::array();
    for (const Attribution& one : attributions) {
        ordered_json kernels = ordered_json::array();
        for (const KernelAttribution& kernel : one.kernels)
            kernels.push_back({{"name", kernel.name},
                               {"before", kernel.before_cycles()},
                               {"after", kernel.after_cycles()},
                               {"difference", kernel.difference()},
                               {"causes", json_of(kernel.before, kernel.after)}});
        list.push_back({{"run", one.run},
                        {"unit", "cycles"},
                        {"before", one.before},
                        {"after", one.after},
                        {"difference", one.difference()},
                        {"causes", json_of(one.causes_before, one.causes_after)},
                        {"kernels", std::move(kernels)}});
    }
    return list;
}

} // namespace numavp
