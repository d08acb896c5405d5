#include "platform/cli/cli_study_words.h"

#include <algorithm>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "platform/cli/cli_live.h"

namespace numavp {
namespace {

void require(bool given, const char* option, const std::string& action, const std::vector<std::string_view>& actions) {
    if (!given || std::find(actions.begin(), actions.end(), action) != actions.end()) return;
    std::string allowed;
    for (const std::string_view name : actions)
        allowed += (allowed.empty() ? "'study " : ", 'study ") + std::string(name) + "'";
    throw ConfigError("command line", std::string(option) + " is not an option of 'study " + action +
                                          "'; it is allowed with " + allowed);
}

} // namespace

const char* const kStudyActions = "run status show export report";

void add_study(CLI::App& app, StudyWords& words) {
    CLI::App* study = app.add_subcommand("study", "Many runs from one file: run, status, show, export, report");
    study->add_option("ACTION", words.action, "run, status, show, export or report")->type_name("")->required();
    study->add_option("FILE", words.file, "A study's JSON file, or a folder of them")->type_name("");
    const auto text = [&](const char* name, std::string& field, const char* type, const char* help) {
        study->add_option(name, field, help)->type_name(type)->take_last();
    };
    text("--db", words.db, "FILE", "Results file; results/<study>.sqlite unless given");
    text("--scale", words.scale, "X", "Factor on all problem sizes, or small; the study's unless given");
    study->add_option("--figure", words.figures, "Only this figure; may be given again")
        ->type_name("NAME")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    text("--jobs", words.jobs, "N", "run: points at a time; as many as cores unless given");
    text("--time-limit", words.time_limit, "SECONDS", "run: of each point; the study's unless given");
    add_live(*study, words.live, "run: show its points while they go on");
    const auto flag = [&](const char* name, bool& field, const char* help) {
        study->add_flag(name, field, help)->disable_flag_override();
    };
    flag("--retry-failed", words.retry_failed, "run: points that failed too");
    flag("--no-branches", words.no_branches, "run: each point whole, also those that share a beginning");
    flag("--workloads", words.workloads, "show: each workload too");
    flag("--json", words.json, "run, status, show: as JSON");
    flag("--csv", words.csv, "show: as CSV");
    text("--out", words.out, "DIR", "export: folder; report: file; beside the results file unless given");
    flag("--quiet", words.quiet, "run: no progress and no summary");
}

void check_study_words(const StudyWords& words) {
    const std::vector<std::string_view> actions = {"run", "status", "show", "export", "report"};
    if (words.action == "point" || words.action == "beginning") return;
    if (std::find(actions.begin(), actions.end(), words.action) == actions.end())
        throw ConfigError("study", unknown_name("action", words.action, actions));
    if (words.file.empty())
        throw ConfigError("study", "there is no file; a study's JSON file or a folder of them is expected after '" +
                                       words.action + "'");
    require(!words.jobs.empty(), "--jobs", words.action, {"run"});
    require(!words.time_limit.empty(), "--time-limit", words.action, {"run"});
    require(words.retry_failed, "--retry-failed", words.action, {"run"});
    require(words.no_branches, "--no-branches", words.action, {"run"});
    require(!words.live.empty(), "--live", words.action, {"run"});
    require(words.quiet, "--quiet", words.action, {"run"});
    require(words.json, "--json", words.action, {"run", "status", "show"});
    require(words.csv, "--csv", words.action, {"show"});
    require(words.workloads, "--workloads", words.action, {"show"});
    require(!words.out.empty(), "--out", words.action, {"export", "report"});
    if (words.json && words.csv)
        throw ConfigError("command line", "--json and --csv exclude each other; one is allowed");
}

} // namespace numavp
