/// Studies as files: systems, workloads that run on them, metrics, and the paper's numbers for these.
///
/// A file is a figure: systems crossed with axes and workloads, metrics relative to a baseline, the paper's numbers. A
/// study is a file or a folder of files; figures of a folder share results and may use each other's selections.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "platform/study/study_values.h"

namespace numavp {

/// Relation of a metric's value to that of the same workload on the baseline.
enum class MetricRelation : std::uint8_t { none, ratio, speedup };
/// Reduction of several values that a path with * finds.
enum class MetricReduce : std::uint8_t { sum, mean, min, max, spread };
/// The reduction over workloads that a number of the paper gives.
enum class PaperOf : std::uint8_t { mean, harmonic, geometric, max, min, workload };

inline constexpr NameTable<MetricRelation> kMetricRelations{
    "relation",
    {{MetricRelation::none, "none", "the value itself"},
     {MetricRelation::ratio, "ratio", "over the baseline's value"},
     {MetricRelation::speedup, "speedup", "the baseline's value over this: for times"}}};
inline constexpr NameTable<MetricReduce> kMetricReduces{
    "reduction",
    {{MetricReduce::sum, "sum", "their sum"},
     {MetricReduce::mean, "mean", "their arithmetic mean"},
     {MetricReduce::min, "min", "the smallest"},
     {MetricReduce::max, "max", "the largest"},
     {MetricReduce::spread, "spread", "the largest over the smallest"}}};
inline constexpr NameTable<PaperOf> kPaperOfs{"scope",
                                              {{PaperOf::mean, "mean", "of the selected workloads' mean"},
                                               {PaperOf::harmonic, "harmonic", "of their harmonic mean"},
                                               {PaperOf::geometric, "geometric", "of their geometric mean"},
                                               {PaperOf::max, "max", "of the largest"},
                                               {PaperOf::min, "min", "of the smallest"},
                                               {PaperOf::workload, "workload", "of one workload"}}};

/// A named base system with its own settings.
struct StudySystem {
    std::string label, system, description;
    SettingMap set;
    WordList axes;
};
struct StudyVariant {
    std::string label;
    SettingMap set;
};
/// One dimension: values of a setting, or labelled groups of settings.
struct StudyAxis {
    std::string name, path;
    ValueList values;
    std::vector<StudyVariant> variants;
    void validate(const Place& place) const;
};
struct StudyMetric {
    std::string name, path = "time_ns", per, baseline, baseline_path, unit, description;
    std::string kernel; ///< all launches of this name, in the place of the run
    MetricReduce reduce = MetricReduce::sum;
    MetricRelation relation = MetricRelation::none;
    double factor = 1.0;
    OptionalReal above;
    WordList configurations;
};
/// A number that the paper's text or tables give, or a bound that represents a statement in words.
struct StudyPaper {
    std::string metric, configuration, over, over_metric, workload, section, says;
    WordList configurations; ///< instead of one: the largest or smallest of all of them
    PaperOf of = PaperOf::mean;
    OptionalReal value, above, below;
    bool input = false, derived = false, again = false;
    bool is_mean() const { return of == PaperOf::mean || of == PaperOf::harmonic || of == PaperOf::geometric; }
    bool is_quotient() const { return !over.empty() || !over_metric.empty(); }
    void validate(const Place& place) const;
};
/// Workloads for which a metric of this figure lies within bounds.
struct StudyRule {
    std::string name, metric, configuration, description;
    OptionalReal below, from;
    void validate(const Place& place) const;
};
/// A rule of this or another figure.
struct RuleReference {
    std::string figure, rule;
};

struct StudyFile {
    std::string name, title, figure, section, description, baseline;
    WordList workloads;
    RuleReference select;
    double scale = 1.0, small_scale = 0.1, time_limit_s = 3600.0;
    std::uint64_t instructions = 0;
    SettingMap scales;                ///< of single workloads
    std::vector<std::uint64_t> seeds; ///< each point runs with each; empty: those of the workloads
    SettingMap set;
    std::vector<StudySystem> systems;
    std::vector<StudyAxis> axes;
    std::vector<StudyMetric> metrics;
    std::vector<StudyRule> rules;
    std::vector<StudyPaper> paper;

    /// Checks conditions across fields; labels that are used must exist.
    void validate(const Place& place) const;
};

/// A configuration of a figure: a system with a value of each of its axes.
struct StudyCombination {
    std::string label;                              ///< "lanes / 5000"
    std::size_t system;                             ///< index
    std::vector<std::pair<std::string, json>> axes; ///< name, and the value or the variant's label
    /// Settings in the order in which they hold, each with its JSON path in the study.
    std::vector<std::pair<std::pair<std::string, json>, std::string>> settings;
};
/// All configurations of a figure, system by system, the last axis fastest.
std::vector<StudyCombination> combinations(const StudyFile& file);

/// A figure as read.
struct StudyFigure {
    StudyFile file;
    std::string path;
    bool shown = true; ///< false: only there because another's selection needs it
};
struct Study {
    std::string name;
    std::string path;
    std::vector<StudyFigure> figures; ///< in natural order of their names

    const StudyFigure* find(const std::string& name) const;
};

/// Reads a file or a folder, with the figures that selections refer to. `only` names the figures to be shown; empty:
/// all. ConfigError with file and JSON path.
Study load_study(const std::string& path, const std::vector<std::string>& only = {});

ordered_json study_schema();

} // namespace numavp

#include "platform/study/study_fields.h"
