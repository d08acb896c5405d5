#include "platform/compare/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace numavp {
namespace {

/// As many digits as a reader wants; CSV and JSON have all of them.
std::string short_number(std::optional<double> value) {
    constexpr double kExact = 1e15; // whole numbers below are exact
    if (!value) return "-";
    const double size = std::abs(*value);
    const bool whole = std::floor(*value) == *value;
    if (size >= kExact || (size < 1e-3 && size > 0.0)) return fmt::format("{:.3e}", *value);
    if (!whole && size < 1000.0) return fmt::format("{:.4g}", *value);
    return (*value < 0.0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::llround(size)));
}

/// "+12.3 %", "x 14" from a factor of 10 on, "+1.5 points" of a number that is a percentage.
std::string change_text(const NumberDifference& number, std::size_t run) {
    constexpr double kManifold = 9.0; // ten times as much
    const std::optional<double>& first = number.values.front();
    const std::optional<double>& value = number.values[run];
    if (!first || !value) return value ? "new" : first ? "gone" : "-";
    if (*first == *value) return "=";
    if (number.unit == "%") return fmt::format("{:+.3g} points", *value - *first);
    const std::optional<double> change = number.change(run);
    if (!change) return "from 0";
    if (*change >= kManifold) return fmt::format("x {:.3g}", *change + 1.0);
    return fmt::format("{:+.{}f} %", 100.0 * *change, std::abs(*change) < 0.0995 ? 2 : 1);
}

std::string setting_text(const ordered_json& value) {
    if (value.is_null()) return "-";
    return escaped(value.is_string() ? value.get<std::string>() : value.dump());
}

void add_letters(const Comparison& comparison, std::vector<std::string>& header, std::vector<bool>& left,
                 bool left_values) {
    for (std::size_t r = 0; r < comparison.runs.size(); ++r) {
        header.push_back(run_letter(r));
        left.push_back(left_values);
    }
}

std::string settings_table(const Comparison& comparison, std::size_t limit, const Style& style) {
    if (comparison.settings.empty()) return "Settings are the same.\n";
    std::vector<std::string> header = {"setting"};
    std::vector<bool> left = {true};
    add_letters(comparison, header, left, true);
    TextTable table(header, left);
    const std::size_t shown = std::min(limit, comparison.settings.size());
    for (std::size_t i = 0; i < shown; ++i) {
        std::vector<std::string> row = {escaped(comparison.settings[i].path)};
        for (const ordered_json& value : comparison.settings[i].values) row.push_back(setting_text(value));
        table.row(std::move(row));
    }
    const std::string of = shown < comparison.settings.size()
                               ? fmt::format("{} of {}", shown, comparison.settings.size())
                               : fmt::format("{}", shown);
    return style.bold(fmt::format("Settings that differ: {}", of)) + "\n" + table.text(style);
}

std::string numbers_table(const Comparison& comparison, const std::vector<NumberDifference>& numbers, std::size_t limit,
                          const char* title, const Style& style) {
    std::vector<std::string> header = {title, "unit"};
    std::vector<bool> left = {true, true};
    const bool instances =
        std::any_of(numbers.begin(), numbers.end(), [](const NumberDifference& n) { return !n.over.empty(); });
    if (instances) {
        header.emplace_back("over");
        left.push_back(true);
    }
    add_letters(comparison, header, left, false);
    for (std::size_t r = 1; r < comparison.runs.size(); ++r)
        header.push_back(comparison.runs.size() == 2 ? "change" : run_letter(r) + " change");
    left.resize(header.size(), false);
    TextTable table(header, left);
    for (std::size_t i = 0; i < std::min(limit, numbers.size()); ++i) {
        const NumberDifference& number = numbers[i];
        std::vector<std::string> row = {number.path, number.unit};
        if (instances) row.push_back(number.over);
        for (const std::optional<double>& value : number.values) row.push_back(short_number(value));
        for (std::size_t r = 1; r < number.values.size(); ++r) row.push_back(change_text(number, r));
        table.row(std::move(row));
    }
    return table.text(style);
}

