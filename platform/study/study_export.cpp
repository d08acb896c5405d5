#include "platform/study/study_export.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

namespace numavp {
namespace {

namespace fs = std::filesystem;

/// One file; ConfigError if not all of it could be written.
class CsvFile {
  public:
    CsvFile(const fs::path& folder, const std::string& name, const std::string& header = "")
        : path_((folder / name).string()), out_(path_, std::ios::binary | std::ios::trunc) {
        if (!header.empty()) out_ << header << '\n';
    }
    void row(const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) out_ << (i == 0 ? "" : ",") << csv_field(fields[i]);
        out_ << '\n';
    }
    void text(const std::string& text) { out_ << text; }
    void close() {
        out_.close();
        if (!out_)
            throw ConfigError("export " + path_, std::string("it can't be written: ") + std::strerror(errno) +
                                                     "; a folder on a disk with space is expected");
    }

  private:
    std::string path_;
    std::ofstream out_;
};

std::string number(double value) { return fmt::format("{}", value); }

void write_points(const StudyPlan& plan, const fs::path& folder) {
    CsvFile file(folder, "points.csv", "figure,configuration,workload,key");
    for (const PlannedFigure& figure : plan.figures)
        for (const StudyCell& cell : figure.cells)
            if (figure.figure->shown)
                file.row({figure.figure->file.name, cell.configuration, cell.workload, plan.points[cell.point]->key});
    file.close();
}

void write_runs(const std::set<std::string>& keys, const StudyStore& store, const fs::path& folder) {
    CsvFile file(folder, "runs.csv", "key,system,workload,scale,version,state,message,host,wall_s");
    for (const StoredRun& run : store.runs())
        if (keys.count(run.key) != 0)
            file.row({run.key, run.system, run.workload, number(run.scale), run.version, run.done ? "done" : "failed",
                      run.message, run.host, number(run.wall_s)});
    file.close();
}

/// One of the views, sorted by what its rows are named by. The last column is a number or a text.
void write_view(const std::set<std::string>& keys, const StudyStore& store, const fs::path& folder, const char* view,
                const char* columns) {
    const std::string order = std::string(columns).substr(0, std::string(columns).rfind(','));
    CsvFile file(folder, std::string(view) + ".csv", std::string("key,") + columns);
    SqlStatement row(
        store.database(),
        fmt::format("SELECT r.key, {} FROM {} v JOIN runs r ON r.id = v.run ORDER BY r.key, {}", columns, view, order)
            .c_str());
    const bool edges = std::string(columns).find("edge") != std::string::npos;
    while (row.step()) {
        if (keys.count(row.text(0)) == 0) continue;
        const int last = edges ? 3 : 2;
        std::vector<std::string> fields = {row.text(0), row.text(1)};
        if (edges) fields.push_back(row.text(2));
        fields.push_back(std::string(view) == "parameters" ? row.text(last) : number(row.real(last)));
        file.row(fields);
    }
    file.close();
}

} // namespace

std::string export_study(const StudyPlan& plan, const StudyStore& store, const std::string& folder) {
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault)
        throw ConfigError("export " + folder, "it can't be made: " + fault.message() + "; a folder's path is expected");
    std::set<std::string> keys;
    for (const auto& job : plan.points) keys.insert(job->key);
    write_points(plan, folder);
    write_runs(keys, store, folder);
    write_view(keys, store, folder, "parameters", "path,value");
    write_view(keys, store, folder, "metrics", "name,value");
    write_view(keys, store, folder, "series", "name,edge,value");
    CsvFile rows(folder, "rows.csv");
    rows.text(rows_csv(study_rows(plan, store)));
    rows.close();
    const fs::path copy = fs::path(folder) / fs::path(store.database().path()).filename();
    fs::remove(copy, fault);
    SqlStatement(store.database(), "VACUUM INTO ?").bind(1, copy.string()).execute();
    return "points.csv, runs.csv, parameters.csv, metrics.csv, series.csv, rows.csv and " + copy.filename().string() +
           " are in " + folder + "\n";
}

} // namespace numavp
