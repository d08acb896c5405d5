#include "platform/results/run_record.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/name_table.h"
#include "common/files/config_folders.h"
#include "common/files/json_file.h"
#include "common/system/assigned_settings.h"
#include "common/system/load_system.h"
#include "common/system/recorded_system.h"
#include "platform/results/results_folder.h"
#include "platform/results/run_key.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The member as a text; ConfigError if the record has none.
std::string text_member(const RecordedRun& run, const char* name) {
    const auto found = run.record.find(name);
    if (found == run.record.end() || !found->is_string())
        throw ConfigError(run.folder + "/run.json: $.record." + name, "is missing or no text; the record of a run is "
                                                                      "expected");
    return found->get<std::string>();
}

void check_version(const RecordedRun& run) {
    const std::string version = text_member(run, "models");
    if (version == model_version()) return;
    throw ConfigError(run.folder + "/run.json: $.record.models",
                      fmt::format("this run was made by version {}, and this is {}, whose results may differ; the same "
                                  "version is expected",
                                  version, model_version()));
}

} // namespace

ordered_json run_record(const NamedWorkload& workload) {
    const bool trace = workload.source.is_null();
    return {{"models", model_version()},
            {"workload", printable(workload.path)},
            {"description", trace ? ordered_json() : ordered_json(workload.source)},
            {"seed", workload.seed},
            {"scale", workload.scale},
            {"kernels", workload.record.kernels}};
}

bool is_recorded_run(const std::string& word) {
    if (!is_folder(word)) return false;
    return word.find('/') != std::string::npos || system_file(word).empty();
}

RecordedRun read_recorded_run(const std::string& folder) {
    finish_replacing(folder);
    if (!is_results_folder(folder))
        throw ConfigError(folder,
                          "this folder has no results of a run; one that numavp run wrote, the name of a system "
                          "or its JSON file are expected");
    RecordedRun run;
    run.folder = fs::path(folder + "/").parent_path().string(); // without a slash at its end
    const fs::path results = fs::path(run.folder) / "results.json";
    run.results = text_in(results);
    const ordered_json whole = read_ordered_json(results.string());
    const ordered_json cost = read_ordered_json((fs::path(run.folder) / "run.json").string());
    for (const char* const name : {"configuration", "workload"})
        if (!whole.is_object() || !whole.contains(name) || !whole[name].is_object())
            throw ConfigError(results.string(),
                              fmt::format("it has no '{}'; whole results of a run are expected", name));
    if (!cost.is_object() || !cost.contains("record") || !cost["record"].is_object())
        throw ConfigError(run.folder + "/run.json", "it has no 'record', so that its run can't be repeated; results "
                                                    "that this version of numavp wrote are expected");
    run.configuration = whole["configuration"];
    run.workload = whole["workload"];
    run.record = cost["record"];
    check_version(run);
    return run;
}

SystemConfig recorded_system(const RecordedRun& run, const std::vector<std::string>& assignments) {
    const std::string file = run.folder + "/results.json";
    if (assignments.empty()) return recorded_config(json(run.configuration), Place(file, "$.configuration"));
    ConfigDocument document = resolved_document(json(run.configuration), file);
    std::vector<std::string> set;
    for (const std::string& assignment : assignments) set.push_back(set_path(document, assignment));
    return read_assigned_system(document, set);
}

KernelChoice recorded_kernels(const RecordedRun& run) {
    if (!run.record.contains("kernels")) return {}; // one of before there was a choice
    const std::string kernels = text_member(run, "kernels");
    try {
        return kernel_choice(kernels, "", "");
    } catch (const ConfigError&) {
        throw ConfigError(run.folder + "/run.json: $.record.kernels",
                          fmt::format("'{}' is no range of launches, such as 3..7", quotable(kernels)));
    }
}

NamedWorkload recorded_workload(const RecordedRun& run, const std::string& seed, const std::string& scale) {
    const std::string path = text_member(run, "workload");
    const auto description = run.record.find("description");
    const std::string asked_seed = seed.empty() ? text_member(run, "seed") : seed;
    const std::string asked_scale = scale.empty() ? text_member(run, "scale") : scale;
    if (description != run.record.end() && description->is_object())
        return described_workload(path, json(*description), asked_seed, asked_scale, "--");
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        throw ConfigError(run.folder + "/run.json: $.record.workload",
                          "the trace " + path +
                              " is gone, without which the run can't be repeated; a trace at that "
                              "path is expected");
    NamedWorkload trace = load_named_workload(path, asked_seed, asked_scale, "--");
    trace.record.name = run.workload.value("name", trace.record.name); // the path as it was typed then is in them
    trace.record.description = run.workload.value("description", trace.record.description);
    return trace;
}

} // namespace numavp
