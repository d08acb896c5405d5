#include "platform/cli/cli_compare.h"

#include <limits>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "platform/cli/json_output.h"
#include "platform/compare/compared_runs.h"
#include "platform/compare/comparison_text.h"
#include "platform/report/compare_report.h"

namespace numavp {
namespace {

constexpr std::size_t kFewLines = 20; ///< of a table, unless --all

/// Checks the words before any file is read.
void check_compare_words(const CompareWords& words) {
    if (words.runs.size() < 2)
        throw ConfigError("compare", words.study.empty()
                                         ? "there is one run; two folders of results or more are expected"
                                         : "there is one configuration; two of the study or more are expected");
    const auto only_with_study = [&](const std::string& word, const char* option) {
        if (words.study.empty() && !word.empty())
            throw ConfigError("command line", std::string(option) + " chooses among the results of a study; it is "
                                                                    "allowed with --study FILE");
    };
    only_with_study(words.workload, "--workload");
    only_with_study(words.db, "--db");
    only_with_study(words.scale, "--scale");
    only_with_study(words.figure, "--figure");
    std::vector<std::string> inputs = words.runs;
    inputs.insert(inputs.end(), {words.study, words.db});
    refuse_outputs({{"--csv", words.csv}, {"--report", words.report}}, inputs);
}

} // namespace

void add_compare(CLI::App& app, CompareWords& words) {
    CLI::App* compare =
        app.add_subcommand("compare", "Differences between runs: settings, and results by the size of their change");
    compare->add_option("RUN", words.runs, "Folders of results, two or more; with --study configurations of the study")
        ->type_name("")
        ->required();
    const auto text = [&](const char* name, std::string& field, const char* type, const char* help) {
        compare->add_option(name, field, help)->type_name(type)->take_last();
    };
    text("--study", words.study, "FILE", "Compare configurations of this study");
    text("--workload", words.workload, "WORKLOAD", "Workload of the study; needed if it has several");
    text("--figure", words.figure, "NAME", "Figure of the study; needed if several have these configurations");
    text("--scale", words.scale, "X", "Scale of the study's points; needed if the results file has several");
    text("--db", words.db, "FILE", "Results file of the study; results/<study>.sqlite unless given");
    const auto flag = [&](const char* name, bool& field, const char* help) {
        return compare->add_flag(name, field, help)->disable_flag_override();
    };
    flag("--all", words.all, "All that differs, not only the largest 20");
    flag("--each", words.each, "Each socket, slice and channel by itself, not summed up");
    flag("--json", words.json, "Print all of it as one line of JSON");
    text("--csv", words.csv, "FILE", "Write all of it as CSV");
    text("--report", words.report, "FILE", "Write one HTML page with the runs side by side");
}

std::string compare_command(const CompareWords& words) {
    check_compare_words(words);
    const std::optional<ReportFiles> files = // before time is spent
        words.report.empty() ? std::nullopt : std::optional<ReportFiles>(find_report_files());
    std::vector<ComparedRun> runs;
    if (words.study.empty())
        for (const std::string& folder : words.runs) runs.push_back(run_in_folder(folder));
    else
        runs = runs_of_study({words.study, words.db, words.scale, words.figure, words.workload}, words.runs);
    const Comparison comparison = compare_runs(runs, words.each);
    if (!words.csv.empty()) {
        WholeFile file(words.csv, "--csv");
        file.out() << comparison_csv(comparison);
        file.keep();
    }
    if (files) write_report_file(words.report, report_html(compare_report(runs, comparison), *files));
    if (words.json) return json_line("compare", comparison_json(comparison));
    const std::size_t limit = words.all ? std::numeric_limits<std::size_t>::max() : kFewLines;
    return comparison_text(comparison, limit, style_of(STDOUT_FILENO));
}

} // namespace numavp
