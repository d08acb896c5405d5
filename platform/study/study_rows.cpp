#include "platform/study/study_rows.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "platform/study/study_metrics.h"
#include "platform/study/study_verdict.h"

namespace numavp {
namespace {

bool has_name(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Makes the rows of a figure, metric by metric. A number of the paper is a row whether or not there is a measured one.
class Rows {
  public:
    Rows(const StudyPlan& plan, const PlannedFigure& figure, const PointResults& results)
        : plan_(plan), figure_(figure), file_(figure.figure->file), results_(results) {
        std::map<std::pair<std::string, std::string>, std::set<std::size_t>> points;
        for (const StudyCell& cell : figure.cells) points[{cell.workload, cell.configuration}].insert(cell.point);
        for (const auto& [where, distinct] : points) {
            std::size_t& most = seeds_[where.first];
            most = std::max(most, distinct.size());
        }
    }

    void add(const StudyMetric& metric) {
        metric_ = &metric;
        for (const std::string& configuration : figure_.configurations)
            if (measures(file_, metric, configuration)) add(configuration);
        for (const StudyPaper& paper : file_.paper)
            if (paper.metric == metric.name && paper.configurations.given) add_best(paper);
    }
    std::vector<StudyRow> take() { return std::move(rows_); }

  private:
    using Values = std::vector<std::pair<std::string, double>>;

    void add(const std::string& configuration) {
        configuration_ = configuration;
        judged_ = {configuration};
        values_ = values_on(*metric_, configuration);
        by_seed_ = values_by_seed();
        add_means();
        for (const StudyPaper& paper : file_.paper)
            if (is_here(paper) && (paper.of == PaperOf::max || paper.of == PaperOf::min)) add_extreme(paper);
        for (const StudyPaper& paper : file_.paper)
            if (is_here(paper) && paper.of == PaperOf::harmonic) add_mean(paper, &harmonic_mean);
        for (const StudyPaper& paper : file_.paper)
            if (is_here(paper) && paper.of == PaperOf::geometric) add_mean(paper, &geometric_mean);
        for (std::size_t i = 0; i < values_.size(); ++i) add_workload(i);
        for (const StudyPaper& paper : file_.paper)
            if (is_here(paper) && paper.of == PaperOf::workload && !has_value(paper.workload))
                put(workload_row(paper.workload), &paper);
    }
    Values values_on(const StudyMetric& metric, const std::string& configuration) const {
        Values values;
        for (const std::string& workload : figure_.workloads)
            if (const auto value = metric_value(figure_, plan_, metric, configuration, workload, results_))
                values.emplace_back(workload, *value);
        return values;
    }
    /// Seeds with which a workload runs: a trace runs once.
    std::size_t seeds_of(const std::string& workload) const {
        const auto found = seeds_.find(workload);
        return found == seeds_.end() ? figure_.seeds() : found->second;
    }
    /// The most of the workloads that `values_` has.
    std::size_t seeds_of_values() const {
        std::size_t most = values_.empty() ? figure_.seeds() : 1;
        for (const auto& [workload, value] : values_) most = std::max(most, seeds_of(workload));
        return most;
    }
    /// For each seed the values of the workloads that `values_` has, in its order; empty if each ran once.
    std::vector<std::vector<double>> values_by_seed() const {
        if (seeds_of_values() < 2) return {};
        std::vector<std::vector<double>> by_seed(figure_.seeds());
        for (const auto& [workload, value] : values_) {
            const auto of_seeds = metric_values(figure_, plan_, *metric_, configuration_, workload, results_);
            for (std::size_t seed = 0; seed < of_seeds.size(); ++seed) by_seed[seed].push_back(of_seeds[seed]);
        }
        return by_seed;
    }
    /// `mean` of the values; with several seeds the mean over the seeds of each one's, which lies between the least and
    /// the largest of them.
    template <class F> std::optional<double> mean_of_values(const F& mean) const {
        if (by_seed_.empty()) return mean(numbers(values_));
        std::vector<double> means;
        for (const std::vector<double>& values : by_seed_) {
            const std::optional<double> value = mean(values);
            if (!value) return std::nullopt;
            means.push_back(*value);
        }
        return arithmetic_mean(means);
    }
    /// Least and largest over the seeds of `value_of` of a seed's values; none of a row without a value.
    template <class F> void put_spread(StudyRow& row, const F& value_of) const {
        if (!row.measured) return;
        for (const std::vector<double>& values : by_seed_) {
            const std::optional<double> value = value_of(values);
            if (!value) continue;
            row.least = std::min(row.least.value_or(*value), *value);
            row.most = std::max(row.most.value_or(*value), *value);
        }
    }
    bool has_value(const std::string& workload) const {
        return std::any_of(values_.begin(), values_.end(), [&](const auto& v) { return v.first == workload; });
    }
    bool is_here(const StudyPaper& paper) const {
        return paper.metric == metric_->name && paper.configuration == configuration_;
    }
    StudyRow row() const {
        StudyRow row;
        row.figure = file_.figure.empty() ? file_.name : file_.figure;
        row.name = file_.name;
        row.section = file_.section;
        row.metric = metric_->name;
        row.configuration = configuration_;
        row.unit = metric_->unit;
        row.scale = figure_.scale;
        row.seeds = seeds_of_values();
        return row;
    }
    StudyRow workload_row(const std::string& workload) const {
        StudyRow next = row();
        next.workload = workload;
        next.seeds = seeds_of(workload);
        if (const StudyCell* cell = figure_.cell(configuration_, workload))
            next.scale = plan_.points[cell->point]->scale;
        next.workloads = has_value(workload) ? 1 : 0;
        return next;
    }
    void put(StudyRow row, const StudyPaper* paper) {
        if (paper != nullptr) {
            row.paper = paper->value.value;
            row.above = paper->above.value;
            row.below = paper->below.value;
            row.says = paper->says;
            row.kind = kind_of(*paper);
            // One verdict a claim: where the paper does not say so, its means are arithmetic.
            const bool ratio =
                !metric_->above.value && (metric_->relation != MetricRelation::none || !row.over.empty());
            if (row.mean != "geometric" || paper->of == PaperOf::geometric)
                row.verdict = verdict_of(*paper, ratio, row.measured);
            if (!row.mean.empty() && row.measured) judge_only_all(row, *paper);
            if (!paper->section.empty()) row.section = paper->section;
        }
        if (row.paper && row.measured && *row.paper != 0.0) row.difference = *row.measured / *row.paper - 1.0;
        if (!row.measured && row.reason.empty()) row.reason = row.workload.empty() ? why_none() : why_not(row.workload);
        rows_.push_back(std::move(row));
    }
    /// A number of all workloads has no verdict while points of some are missing: those that fail are mostly the
    /// largest.
    void judge_only_all(StudyRow& row, const StudyPaper& paper) const {
        if (row.verdict.empty()) return;
        std::size_t missing = figure_.undecided.size();
        std::string first = missing == 0 ? "" : figure_.undecided[0] + ": the figure's rule needs a point that failed";
        std::vector<std::string> labels = {paper.over, baseline_of(file_, *metric_)};
        if (!paper.over_metric.empty()) labels.push_back(baseline_of(file_, divisor_metric(paper)));
        labels.insert(labels.end(), judged_.begin(), judged_.end());
        for (const std::string& workload : figure_.workloads)
            for (const std::string& label : labels) {
                const auto state = cell_state(figure_, plan_, results_, label, workload);
                if (!state || *state == PointState::done) continue;
                if (++missing == 1)
                    first = fmt::format("{}: the point on {} {}", workload, label,
                                        state == PointState::failed ? "failed" : "has not run");
                break;
            }
        if (missing == 0 && !figure_.waiting) return;
        row.verdict = "open";
        row.reason = missing == 0 ? "the figure's rule waits for points"
                                  : fmt::format("{} of {} workloads are missing, {}", missing,
                                                figure_.workloads.size() + figure_.undecided.size(), first);
    }
    static std::vector<double> numbers(const Values& values) {
        std::vector<double> plain;
        for (const auto& [workload, value] : values) plain.push_back(value);
        return plain;
    }

    /// Why a workload has no value here.
    std::string why_not(const std::string& workload) const {
        if (has_name(figure_.left_out, workload)) return "the figure's rule leaves the workload out";
        if (has_name(figure_.undecided, workload)) return "the figure's rule needs a point that failed";
        if (!has_name(figure_.workloads, workload)) return "the figure's rule waits for points";
        for (const std::string& label : {configuration_, baseline_of(file_, *metric_)}) {
            const auto state = cell_state(figure_, plan_, results_, label, workload);
            if (!state || *state == PointState::done) continue;
            return fmt::format("the point on {} {}", label, state == PointState::failed ? "failed" : "has not run");
        }
        return "its run has no such value";
    }
    /// Why no workload has one.
    std::string why_none() const {
        if (figure_.workloads.empty())
            return figure_.waiting ? "the figure's rule waits for points" : "the figure's rule leaves no workload";
        return fmt::format("no workload has a value; of {}, {}", figure_.workloads[0], why_not(figure_.workloads[0]));
    }

    /// Those of `values` whose workloads `others` has too.
    static Values common(const Values& values, const Values& others) {
        Values both;
        for (const auto& value : values)
            if (std::any_of(others.begin(), others.end(), [&](const auto& o) { return o.first == value.first; }))
                both.push_back(value);
        return both;
    }

    const StudyMetric& divisor_metric(const StudyPaper& paper) const {
        return paper.over_metric.empty() ? *metric_ : *find_metric(file_, paper.over_metric);
    }
    /// What the values of a quotient are divided by; empty if it is none.
    Values divisors(const StudyPaper& paper) const {
        if (!paper.is_quotient()) return {};
        return values_on(divisor_metric(paper), paper.over.empty() ? configuration_ : paper.over);
    }
    /// The divisor as rows name it.
    static std::string over_of(const StudyPaper& paper) {
        if (paper.over_metric.empty()) return paper.over;
        return paper.over.empty() ? paper.over_metric : fmt::format("{}, {}", paper.over_metric, paper.over);
    }

    void add_mean_pair(const StudyPaper* paper) {
        const bool quotient = paper != nullptr && paper->is_quotient();
        const Values others = quotient ? divisors(*paper) : Values();
        // Both means are over the same workloads, those that have a value on both.
        const std::vector<double> plain = numbers(quotient ? common(values_, others) : values_);
        const std::vector<double> below = numbers(common(others, values_));
        for (const auto& [name, mean] :
             {std::pair{"arithmetic", &arithmetic_mean}, std::pair{"geometric", &geometric_mean}}) {
            if (*name == 'g' && metric_->above.value) continue; // a share has no geometric mean
            StudyRow next = row();
            next.mean = name;
            next.workloads = plain.size();
            next.measured = quotient ? mean(plain) : mean_of_values(mean);
            if (!quotient) put_spread(next, mean);
            if (quotient) {
                next.over = over_of(*paper);
                const std::optional<double> divisor = mean(below);
                next.measured = next.measured && divisor && *divisor != 0.0
                                    ? std::optional<double>(*next.measured / *divisor)
                                    : std::nullopt;
            }
            if (!next.measured && !values_.empty())
                next.reason = plain.empty()  ? "no workload has a value on both"
                              : *name == 'g' ? "not all values are positive"
                                             : "the mean that it is divided by is 0";
            put(std::move(next), paper);
        }
    }

    void add_means() {
        bool plain = false;
        for (const StudyPaper& paper : file_.paper) {
            if (!is_here(paper) || paper.of != PaperOf::mean) continue;
            plain = plain || !paper.is_quotient();
            add_mean_pair(&paper);
        }
        if (!plain) add_mean_pair(nullptr);
    }

    /// Of `values`; null if there are none.
    static const std::pair<std::string, double>* extreme_of(const Values& values, PaperOf which) {
        const auto by_value = [](const auto& a, const auto& b) { return a.second < b.second; };
        if (values.empty()) return nullptr;
        return &*(which == PaperOf::max ? std::max_element(values.begin(), values.end(), by_value)
                                        : std::min_element(values.begin(), values.end(), by_value));
    }
    /// A mean of another kind than the pair's, with a row of its own.
    void add_mean(const StudyPaper& paper, std::optional<double> (*mean)(const std::vector<double>&)) {
        const Values others = divisors(paper);
        const std::vector<double> above = numbers(paper.is_quotient() ? common(values_, others) : values_);
        StudyRow next = row();
        next.mean = std::string(kPaperOfs.name(paper.of));
        next.over = over_of(paper);
        next.workloads = above.size();
        next.measured = paper.is_quotient() ? mean(above) : mean_of_values(mean);
        if (!paper.is_quotient()) put_spread(next, mean);
        if (paper.is_quotient()) {
            const std::optional<double> divisor = mean(numbers(common(others, values_)));
            next.measured = next.measured && divisor ? std::optional<double>(*next.measured / *divisor) : std::nullopt;
        }
        if (!next.measured && !values_.empty())
            next.reason = above.empty() ? "no workload has a value on both" : "not all values are positive";
        put(std::move(next), &paper);
    }

    void add_extreme(const StudyPaper& paper) {
        StudyRow next = row();
        next.mean = std::string(kPaperOfs.name(paper.of));
        next.workloads = values_.size();
        if (const auto* extreme = extreme_of(values_, paper.of)) {
            next.workload = extreme->first;
            next.seeds = seeds_of(extreme->first);
            next.measured = extreme->second;
        }
        put(std::move(next), &paper);
    }
    /// The extreme of several configurations: the row is that one's which has it.
    void add_best(const StudyPaper& paper) {
        const std::vector<std::string>& all = paper.configurations.words;
        configuration_ = all[0];
        judged_ = all;
        std::optional<double> best;
        for (const std::string& configuration : all) {
            const Values values = values_on(*metric_, configuration);
            const auto* extreme = extreme_of(values, paper.of);
            if (extreme == nullptr) continue;
            if (best && (paper.of == PaperOf::max ? extreme->second <= *best : extreme->second >= *best)) continue;
            best = extreme->second;
            configuration_ = configuration;
        }
        values_ = values_on(*metric_, configuration_);
        add_extreme(paper);
    }

    void add_workload(std::size_t index) {
        const auto& [workload, value] = values_[index];
        bool said = false;
        StudyRow next = workload_row(workload);
        next.measured = value;
        if (next.seeds > 1)
            put_spread(next,
                       [index](const std::vector<double>& values) { return std::optional<double>(values[index]); });
        for (const StudyPaper& paper : file_.paper) {
            if (!is_here(paper) || paper.of != PaperOf::workload || paper.workload != workload) continue;
            put(next, &paper);
            said = true;
        }
        if (!said) put(std::move(next), nullptr);
    }

    const StudyPlan& plan_;
    const PlannedFigure& figure_;
    const StudyFile& file_;
    const PointResults& results_;
    const StudyMetric* metric_ = nullptr;
    std::string configuration_;
    std::vector<std::string> judged_; ///< configurations on which a row depends
    Values values_;
    std::vector<std::vector<double>> by_seed_;
    std::vector<StudyRow> rows_;
    std::map<std::string, std::size_t> seeds_; ///< by workload
};

} // namespace

std::vector<StudyRow> figure_rows(const StudyPlan& plan, const PlannedFigure& figure, const PointResults& results) {
    Rows rows(plan, figure, results);
    for (const StudyMetric& metric : figure.figure->file.metrics) rows.add(metric);
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

} // namespace numavp
