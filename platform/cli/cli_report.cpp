#include "platform/cli/cli_report.h"

#include <filesystem>

#include "base/values/error.h"
#include "common/files/json_file.h"
#include "common/files/output_paths.h"
#include "platform/report/report_page.h"
#include "platform/report/run_report.h"
#include "platform/report/study_report.h"
#include "platform/results/results_folder.h"

namespace numavp {

namespace {
/// The page of a file with a study's rows, which errors name.
ReportPage rows_report(const std::string& file, const std::string& name) {
    const ordered_json rows = read_ordered_json(file);
    try {
        return study_report(name, rows);
    } catch (const ConfigError& refused) {
        throw ConfigError(file, refused.what());
    }
}
} // namespace

std::string report_command(const ReportWords& words) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path from = words.from;
    finish_replacing(words.from);
    const bool run = is_results_folder(words.from);
    if (!run && (!fs::is_regular_file(from, ignored) || from.extension() != ".json"))
        throw ConfigError(
            "report " + words.from,
            "there are no results; a folder that numavp run wrote is expected, or a file with the rows that "
            "numavp study show --json printed, whose name ends in .json");
    const ReportFiles files = find_report_files();
    const fs::path beside = run ? from / "report.html" : fs::path(from).replace_extension(".html");
    const std::string out = words.out.empty() ? beside.string() : words.out;
    if (words.out.empty()) refuse_foreign_report(out);
    refuse_to_replace({"--out", out}, {words.from});
    const ReportPage page = run ? run_report(words.from) : rows_report(words.from, from.stem().string());
    write_report_file(out, report_html(page, files));
    return "report in " + out + "\n";
}

} // namespace numavp
