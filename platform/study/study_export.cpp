#include "platform/study/study_export.h"

#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "common/files/whole_file.h"
#include "common/words/text.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

class CsvFile {
  public:
    CsvFile(const fs::path& folder, const std::string& name, const std::string& header = "")
        : file_((folder / name).string(), "export " + (folder / name).string()) {
        if (!header.empty()) file_.out() << header << '\n';
    }
    void row(const std::vector<std::string>& fields) { file_.out() << csv_line(fields); }
    void text(const std::string& text) { file_.out() << text; }
    void keep() { file_.keep(); }

  private:
    WholeFile file_;
};

std::string shortest_text(double value) { return fmt::format("{}", value); }

void write_points(const StudyPlan& plan, const fs::path& folder) {
    CsvFile file(folder, "points.csv", "figure,configuration,workload,key");
    for (const PlannedFigure& figure : plan.figures)
        for (const StudyCell& cell : figure.cells)
            if (figure.figure->shown)
                file.row({figure.figure->file.name, cell.configuration, cell.workload, plan.points[cell.point]->key});
    file.keep();
}

void write_runs(const std::set<std::string>& keys, const StudyStore& store, const fs::path& folder) {
    CsvFile file(folder, "runs.csv", "key,system,workload,scale,version,state,message,host,wall_s");
    for (const StoredRun& run : store.runs())
        if (keys.count(run.key) != 0)
            file.row({run.key, run.system, run.workload, shortest_text(run.scale), run.version,
                      run.done ? "done" : "failed", run.message, run.host, shortest_text(run.wall_s)});
    file.keep();
}

/// One of the views, sorted by what its rows are named by. The last of its columns is a number, or a text if `texts`.
void write_view(const std::set<std::string>& keys, const StudyStore& store, const fs::path& folder,
                const std::string& view, const std::vector<std::string>& columns, bool texts = false) {
    const std::vector<std::string> names(columns.begin(), columns.end() - 1);
    const std::string order = fmt::format("{}", fmt::join(names, ", "));
    CsvFile file(folder, view + ".csv", fmt::format("key,{}", fmt::join(columns, ",")));
    SqlStatement row(store.database(),
                     fmt::format("SELECT r.key, {} FROM {} v JOIN runs r ON r.id = v.run ORDER BY r.key, {}",
                                 fmt::join(columns, ", "), view, order)
                         .c_str());
    const int last = static_cast<int>(columns.size());
    while (row.step()) {
        if (keys.count(row.text(0)) == 0) continue;
        std::vector<std::string> fields;
        for (int column = 0; column < last; ++column) fields.push_back(row.text(column));
        fields.push_back(texts ? row.text(last) : shortest_text(row.real(last)));
        file.row(fields);
    }
    file.keep();
}

constexpr std::array<const char*, 6> kCsvFiles = {"points.csv",  "runs.csv",   "parameters.csv",
                                                  "metrics.csv", "series.csv", "rows.csv"};

/// Nothing that is written may be the results file itself.
void spare_results(const StudyStore& store, const fs::path& folder, const fs::path& copy) {
    std::error_code ignored;
    std::vector<fs::path> written(kCsvFiles.begin(), kCsvFiles.end());
    written.push_back(copy.filename());
    for (const fs::path& name : written)
        if (fs::equivalent(folder / name, store.database().path(), ignored))
            throw ConfigError("export " + folder.string(), "the results file itself is there as " + name.string() +
                                                               ", and would be overwritten; another folder is "
                                                               "expected");
}

/// A copy of the results file; an earlier one is replaced.
void write_copy(const StudyStore& store, const fs::path& copy) {
    WholeFile file(copy.string(), "export " + copy.string());
    try {
        SqlStatement(store.database(), "VACUUM INTO ?").bind(1, file.hidden()).execute();
    } catch (const ConfigError& why) { // it names the results file, whose copy is what can't be written
        throw ConfigError("export " + copy.string(), std::string("it can't be written: ") + why.what() +
                                                         "; a folder on a disk with space is expected");
    }
    file.keep();
}

} // namespace

std::string export_study(const StudyPlan& plan, const StudyStore& store, const std::string& folder) {
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault)
        throw ConfigError("export " + folder, "it can't be made: " + fault.message() + "; a folder's path is expected");
    const fs::path copy = fs::path(folder) / fs::path(store.database().path()).filename();
    spare_results(store, folder, copy);
    std::set<std::string> keys;
    for (const auto& job : plan.points) keys.insert(job->key);
    write_points(plan, folder);
    write_runs(keys, store, folder);
    write_view(keys, store, folder, "parameters", {"path", "value"}, true);
    write_view(keys, store, folder, "metrics", {"name", "value"});
    write_view(keys, store, folder, "series", {"name", "edge", "value"});
    CsvFile rows(folder, "rows.csv");
    rows.text(rows_csv(study_rows(plan, store)));
    rows.keep();
    write_copy(store, copy);
    return fmt::format("{} and {} are in {}\n", fmt::join(kCsvFiles, ", "), copy.filename().string(), folder);
}

} // namespace numavp
