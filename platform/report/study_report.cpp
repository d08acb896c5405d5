#include "platform/report/study_report.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/error.h"
#include "common/system/system_config.h"
#include "platform/study/study_metrics.h"
#include "platform/study/study_text.h"

namespace numavp {
namespace {

/// Throws unless the row has what the page reads.
void check_row(const ordered_json& row, std::size_t number) {
    const std::string place = fmt::format("rows of a study: $[{}]", number);
    if (!row.is_object()) throw ConfigError(place, "this is not an object; a row of 'numavp study show' is expected");
    constexpr std::array<const char*, 5> kTexts = {"figure", "section", "metric", "mean", "workload"};
    for (const char* name : kTexts)
        if (!row.contains(name) || !row[name].is_string())
            throw ConfigError(fmt::format("{}.{}", place, name), "is missing or no text; a text is expected");
    constexpr std::array<const char*, 5> kMoreTexts = {"configuration", "over", "unit", "reason", "says"};
    for (const char* name : kMoreTexts)
        if (row.contains(name) && !row[name].is_string())
            throw ConfigError(fmt::format("{}.{}", place, name), "is no text; a text is expected");
    constexpr std::array<const char*, 8> kNumbers = {"paper",      "above", "below", "measured",
                                                     "difference", "seeds", "least", "most"};
    for (const char* name : kNumbers)
        if (row.contains(name) && !row[name].is_number() && !row[name].is_null())
            throw ConfigError(fmt::format("{}.{}", place, name), "is no number; a number or null is expected");
    const auto one_of = [&](const char* name, const std::vector<std::string>& words) {
        if (!row.contains(name)) return;
        if (!row[name].is_string() ||
            std::find(words.begin(), words.end(), row[name].get<std::string>()) == words.end())
            throw ConfigError(fmt::format("{}.{}", place, name),
                              fmt::format("is unknown; '{}' are allowed", fmt::join(words, "', '")));
    };
    one_of("mean", {"", "arithmetic", "geometric", "harmonic", "max", "min"});
    one_of("kind", {"", "claim", "derived", "again", "input"});
    one_of("verdict", {"", "agrees", "differs", "open"});
}

/// As its rows name it.
std::string name_of(const PlannedFigure& planned) {
    const StudyFile& file = planned.figure->file;
    return file.figure.empty() ? file.name : file.figure;
}

/// Unit of a setting by its path ("link.lane_gbps"); empty if it has none, or is a setting of named parts.
std::string unit_of_setting(const std::string& path) {
    static const ordered_json schema = file_schema_of<SystemConfig>("numavp system");
    const ordered_json* at = &schema;
    std::istringstream steps(path);
    for (std::string step; std::getline(steps, step, '.');) {
        const auto properties = at->find("properties");
        if (properties == at->end() || !properties->contains(step)) return "";
        at = &properties->at(step);
    }
    return at->value("x-unit", "");
}

/// Units and descriptions of a figure's metrics, and the settings of its configurations.
void describe_figure(const StudyFile& file, ordered_json& figure) {
    figure["baseline"] = file.baseline;
    figure["seeds"] = file.seeds;
    figure["metrics"] = ordered_json::object();
    for (const StudyMetric& metric : file.metrics)
        figure["metrics"][metric.name] = {
            {"unit", metric.unit},
            {"description", metric.description},
            {"relation", std::string(kMetricRelations.name(metric.relation))},
            {"baseline", baseline_of(file, metric)},
            {"baseline_path", metric.baseline_path},
            {"above", metric.above.value ? ordered_json(*metric.above.value) : ordered_json()}};
    figure["axes"] = ordered_json::array();
    for (const StudyAxis& axis : file.axes)
        figure["axes"].push_back({{"name", axis.name}, {"path", axis.path}, {"unit", unit_of_setting(axis.path)}});
    figure["configurations"] = ordered_json::object();
    for (const StudyCombination& c : combinations(file)) {
        const StudySystem& system = file.systems[c.system];
        ordered_json& entry = figure["configurations"][c.label];
        entry = {{"system", system.label.empty() ? system.system : system.label},
                 {"description", system.description},
                 {"values", ordered_json::object()}};
        for (const auto& [axis, value] : c.axes) entry["values"][axis] = value;
    }
}

/// What each figure is and how much of it has run, by the name that its rows have.
ordered_json figures_of(const StudyPlan& plan, const StudyStore& store) {
    const ordered_json status = status_json(plan, store);
    ordered_json figures = ordered_json::object();
    for (const PlannedFigure& planned : plan.figures) {
        if (!planned.figure->shown) continue;
        const StudyFile& file = planned.figure->file;
        ordered_json& figure = figures[name_of(planned)];
        figure = status.at("figures").at(file.name);
        figure["title"] = file.title;
        figure["section"] = file.section;
        figure["description"] = file.description;
        figure["scale"] = planned.scale;
        describe_figure(file, figure);
    }
    return figures;
}

/// Of a figure that is about a run or two, not about many: what each socket's link carried over time.
ordered_json profiles_of(const StudyPlan& plan, const StudyStore& store) {
    constexpr std::size_t kFew = 2;
    ordered_json profiles = ordered_json::object();
    for (const PlannedFigure& planned : plan.figures) {
        if (!planned.figure->shown || planned.cells.size() > kFew) continue;
        for (const StudyCell& cell : planned.cells) {
            const std::string text = store.results(plan.points[cell.point]->key);
            if (text.empty()) continue;
            const ordered_json results = ordered_json::parse(text);
            ordered_json series = results.at("series");
            series["columns"] = ordered_json::object();
            for (const auto& [name, column] : results.at("series").at("columns").items())
                if (name.find(".link.") != std::string::npos) series["columns"][name] = column;
            if (series["columns"].empty()) continue;
            const ordered_json& configuration = results.at("configuration");
            const std::vector<std::uint64_t>& seeds = planned.figure->file.seeds;
            const std::string seed = seeds.empty() ? "" : fmt::format(", seed {}", seeds.at(cell.seed));
            profiles[name_of(planned)].push_back({{"name", cell.workload + " on " + cell.configuration + seed},
                                                  {"configuration",
                                                   {{"clock_khz", configuration.at("clock_khz")},
                                                    {"sockets", configuration.at("sockets")},
                                                    {"link", configuration.at("link")}}},
                                                  {"series", std::move(series)}});
        }
    }
    return profiles;
}

} // namespace

ReportPage study_report(const std::string& name, const ordered_json& rows, const ordered_json& figures,
                        const ordered_json& profiles) {
    if (!rows.is_array()) throw ConfigError("rows of a study", "this is not a list; a list of rows is expected");
    for (std::size_t i = 0; i < rows.size(); ++i) check_row(rows[i], i);
    ReportPage page;
    page.title = name;
    page.scripts = {"base.js",  "figure.js",       "time_figure.js", "link_figure.js",
                    "table.js", "study_figure.js", "study_axis.js",  "study.js"};
    page.data = {{"kind", "study"}, {"name", name}, {"figures", figures}, {"rows", rows}, {"profiles", profiles}};
    return page;
}

void write_study_report(const Study& study, const StudyPlan& plan, const StudyStore& store, const std::string& path) {
    const ReportPage page =
        study_report(study.name, rows_json(study_rows(plan, store)), figures_of(plan, store), profiles_of(plan, store));
    write_report_file(path, report_html(page, find_report_files()));
}

} // namespace numavp