std::string statistics_table(const Comparison& comparison, std::size_t limit, const Style& style) {
    const std::size_t all = comparison.statistics.size();
    if (all == 0) return fmt::format("All {} statistics are the same.\n", comparison.same);
    const std::string shown =
        limit < all ? fmt::format("the largest {} of {}; --all shows all", limit, all) : fmt::format("{}", all);
    return style.bold(fmt::format("Statistics that differ: {}", shown)) +
           fmt::format(" ({} are the same)\n", comparison.same) +
           numbers_table(comparison, comparison.statistics, limit, "statistic", style);
}

/// "l2_hit_rate 92.96 | 68.25 %": what of a kernel differs most besides its cycles.
std::string most_text(const KernelDifference& kernel) {
    if (kernel.most == 0) return "";
    const NumberDifference& number = kernel.numbers[kernel.most];
    std::string values;
    for (const std::optional<double>& value : number.values)
        values += (values.empty() ? "" : " | ") + short_number(value);
    return fmt::format("{} {} {}", number.path, values, number.unit);
}

std::string kernels_table(const Comparison& comparison, std::size_t limit, const Style& style) {
    if (comparison.kernels.empty()) return "";
    const auto differs = [](const KernelDifference& kernel) { return kernel.differs(); };
    const auto all =
        static_cast<std::size_t>(std::count_if(comparison.kernels.begin(), comparison.kernels.end(), differs));
    if (all == 0) return fmt::format("All {} rows by kernel are the same.\n\n", comparison.kernels.size());
    std::vector<std::string> header = {"launch", "kernel"};
    std::vector<bool> left = {false, true};
    for (std::size_t r = 0; r < comparison.runs.size(); ++r) header.push_back(run_letter(r) + " cycles");
    for (std::size_t r = 1; r < comparison.runs.size(); ++r)
        header.push_back(comparison.runs.size() == 2 ? "change" : run_letter(r) + " change");
    left.resize(header.size(), false);
    header.emplace_back("differs most besides");
    left.push_back(true);
    TextTable table(header, left);
    std::size_t shown = 0;
    for (const KernelDifference& kernel : comparison.kernels) {
        if (!kernel.differs() || shown == limit) continue;
        ++shown;
        std::vector<std::string> row = {kernel.launch ? std::to_string(*kernel.launch) : "", escaped(kernel.name)};
        const NumberDifference& cycles = kernel.numbers.front();
        for (const std::optional<double>& value : cycles.values) row.push_back(short_number(value));
        for (std::size_t r = 1; r < cycles.values.size(); ++r) row.push_back(change_text(cycles, r));
        row.push_back(most_text(kernel));
        table.row(std::move(row));
    }
    const std::string count = shown < all ? fmt::format("the {} most cycles apart of {}; --all shows all", shown, all)
                                          : fmt::format("{}", all);
    return style.bold(fmt::format("Kernels that differ: {}", count)) +
           fmt::format(" ({} are the same)\n", comparison.kernels.size() - all) + table.text(style) + "\n";
}

/// Those that differ.
std::string section_table(const Comparison& comparison, const std::vector<NumberDifference>& numbers, const char* title,
                          const char* column, const Style& style) {
    std::vector<NumberDifference> differing;
    for (const NumberDifference& number : numbers)
        if (number.differs()) differing.push_back(number);
    if (differing.empty()) return numbers.empty() ? "" : fmt::format("{}: the same.\n\n", title);
    return style.bold(title) + "\n" + numbers_table(comparison, differing, differing.size(), column, style) + "\n";
}

ordered_json json_of(const NumberDifference& number) {
    ordered_json line = {{"path", number.path}, {"unit", number.unit}, {"doc", number.doc}, {"over", number.over}};
    line["values"] = ordered_json::array();
    line["changes"] = ordered_json::array();
    for (std::size_t r = 0; r < number.values.size(); ++r) {
        line["values"].push_back(number.values[r] ? ordered_json(*number.values[r]) : ordered_json());
        const std::optional<double> change = number.change(r);
        if (r > 0) line["changes"].push_back(change ? ordered_json(*change) : ordered_json());
    }
    return line;
}

ordered_json json_of(const KernelDifference& kernel) {
    ordered_json line = {{"launch", kernel.launch ? ordered_json(*kernel.launch) : ordered_json()},
                         {"name", kernel.name},
                         {"kind", kernel.kind},
                         {"most", kernel.most == 0 ? ordered_json() : ordered_json(kernel.numbers[kernel.most].path)},
                         {"numbers", ordered_json::array()}};
    for (const NumberDifference& number : kernel.numbers) line["numbers"].push_back(json_of(number));
    return line;
}

