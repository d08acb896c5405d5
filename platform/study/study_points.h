/// Turns studies into points. A point is one run of one workload on one resolved system, and has a key.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/study/study_workloads.h"

namespace numavp {

/// A run to be made, with all its input: files may change after it was planned.
struct PointJob {
    std::string key; ///< of resolved system, workload, scale, seed and program: equal keys, equal results
    std::string system_name, workload_name;
    std::string shown_system; ///< with the label that a figure gives it; for people, not stored
    ordered_json system;      ///< resolved, all settings
    std::string workload_path;
    json workload; ///< null for a trace
    double scale = 1.0;
    std::optional<std::uint64_t> seed; ///< none for a trace
    double time_limit_s = 0.0;         ///< the largest of the figures that share it
    bool names_only = false;           ///< nothing is run: the names of the numbers that its results would have
};

/// Text form of a job, sent to the process that runs it; and its inverse.
std::string job_text(const PointJob& job);
PointJob job_of(const std::string& text);

/// The place of a point in a figure.
struct StudyCell {
    std::string configuration, workload;
    std::size_t point = 0; ///< index into StudyPlan::points
    std::size_t seed = 0;  ///< index into the figure's seeds
};
struct PlannedFigure {
    const StudyFigure* figure = nullptr;
    double scale = 1.0; ///< of its workloads; traces have none
    std::vector<std::string> configurations;
    std::vector<std::string> workloads; ///< selected; in the order of the file
    std::vector<std::string> left_out;  ///< by the rule
    std::vector<std::string> undecided; ///< the rule needs points that failed
    bool waiting = false;               ///< the rule needs points that have not run: no cells yet
    std::vector<StudyCell> cells;

    /// The cell of a workload on a configuration; null if the figure has none. `seed` is an index.
    const StudyCell* cell(const std::string& configuration, const std::string& workload, std::size_t seed = 0) const;
    std::size_t seeds() const; ///< 1 if the figure names none
};
struct StudyPlan {
    std::vector<std::shared_ptr<const PointJob>> points; ///< each key once; never null
    std::vector<PlannedFigure> figures;                  ///< as in the study
    std::vector<bool> decisive;                          ///< by point: a selection depends on it

    /// True if a selection needs points that have not run.
    bool waiting() const;
};

/// State of a point in the results file.
enum class PointState : std::uint8_t { missing, done, failed };
class PointResults {
  public:
    virtual ~PointResults() = default;
    virtual PointState state(const std::string& key) const = 0;
    /// Values that a metric's path finds in the results of a point; empty if there are none or it is not done.
    virtual std::vector<double> values(const std::string& key, const std::string& path) const = 0;
    /// The same of all launches of a kernel that ran alone, for the paths of kernel_metrics.h.
    virtual std::vector<double> kernel_values(const std::string& key, const std::string& kernel,
                                              const std::string& path) const = 0;
};

/// State of a workload on a configuration: done if it is with every seed, missing if it is with one. None without a
/// cell.
std::optional<PointState> cell_state(const PlannedFigure& figure, const StudyPlan& plan, const PointResults& results,
                                     const std::string& configuration, const std::string& workload);

/// Reads the systems and workloads of a study once, and then makes a new plan whenever results have come in.
class StudyPlanner {
  public:
    /// `scale` is a number, "small", or "own" or "" for that of each figure. ConfigError for a setting that does not
    /// exist, or a system or workload that is not found.
    StudyPlanner(const Study& study, const std::string& scale);

    /// Plans all points that can be determined; selections are made from the results so far.
    StudyPlan plan(const PointResults& results) const;

    const Study& study() const { return study_; }
    /// The systems of a figure, resolved, in the order of its configurations.
    std::vector<ordered_json> systems(std::size_t figure) const;
    /// Jobs of a figure's workloads on its first configuration.
    std::vector<std::shared_ptr<const PointJob>> workloads(std::size_t figure) const;

  private:
    struct Resolved {
        std::string label, name, shown, text; ///< text: canonical, without name and description
        ordered_json system;
    };
    struct Loaded {
        double scale = 1.0;
        std::vector<std::string> configurations, workloads;
        std::size_t seeds = 1;
        /// A configuration's workloads side by side, and the seeds of a workload.
        std::vector<std::shared_ptr<const PointJob>> jobs;
        const std::shared_ptr<const PointJob>& job(std::size_t configuration, std::size_t workload,
                                                   std::size_t seed) const {
            return jobs[(configuration * workloads.size() + workload) * seeds + seed];
        }
    };
    static std::vector<Resolved> resolve(const StudyFigure& figure);
    /// Adds the cells of a figure's workloads on the configurations that it needs.
    void add_cells(StudyPlan& plan, std::map<std::string, std::size_t>& known, std::size_t figure) const;
    static PointJob make_job(const StudyFigure& figure, double scale, const Resolved& configuration,
                             const StudyWorkload& workload, std::size_t seed);
    void select(StudyPlan& plan, std::size_t figure, const PointResults& results) const;
    /// Configurations of a figure on which selections of other figures depend.
    std::vector<std::string> deciding(const StudyFile& file) const;

    const Study& study_;
    std::vector<Loaded> loaded_; ///< as the study's figures
};

} // namespace numavp
