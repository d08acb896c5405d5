#include "platform/study/study_rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/study/study_metrics.h"

namespace numavp {
namespace {

/// Makes the rows of one metric on one configuration.
class Rows {
  public:
    Rows(const StudyPlan& plan, const PlannedFigure& figure, const PointResults& results)
        : plan_(plan), figure_(figure), file_(figure.figure->file), results_(results) {}

    void add(const StudyMetric& metric, const std::string& configuration) {
        metric_ = &metric;
        configuration_ = configuration;
        values_ = values_on(configuration);
        add_means();
        for (const StudyPaper& paper : file_.paper)
            if (is_here(paper) && (paper.of == PaperOf::max || paper.of == PaperOf::min)) add_extreme(paper);
        for (const auto& [workload, value] : values_) add_workload(workload, value);
    }
    std::vector<StudyRow> take() { return std::move(rows_); }

  private:
    using Values = std::vector<std::pair<std::string, double>>;

    Values values_on(const std::string& configuration) const {
        Values values;
        for (const std::string& workload : figure_.workloads)
            if (const auto value = metric_value(figure_, plan_, *metric_, configuration, workload, results_))
                values.emplace_back(workload, *value);
        return values;
    }
    bool is_here(const StudyPaper& paper) const {
        return paper.metric == metric_->name && paper.configuration == configuration_;
    }
    StudyRow row() const {
        StudyRow row;
        row.figure = file_.figure.empty() ? file_.name : file_.figure;
        row.figure_name = file_.name;
        row.section = file_.section;
        row.metric = metric_->name;
        row.configuration = configuration_;
        row.unit = metric_->unit;
        return row;
    }
    void put(StudyRow row, const StudyPaper* paper) {
        if (paper != nullptr) {
            row.paper = paper->value;
            row.says = paper->says;
            if (!paper->section.empty()) row.section = paper->section;
        }
        if (row.paper && row.measured && *row.paper != 0.0) row.difference = *row.measured / *row.paper - 1.0;
        rows_.push_back(std::move(row));
    }
    static std::vector<double> numbers(const Values& values) {
        std::vector<double> plain;
        for (const auto& [workload, value] : values) plain.push_back(value);
        return plain;
    }

    /// Those of `values` whose workloads `others` has too.
    static Values common(const Values& values, const Values& others) {
        Values both;
        for (const auto& value : values)
            if (std::any_of(others.begin(), others.end(), [&](const auto& o) { return o.first == value.first; }))
                both.push_back(value);
        return both;
    }

    void add_mean_pair(const StudyPaper* paper) {
        const bool quotient = paper != nullptr && !paper->over.empty();
        const Values others = quotient ? values_on(paper->over) : Values();
        // Both means are over the same workloads, those that have a value on both.
        const std::vector<double> plain = numbers(quotient ? common(values_, others) : values_);
        const std::vector<double> below = numbers(common(others, values_));
        for (const auto& [name, mean] :
             {std::pair{"arithmetic", &arithmetic_mean}, std::pair{"geometric", &geometric_mean}}) {
            if (*name == 'g' && metric_->above.value) continue; // a share has no geometric mean
            StudyRow next = row();
            next.mean = name;
            next.workloads = plain.size();
            next.measured = mean(plain);
            if (quotient) {
                next.over = paper->over;
                const std::optional<double> divisor = mean(below);
                next.measured = next.measured && divisor && *divisor != 0.0
                                    ? std::optional<double>(*next.measured / *divisor)
                                    : std::nullopt;
            }
            put(std::move(next), paper);
        }
    }

    void add_means() {
        bool plain = false;
        for (const StudyPaper& paper : file_.paper) {
            if (!is_here(paper) || paper.of != PaperOf::mean) continue;
            plain = plain || paper.over.empty();
            add_mean_pair(&paper);
        }
        if (!plain) add_mean_pair(nullptr);
    }

    void add_extreme(const StudyPaper& paper) {
        const auto by_value = [](const auto& a, const auto& b) { return a.second < b.second; };
        StudyRow next = row();
        next.mean = std::string(kPaperOfs.name(paper.of));
        next.workloads = values_.size();
        if (!values_.empty()) {
            const auto found = paper.of == PaperOf::max ? std::max_element(values_.begin(), values_.end(), by_value)
                                                        : std::min_element(values_.begin(), values_.end(), by_value);
            next.workload = found->first;
            next.measured = found->second;
        }
        put(std::move(next), &paper);
    }

    void add_workload(const std::string& workload, double value) {
        StudyRow next = row();
        next.workload = workload;
        next.workloads = 1;
        next.measured = value;
        const StudyPaper* said = nullptr;
        for (const StudyPaper& paper : file_.paper)
            if (is_here(paper) && paper.of == PaperOf::workload && paper.workload == workload) said = &paper;
        put(std::move(next), said);
    }

    const StudyPlan& plan_;
    const PlannedFigure& figure_;
    const StudyFile& file_;
    const PointResults& results_;
    const StudyMetric* metric_ = nullptr;
    std::string configuration_;
    Values values_;
    std::vector<StudyRow> rows_;
};

ordered_json json_of(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); }
std::string csv_of(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

} // namespace

std::vector<StudyRow> figure_rows(const StudyPlan& plan, const PlannedFigure& figure, const PointResults& results) {
    Rows rows(plan, figure, results);
    for (const StudyMetric& metric : figure.figure->file.metrics)
        for (const std::string& configuration : figure.configurations)
            if (metric.configurations.given ? metric.configurations.has(configuration)
                                            : configuration != baseline_of(figure.figure->file, metric))
                rows.add(metric, configuration);
    return rows.take();
}

std::vector<StudyRow> study_rows(const StudyPlan& plan, const PointResults& results) {
    std::vector<StudyRow> all;
    for (const PlannedFigure& figure : plan.figures) {
        if (!figure.figure->shown) continue;
        std::vector<StudyRow> rows = figure_rows(plan, figure, results);
        all.insert(all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    }
    return all;
}

ordered_json rows_json(const std::vector<StudyRow>& rows) {
    ordered_json all = ordered_json::array();
    for (const StudyRow& row : rows)
        all.push_back({{"figure", row.figure},
                       {"section", row.section},
                       {"metric", row.metric},
                       {"configuration", row.configuration},
                       {"over", row.over},
                       {"mean", row.mean},
                       {"workload", row.workload},
                       {"workloads", row.workloads},
                       {"unit", row.unit},
                       {"paper", json_of(row.paper)},
                       {"measured", json_of(row.measured)},
                       {"difference", json_of(row.difference)},
                       {"says", row.says}});
    return all;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string rows_csv(const std::vector<StudyRow>& rows) {
    std::string text =
        "figure,section,metric,configuration,over,mean,workload,workloads,unit,paper,measured,difference,says\n";
    for (const StudyRow& row : rows) {
        for (const std::string& field :
             {row.figure, row.section, row.metric, row.configuration, row.over, row.mean, row.workload,
              std::to_string(row.workloads), row.unit, csv_of(row.paper), csv_of(row.measured), csv_of(row.difference)})
            text += csv_field(field) + ",";
        text += csv_field(row.says) + "\n";
    }
    return text;
}

} // namespace numavp
