#include "platform/study/study_store.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "platform/results/ratio_values.h"
#include "platform/results/run_key.h"
#include "platform/study/kernel_metrics.h"
#include "platform/study/study_kernels.h"
#include "platform/study/study_metrics.h"
#include "platform/study/study_slots.h"

namespace numavp {
namespace {

/// Names are stored once; `parameters`, `metrics` and `series` are what readers see.
constexpr const char* kTables = R"SQL(
CREATE TABLE info(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE runs(id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, system TEXT, workload TEXT, scale REAL,
    seed INTEGER, version TEXT, state TEXT CHECK(state IN ('done', 'failed')), message TEXT, host TEXT, wall_s REAL,
    results TEXT);
CREATE TABLE points(figure TEXT, configuration TEXT, workload TEXT, key TEXT,
    PRIMARY KEY(figure, configuration, workload, key));
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE parameter_values(run INTEGER, name INTEGER, value TEXT, PRIMARY KEY(run, name)) WITHOUT ROWID;
CREATE TABLE metric_values(run INTEGER, name INTEGER, value REAL, PRIMARY KEY(run, name)) WITHOUT ROWID;
CREATE TABLE series_values(run INTEGER, name INTEGER, edge INTEGER, value REAL, PRIMARY KEY(run, name, edge))
    WITHOUT ROWID;
CREATE VIEW parameters(run, path, value) AS
    SELECT v.run, n.name, v.value FROM parameter_values v JOIN names n ON n.id = v.name;
CREATE VIEW metrics(run, name, value) AS
    SELECT v.run, n.name, v.value FROM metric_values v JOIN names n ON n.id = v.name;
CREATE VIEW series(run, name, edge, value) AS
    SELECT v.run, n.name, v.edge, v.value FROM series_values v JOIN names n ON n.id = v.name;
)SQL";

/// Which sections of results.json are in tables, of all runs of a file: kernels, streams, slots,
/// access_latency; since 2 also ratios.
constexpr const char* kSectionsNote = "sections";
constexpr const char* kSections = "2";

/// "ratios.l2.hit_rate" of all owners together, and "ratios.socket0.l2.hit_rate" of each.
std::vector<std::pair<std::string, double>> ratio_metrics(const RatioValues& ratios) {
    std::vector<std::pair<std::string, double>> metrics;
    const auto add = [&](const std::string& path, std::optional<double> value) {
        if (value) metrics.emplace_back("ratios." + path, *value);
    };
    for (const OwnedRatio& owned : ratios.all()) {
        add(owned.ratio.name, ratios.together(owned));
        for (const std::string& owner : owned.owners)
            if (!owner.empty()) add(owner + "." + owned.ratio.name, ratios.of(owned, owner));
    }
    return metrics;
}

/// Checked before SQLite opens it, since SQLite makes what is not there.
const std::string& existing(const std::string& path, StudyStore::Access access) {
    std::error_code ignored;
    if (access == StudyStore::Access::read && !std::filesystem::is_regular_file(path, ignored))
        throw ConfigError("results file " + path, "there is none yet; 'numavp study run' makes it, and --db names "
                                                  "another");
    return path;
}

StoredRun run_of(const SqlStatement& row) {
    return {row.text(0), row.text(1), row.text(2), row.text(3),          row.text(4),
            row.text(5), row.real(6), row.real(7), row.text(8) == "done"};
}
constexpr const char* kRunColumns =
    "SELECT key, system, workload, version, message, host, scale, wall_s, state FROM runs";

} // namespace

void flatten(const ordered_json& value, const std::string& path,
             std::vector<std::pair<std::string, ordered_json>>& out) {
    if (value.is_object()) {
        for (const auto& [key, member] : value.items())
            flatten(member, path.empty() ? key : fmt::format("{}.{}", path, key), out);
    } else if (!value.is_array()) {
        out.emplace_back(path, value);
    }
}

void flatten_settings(const ordered_json& value, const std::string& path,
                      std::vector<std::pair<std::string, ordered_json>>& out) {
    const auto plain = [](const ordered_json& element) { return !element.is_structured(); };
    if (value.is_object()) {
        for (const auto& [key, member] : value.items())
            flatten_settings(member, path.empty() ? key : fmt::format("{}.{}", path, key), out);
    } else if (!value.is_array() || (!value.empty() && std::all_of(value.begin(), value.end(), plain))) {
        out.emplace_back(path, value);
    } else {
        for (std::size_t i = 0; i < value.size(); ++i) {
            const bool named = value[i].is_object() && value[i].contains("name") && value[i]["name"].is_string();
            flatten_settings(value[i],
                             named ? fmt::format("{}.{}", path, value[i]["name"].get<std::string>())
                                   : fmt::format("{}[{}]", path, i),
                             out);
        }
    }
}

StudyStore::StudyStore(const std::string& path, Access access)
    : lock_(access == Access::write ? std::make_unique<StudyLock>(path) : nullptr),
      database_(existing(path, access), access == Access::write) {
    database_.run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;");
    SqlStatement tables(database_, "SELECT count(*) FROM sqlite_master");
    tables.step();
    const bool empty = tables.integer(0) == 0;
    tables.reset();
    if (empty && access == Access::write) {
        SqlTransaction transaction(database_);
        database_.run(kTables);
        note("format", std::to_string(kStoreFormat));
        transaction.commit();
    }
    SqlStatement ours(database_, "SELECT count(*) FROM sqlite_master WHERE name IN ('info', 'runs', 'metrics')");
    ours.step();
    if (ours.integer(0) != 3)
        throw ConfigError("results file " + path, "its tables are not a study's; a file made by 'numavp study run' is "
                                                  "expected");
    ours.reset();
    if (noted("format") != std::to_string(kStoreFormat))
        throw ConfigError("results file " + path, fmt::format("its format is {}; format {} is allowed",
                                                              quotable(noted("format")), kStoreFormat));
    learn_runs();
    if (access == Access::write) {
        make_kernel_tables(database_);
        widen_points();
        complete_sections();
    }
}

void StudyStore::learn_runs() {
    SqlStatement runs(database_, "SELECT key, state, id FROM runs");
    while (runs.step())
        states_[runs.text(0)] = {runs.text(1) == "done" ? PointState::done : PointState::failed, runs.integer(2)};
    SqlStatement names(database_, "SELECT name, id FROM names");
    while (names.step()) names_[names.text(0)] = names.integer(1);
}

PointState StudyStore::state(const std::string& key) const {
    const auto found = states_.find(key);
    return found == states_.end() ? PointState::missing : found->second.first;
}

std::vector<double> StudyStore::values(const std::string& key, const std::string& path) const {
    const auto found = states_.find(key);
    if (found == states_.end()) return {};
    const auto [ids, fresh] = fitting_.emplace(path, std::vector<std::int64_t>());
    if (fresh)
        for (const auto& [name, id] : names_)
            if (path_fits(path, name)) ids->second.push_back(id);
    std::vector<double> values;
    SqlStatement row(database_, "SELECT value FROM metric_values WHERE run = ? AND name = ?");
    for (const std::int64_t id : ids->second) {
        row.bind(1, found->second.second).bind(2, id);
        if (row.step()) values.push_back(row.real(0));
        row.reset();
    }
    return values;
}

std::vector<double> StudyStore::kernel_values(const std::string& key, const std::string& kernel,
                                              const std::string& path) const {
    if (last_read_.first != key) {
        const std::string text = results(key);
        last_read_ = {key, text.empty() ? ordered_json() : ordered_json::parse(text)};
    }
    return kernel_metric(last_read_.second, kernel, path);
}

std::vector<StoredRun> StudyStore::runs() const {
    std::vector<StoredRun> all;
    SqlStatement row(database_, (std::string(kRunColumns) + " ORDER BY key").c_str());
    while (row.step()) all.push_back(run_of(row));
    return all;
}

std::optional<StoredRun> StudyStore::run(const std::string& key) const {
    SqlStatement row(database_, (std::string(kRunColumns) + " WHERE key = ?").c_str());
    row.bind(1, key);
    if (!row.step()) return std::nullopt;
    return run_of(row);
}

std::string StudyStore::results(const std::string& key) const {
    SqlStatement row(database_, "SELECT results FROM runs WHERE key = ?");
    row.bind(1, key);
    return row.step() ? row.text(0) : "";
}

std::int64_t StudyStore::id_of(const std::string& name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    const auto id = static_cast<std::int64_t>(names_.size()) + 1;
    SqlStatement(database_, "INSERT INTO names(id, name) VALUES(?, ?)").bind(1, id).bind(2, name).execute();
    names_[name] = id;
    fitting_.clear();
    return id;
}

/// From the key, so that it does not depend on which point ended first.
std::int64_t StudyStore::new_run_id(const std::string& key) {
    std::int64_t id = std::stoll(key.substr(0, 8), nullptr, 16) & 0x7fffffff;
    SqlStatement taken(database_, "SELECT 1 FROM runs WHERE id = ?");
    for (;; ++id) {
        const bool used = taken.bind(1, id).step();
        taken.reset();
        if (!used) return id;
    }
}

void StudyStore::put_series(std::int64_t run, const ordered_json& series) {
    SqlStatement row(database_, "INSERT OR REPLACE INTO series_values VALUES(?, ?, ?, ?)");
    const ordered_json& edges = series.at("cycles");
    for (const auto& [name, column] : series.at("columns").items()) {
        const std::int64_t id = id_of(name);
        const ordered_json& values = column.at("values");
        for (std::size_t i = 0; i < values.size() && i < edges.size(); ++i)
            row.bind(1, run)
                .bind(2, id)
                .bind(3, edges[i].get<std::int64_t>())
                .bind(4, values[i].get<double>())
                .execute();
    }
}

void StudyStore::put_ratio_series(std::int64_t run, const RatioValues& ratios, const ordered_json& results) {
    SqlStatement row(database_, "INSERT OR REPLACE INTO series_values VALUES(?, ?, ?, ?)");
    const ordered_json& edges = results.at("series").at("cycles");
    for (const OwnedRatio& owned : ratios.all())
        for (const std::string& owner : owned.owners) {
            const std::vector<std::optional<double>> values = ratios.by_interval(owned, owner);
            if (values.empty()) continue;
            const std::int64_t id = id_of(owner.empty() ? owned.ratio.name : owner + "." + owned.ratio.name);
            for (std::size_t i = 0; i < values.size(); ++i)
                if (values[i])
                    row.bind(1, run).bind(2, id).bind(3, edges[i].get<std::int64_t>()).bind(4, *values[i]).execute();
        }
}

void StudyStore::put_tables(std::int64_t run, const PointJob& job, const PointOutcome& outcome) {
    std::vector<std::pair<std::string, ordered_json>> parameters;
    flatten_settings(job.system, "", parameters);
    SqlStatement parameter(database_, "INSERT INTO parameter_values VALUES(?, ?, ?)");
    for (const auto& [path, value] : parameters)
        parameter.bind(1, run).bind(2, id_of(path)).bind(3, label_of(value)).execute();
    if (!outcome.done) return;

    const ordered_json results = ordered_json::parse(outcome.results);
    std::vector<std::pair<std::string, ordered_json>> metrics;
    flatten(results.at("statistics"), "statistics", metrics);
    for (const char* name : {"cycles", "time_ns"}) metrics.emplace_back(name, results.at(name));
    for (const char* name : {"footprint_bytes", "launches", "blocks"})
        metrics.emplace_back(std::string("workload.") + name, results.at("workload").at(name));
    for (const auto& [name, value] : outcome.derived) metrics.emplace_back("derived." + name, value);
    SqlStatement metric(database_, "INSERT INTO metric_values VALUES(?, ?, ?)");
    for (const auto& [path, value] : metrics)
        if (value.is_number()) metric.bind(1, run).bind(2, id_of(path)).bind(3, value.get<double>()).execute();
    put_series(run, results.at("series"));
    put_sections(run, results);
}

/// What results have beside statistics and their series.
void StudyStore::put_sections(std::int64_t run, const ordered_json& results) {
    SqlStatement metric(database_, "INSERT OR REPLACE INTO metric_values VALUES(?, ?, ?)");
    for (const auto& [path, value] : slot_metrics(results))
        if (value.is_number()) metric.bind(1, run).bind(2, id_of(path)).bind(3, value.get<double>()).execute();
    const RatioValues ratios(results);
    for (const auto& [path, value] : ratio_metrics(ratios))
        metric.bind(1, run).bind(2, id_of(path)).bind(3, value).execute();
    put_ratio_series(run, ratios, results);
    if (results.contains("slots")) put_series(run, results.at("slots").at("series"));
    if (results.contains("kernels")) put_kernels(database_, run, results);
}

/// A file of an earlier version has room for one seed of a workload on a configuration.
void StudyStore::widen_points() {
    {
        SqlStatement keyed(database_, "SELECT pk FROM pragma_table_info('points') WHERE name = 'key'");
        if (!keyed.step() || keyed.integer(0) != 0) return;
    }
    SqlTransaction transaction(database_);
    database_.run("ALTER TABLE points RENAME TO narrow_points; "
                  "CREATE TABLE points(figure TEXT, configuration TEXT, workload TEXT, key TEXT, "
                  "PRIMARY KEY(figure, configuration, workload, key)); "
                  "INSERT INTO points SELECT figure, configuration, workload, key FROM narrow_points; "
                  "DROP TABLE narrow_points;");
    transaction.commit();
}

/// A file of an earlier version has results whose sections were not read then.
void StudyStore::complete_sections() {
    if (noted(kSectionsNote) == kSections) return;
    SqlTransaction transaction(database_);
    std::vector<std::int64_t> done;
    {
        SqlStatement row(database_, "SELECT id FROM runs WHERE state = 'done' AND results IS NOT NULL");
        while (row.step()) done.push_back(row.integer(0));
    }
    for (const std::int64_t id : done) { // no statement is open while a table gets columns
        std::string text;
        {
            SqlStatement row(database_, "SELECT results FROM runs WHERE id = ?");
            if (row.bind(1, id).step()) text = row.text(0);
        }
        try {
            put_sections(id, ordered_json::parse(text));
        } catch (const ordered_json::exception&) { // sections of another shape: the run keeps what it has
        }
    }
    note(kSectionsNote, kSections);
    transaction.commit();
}

void StudyStore::record(const PointJob& job, const PointOutcome& outcome) {
    const auto known = names_;
    std::int64_t id = 0;
    try {
        SqlTransaction transaction(database_);
        const auto earlier = states_.find(job.key);
        if (earlier != states_.end()) {
            for (const char* text :
                 {"DELETE FROM runs WHERE id = ?", "DELETE FROM parameter_values WHERE run = ?",
                  "DELETE FROM metric_values WHERE run = ?", "DELETE FROM series_values WHERE run = ?",
                  "DELETE FROM kernels WHERE run = ?", "DELETE FROM streams WHERE run = ?"})
                SqlStatement(database_, text).bind(1, earlier->second.second).execute();
        }
        id = new_run_id(job.key);
        SqlStatement run(database_, "INSERT INTO runs VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        run.bind(1, id).bind(2, job.key).bind(3, job.system_name).bind(4, job.workload_name).bind(5, job.scale);
        if (job.seed) run.bind(6, static_cast<std::int64_t>(*job.seed));
        run.bind(7, model_version()).bind(8, outcome.done ? "done" : "failed").bind(9, outcome.message);
        run.bind(10, outcome.host).bind(11, outcome.wall_s);
        if (outcome.done) run.bind(12, outcome.results);
        run.execute();
        put_tables(id, job, outcome);
        transaction.commit();
    } catch (...) {
        names_ = known; // what the roll-back took away
        fitting_.clear();
        throw;
    }
    states_[job.key] = {outcome.done ? PointState::done : PointState::failed, id};
}

void StudyStore::note_plan(const StudyPlan& plan) {
    SqlTransaction transaction(database_);
    SqlStatement forget(database_, "DELETE FROM points WHERE figure = ?");
    SqlStatement put(database_, "INSERT OR REPLACE INTO points VALUES(?, ?, ?, ?)");
    for (const PlannedFigure& figure : plan.figures) {
        if (!figure.figure->shown) continue;
        const std::string& name = figure.figure->file.name;
        forget.bind(1, name).execute();
        for (const StudyCell& cell : figure.cells)
            put.bind(1, name)
                .bind(2, cell.configuration)
                .bind(3, cell.workload)
                .bind(4, plan.points[cell.point]->key)
                .execute();
    }
    transaction.commit();
}

void StudyStore::note(const std::string& name, const std::string& value) {
    SqlStatement(database_, "INSERT OR REPLACE INTO info VALUES(?, ?)").bind(1, name).bind(2, value).execute();
}

std::string StudyStore::noted(const std::string& name) const {
    SqlStatement row(database_, "SELECT value FROM info WHERE key = ?");
    row.bind(1, name);
    return row.step() ? row.text(0) : "";
}

} // namespace numavp