/// `before` is the text in front of each path.
void add_numbers(const std::vector<NumberDifference>& numbers, const char* kind, std::string& out,
                 const std::string& before = "") {
    for (const NumberDifference& number : numbers) {
        std::vector<std::string> cells = {kind, before + number.path, number.unit, number.over};
        for (const std::optional<double>& value : number.values)
            cells.push_back(value ? fmt::format("{}", *value) : "");
        for (std::size_t r = 1; r < number.values.size(); ++r) {
            const std::optional<double> change = number.change(r);
            cells.push_back(change ? fmt::format("{}", *change) : "");
        }
        out += csv_line(cells);
    }
}

} // namespace

std::string run_letter(std::size_t run) {
    constexpr std::size_t kLetters = 26;
    const std::string letter(1, static_cast<char>('A' + run % kLetters));
    return run < kLetters ? letter : fmt::format("{}{}", letter, run / kLetters + 1);
}

std::string comparison_text(const Comparison& comparison, std::size_t limit, const Style& style) {
    TextTable names({"", "", ""}, {true, true, true});
    for (std::size_t r = 0; r < comparison.runs.size(); ++r) {
        const Comparison::Run& run = comparison.runs[r];
        names.row({run_letter(r), escaped(run.name), escaped(run.workload + " on " + run.system)});
    }
    std::string text = names.text(style, 0) + "\n" + settings_table(comparison, limit, style) + "\n";
    text += numbers_table(comparison, comparison.headline, comparison.headline.size(), "in short", style) + "\n";
    text += attribution_text(comparison.attributions, limit, style);
    text += section_table(comparison, comparison.slots, "Issue slots of the warp schedulers", "cause", style);
    text += section_table(comparison, comparison.access_latency, "Latency of accesses by class", "class", style);
    text += kernels_table(comparison, limit, style);
    return text + statistics_table(comparison, limit, style);
}

ordered_json comparison_json(const Comparison& comparison) {
    ordered_json out = {{"runs", ordered_json::array()}};
    for (const Comparison::Run& run : comparison.runs)
        out["runs"].push_back({{"name", run.name}, {"system", run.system}, {"workload", run.workload}});
    out["settings"] = ordered_json::array();
    for (const SettingDifference& setting : comparison.settings)
        out["settings"].push_back({{"path", setting.path}, {"values", setting.values}});
    for (const auto& [name, numbers] :
         {std::pair{"headline", &comparison.headline}, std::pair{"slots", &comparison.slots},
          std::pair{"access_latency", &comparison.access_latency}, std::pair{"statistics", &comparison.statistics}}) {
        out[name] = ordered_json::array();
        for (const NumberDifference& number : *numbers) out[name].push_back(json_of(number));
    }
    out["same"] = comparison.same;
    out["attribution"] = json_of(comparison.attributions);
    out["kernels"] = ordered_json::array();
    for (const KernelDifference& kernel : comparison.kernels) out["kernels"].push_back(json_of(kernel));
    return out;
}

std::string comparison_csv(const Comparison& comparison) {
    std::vector<std::string> header = {"kind", "path", "unit", "over"};
    for (const Comparison::Run& run : comparison.runs) header.push_back(run.name);
    for (std::size_t r = 1; r < comparison.runs.size(); ++r) header.push_back("change of " + comparison.runs[r].name);
    std::string out = csv_line(header);
    for (const SettingDifference& setting : comparison.settings) {
        std::vector<std::string> cells = {"setting", setting.path, "", ""};
        for (const ordered_json& value : setting.values)
            cells.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
        cells.resize(header.size());
        out += csv_line(cells);
    }
    add_numbers(comparison.headline, "headline", out);
    add_numbers(comparison.slots, "slots", out);
    add_numbers(comparison.access_latency, "access_latency", out);
    for (const KernelDifference& kernel : comparison.kernels)
        add_numbers(kernel.numbers, "kernel", out,
                    (kernel.launch ? fmt::format("{} {}", *kernel.launch, kernel.name) : kernel.name) + ": ");
    add_numbers(comparison.statistics, "statistic", out);
    return out;
}

} // namespace numavp
