#include "platform/compare/compared_runs.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/config/large_config.h"
#include "base/values/name_table.h"
#include "common/files/json_file.h"
#include "common/files/results_format.h"
#include "platform/results/results_check.h"
#include "platform/results/results_folder.h"
#include "platform/study/study_scales.h"
#include "platform/study/study_store.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> views_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The one figure of the study that has all configurations.
const PlannedFigure& figure_with(const StudyPlan& plan, const StudyChoice& choice,
                                 const std::vector<std::string>& configurations) {
    std::vector<const PlannedFigure*> fitting;
    std::vector<std::string> known;
    for (const PlannedFigure& figure : plan.figures) {
        if (!figure.figure->shown) continue;
        for (const std::string& name : figure.configurations)
            if (!has(known, name)) known.push_back(name);
        const auto inside = [&](const std::string& name) { return has(figure.configurations, name); };
        if (std::all_of(configurations.begin(), configurations.end(), inside)) fitting.push_back(&figure);
    }
    for (const std::string& name : configurations)
        if (!has(known, name)) throw ConfigError(choice.file, unknown_name("configuration", name, views_of(known)));
    if (fitting.empty())
        throw ConfigError(choice.file, "no figure has all of these configurations; configurations of one figure are "
                                       "expected");
    if (fitting.size() > 1) {
        std::vector<std::string> names;
        for (const PlannedFigure* figure : fitting) names.push_back(figure->figure->file.name);
        throw ConfigError("--figure", fmt::format("several figures have these configurations; '{}' are allowed",
                                                  fmt::join(names, "', '")));
    }
    return *fitting.front();
}

/// The workload that was asked for, or the only one.
std::string workload_in(const PlannedFigure& figure, const StudyChoice& choice) {
    if (!choice.workload.empty() && !has(figure.workloads, choice.workload))
        throw ConfigError("--workload", unknown_name("workload", choice.workload, views_of(figure.workloads)));
    if (!choice.workload.empty()) return choice.workload;
    if (figure.workloads.size() == 1) return figure.workloads.front();
    throw ConfigError("--workload", fmt::format("the study has {} workloads, and one is compared; '{}' are allowed",
                                                figure.workloads.size(), fmt::join(figure.workloads, "', '")));
}

} // namespace

ComparedRun run_in_folder(const std::string& path) {
    std::error_code ignored;
    finish_replacing(path);
    const fs::path file = fs::is_directory(path, ignored) ? fs::path(path) / "results.json" : fs::path(path);
    if (!fs::is_regular_file(file, ignored))
        throw ConfigError("compare " + path, "there are no results; a folder that numavp run wrote is expected, or, "
                                             "with --study FILE, a configuration of the study");
    const ConfigDocument document = load_large_document(file.string(), kMostResultsBytes);
    if (!document.value.is_object() || !document.value.contains("statistics"))
        throw ConfigError(file.string(), "these are no results of a run; a folder that numavp run wrote is expected");
    check_of_a_run(document);
    return {path, read_ordered_json(file.string())};
}

std::vector<ComparedRun> runs_of_study(const StudyChoice& choice, const std::vector<std::string>& configurations) {
    const std::vector<std::string> figures =
        choice.figure.empty() ? std::vector<std::string>() : std::vector<std::string>{choice.figure};
    const Study study = load_study(choice.file, figures);
    const std::string db = choice.db.empty() ? "results/" + study.name + ".sqlite" : choice.db;
    const StudyStore store(db, StudyStore::Access::read);
    const StudyPlanner planner(study, scale_to_show(study, store, choice.scale));
    const StudyPlan plan = planner.plan(store);
    const PlannedFigure& figure = figure_with(plan, choice, configurations);
    const std::string workload = workload_in(figure, choice);
    std::vector<ComparedRun> runs;
    for (const std::string& configuration : configurations) {
        const StudyCell* cell = figure.cell(configuration, workload);
        const std::string text = cell ? store.results(plan.points[cell->point]->key) : "";
        if (text.empty())
            throw ConfigError(db, fmt::format("it has no results of '{}' with {}; 'numavp study run {}' makes them",
                                              configuration, workload, choice.file));
        const std::vector<std::uint64_t>& seeds = figure.figure->file.seeds;
        const std::string seed =
            seeds.size() < 2 ? "" : fmt::format(", seed {}, the first of {}", seeds[0], seeds.size());
        runs.push_back({configuration + seed, ordered_json::parse(text)});
    }
    return runs;
}

} // namespace numavp
