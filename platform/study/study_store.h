/// The results of a study: one SQLite file. A point is in it completely or not at all. docs/use/STUDIES.md has its
/// tables.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/files/file_lock.h"
#include "common/files/sql.h"
#include "platform/study/study_points.h"

namespace numavp {

class RatioValues;

inline constexpr int kStoreFormat = 1;

/// Outcome of a point's run.
struct PointOutcome {
    bool done = false;
    std::string message;                                 ///< why it failed
    std::string results;                                 ///< results.json, byte by byte
    std::vector<std::pair<std::string, double>> derived; ///< metrics that are not in results.json
    double wall_s = 0.0;                                 ///< of the whole run
    double shared_s = 0.0; ///< of these: of a beginning that was simulated once for several points
    std::string host;
};

/// A run as it is stored, without its tables.
struct StoredRun {
    std::string key, system, workload, version, message, host;
    double scale = 1.0, wall_s = 0.0;
    bool done = false;
};

class StudyStore final : public PointResults {
  public:
    enum class Access { read, write };
    /// Writers take the lock and create the file if it does not exist. ConfigError if it is no results file, if another
    /// writer has the lock, or, for readers, if it does not exist.
    StudyStore(const std::string& path, Access access);

    PointState state(const std::string& key) const override;
    std::vector<double> values(const std::string& key, const std::string& path) const override;
    std::vector<double> kernel_values(const std::string& key, const std::string& kernel,
                                      const std::string& path) const override;
    /// All runs, of all versions, by key.
    std::vector<StoredRun> runs() const;
    std::optional<StoredRun> run(const std::string& key) const;
    /// Text of a point's results.json; "" if it is not done.
    std::string results(const std::string& key) const;

    /// Records an outcome in one transaction; replaces an earlier failure of the same point.
    void record(const PointJob& job, const PointOutcome& outcome);
    /// Records the place of each point in the figures; replaces what earlier runs recorded for these figures.
    void note_plan(const StudyPlan& plan);
    void note(const std::string& name, const std::string& value);
    std::string noted(const std::string& name) const;

    /// Called twice a second while another program holds the file; may throw to give up.
    void set_patience(std::function<void()> patience) { database_.set_patience(std::move(patience)); }

    const SqlDatabase& database() const { return database_; }

  private:
    std::int64_t id_of(const std::string& name);
    std::int64_t new_run_id(const std::string& key);
    void put_tables(std::int64_t run, const PointJob& job, const PointOutcome& outcome);
    void put_series(std::int64_t run, const ordered_json& series);
    void put_ratio_series(std::int64_t run, const RatioValues& ratios, const ordered_json& results);
    void put_sections(std::int64_t run, const ordered_json& results);
    void complete_sections();
    void widen_points();
    void learn_runs();

    std::unique_ptr<StudyLock> lock_; ///< first: it is held until the file is closed
    SqlDatabase database_;
    std::map<std::string, std::pair<PointState, std::int64_t>> states_;
    std::map<std::string, std::int64_t> names_;
    mutable std::map<std::string, std::vector<std::int64_t>> fitting_; ///< names that a path finds
    mutable std::pair<std::string, ordered_json> last_read_; ///< key and results.json of kernel_values()'s last point
};

/// Lists every scalar of a JSON tree with its dotted path.
void flatten(const ordered_json& value, const std::string& path,
             std::vector<std::pair<std::string, ordered_json>>& out);
/// Settings by the paths that --set takes: elements of lists by name where they have one; a list of numbers is one
/// value.
void flatten_settings(const ordered_json& value, const std::string& path,
                      std::vector<std::pair<std::string, ordered_json>>& out);

} // namespace numavp
