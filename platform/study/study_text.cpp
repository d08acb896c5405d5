#include "platform/study/study_text.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "platform/results/run_key.h"
#include "platform/summary/caveats.h"

namespace numavp {
namespace {

std::string points_text(std::size_t n) { return fmt::format("{} point{}", n, n == 1 ? "" : "s"); }

/// Points of a figure by state; a point that stands twice counts once.
struct PointCount {
    std::size_t points = 0, done = 0, failed = 0;
    void add(PointState state) {
        ++points;
        done += state == PointState::done ? 1 : 0;
        failed += state == PointState::failed ? 1 : 0;
    }
    std::size_t missing() const { return points - done - failed; }
};

PointCount count_of(const PlannedFigure& figure, const StudyPlan& plan, const StudyStore& store) {
    PointCount count;
    std::set<std::size_t> seen;
    for (const StudyCell& cell : figure.cells)
        if (seen.insert(cell.point).second) count.add(store.state(plan.points[cell.point]->key));
    return count;
}

PointCount count_of(const StudyPlan& plan, const StudyStore& store) {
    PointCount count;
    for (const auto& job : plan.points) count.add(store.state(job->key));
    return count;
}

/// Runs in the file that are not of this plan.
std::size_t others(const StudyPlan& plan, const StudyStore& store) {
    std::set<std::string> keys;
    for (const auto& job : plan.points) keys.insert(job->key);
    const std::vector<StoredRun> runs = store.runs();
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [&](const StoredRun& run) { return keys.count(run.key) == 0; }));
}

/// Their systems are called as the figures do.
std::vector<StoredRun> failures(const StudyPlan& plan, const StudyStore& store) {
    std::vector<StoredRun> failed;
    for (const auto& job : plan.points)
        if (store.state(job->key) == PointState::failed)
            if (auto run = store.run(job->key)) {
                run->system = job->shown_system;
                failed.push_back(std::move(*run));
            }
    return failed;
}

std::string number_text(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

std::string percent_text(const std::optional<double>& share) {
    return share ? fmt::format("{:+.1f} %", *share * 100.0) : "-";
}

std::string list_text_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// The paper's number, or the bounds that stand for its words.
std::string paper_text(const StudyRow& row) {
    if (row.paper) return number_text(row.paper);
    std::string text;
    if (row.above) text += "> " + number_text(row.above);
    if (row.below) text += (text.empty() ? "< " : ", < ") + number_text(row.below);
    return text;
}

/// With why nothing is measured, and what is not counted among the paper's claims.
std::string verdict_text(const StudyRow& row) {
    if (row.kind.empty()) return "";
    std::string text = row.verdict;
    if (row.kind != "claim") text += fmt::format("{}({})", text.empty() ? "" : " ", row.kind);
    return row.reason.empty() ? text : text + ": " + row.reason;
}

std::string metric_text(const StudyRow& row) { return row.unit.empty() ? row.metric : row.metric + ", " + row.unit; }

/// Both means of one number stand on one line. What the paper says has columns where it says something.
std::string mean_table(const std::vector<StudyRow>& rows, const Style& style) {
    const bool paper_says = std::any_of(rows.begin(), rows.end(), [](const StudyRow& r) { return !r.kind.empty(); });
    std::vector<std::string> header = {"metric", "configuration", "of", "arithmetic", "geometric"};
    std::vector<bool> left = {true, true, true, false, false};
    if (paper_says) {
        for (const char* title : {"paper", "difference", "by geometric", "verdict"}) header.emplace_back(title);
        left.insert(left.end(), {false, false, false, true});
    } else if (std::any_of(rows.begin(), rows.end(),
                           [](const StudyRow& r) { return r.mean == "arithmetic" && !r.reason.empty(); })) {
        header.emplace_back("not measured, since");
        left.push_back(true);
    }
    TextTable table(header, left);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const StudyRow& row = rows[i];
        if (row.mean.empty()) continue;
        const std::string what = row.over.empty() ? row.configuration : row.configuration + ", over " + row.over;
        const std::string paper = paper_text(row);
        if (row.mean != "arithmetic") {
            table.row({metric_text(row), what, row.mean + " " + row.workload, number_text(row.measured), "", paper,
                       row.paper ? percent_text(row.difference) : "", "", verdict_text(row)});
            continue;
        }
        const bool pair = i + 1 < rows.size() && rows[i + 1].mean == "geometric";
        const std::string of = fmt::format("{} workload{}", row.workloads, row.workloads == 1 ? "" : "s");
        const std::string geometric = pair ? number_text(rows[i + 1].measured) : "";
        if (paper_says)
            table.row({metric_text(row), what, of, number_text(row.measured), geometric, paper,
                       row.paper ? percent_text(row.difference) : "",
                       row.paper && pair ? percent_text(rows[i + 1].difference) : "", verdict_text(row)});
        else
            table.row({metric_text(row), what, of, number_text(row.measured), geometric, row.reason});
        i += pair ? 1 : 0;
    }
    return table.text(style);
}

/// Of each workload, or of those alone about which the paper says something.
std::string workload_table(const std::vector<StudyRow>& rows, bool all, const Style& style) {
    std::vector<std::string> header = {"workload", "metric", "configuration", "measured"};
    if (std::any_of(rows.begin(), rows.end(), [](const StudyRow& r) { return !r.kind.empty(); }))
        for (const char* title : {"paper", "difference", "verdict"}) header.emplace_back(title);
    TextTable table(header, {true, true, true, false, false, false, true});
    for (const StudyRow& row : rows)
        if (row.mean.empty() && (all || !row.verdict.empty()))
            table.row({row.workload, metric_text(row), row.configuration, number_text(row.measured), paper_text(row),
                       row.paper ? percent_text(row.difference) : "", verdict_text(row)});
    return table.empty() ? "" : table.text(style);
}

std::string selection_text(const PlannedFigure& figure) {
    const RuleReference& select = figure.figure->file.select;
    if (select.rule.empty()) return "";
    const std::string from = select.figure.empty() ? "" : " of " + select.figure;
    std::string text = fmt::format("  rule {}{}: {} of {} workloads{}\n", select.rule, from, figure.workloads.size(),
                                   figure.workloads.size() + figure.left_out.size(),
                                   figure.waiting ? " so far; others wait for points" : "");
    text += "    in: " + list_text_of(figure.workloads) + "\n";
    if (!figure.left_out.empty()) text += "    out: " + list_text_of(figure.left_out) + "\n";
    if (!figure.undecided.empty())
        text += "    undecided, since their points failed: " + list_text_of(figure.undecided) + "\n";
    return text;
}

/// One line: for each rule the points that are beyond its bound, and the one that is farthest.
std::string caveats_of_figure(const PlannedFigure& figure, const StudyPlan& plan, const PointResults& results) {
    std::string text;
    for (const CaveatRule& rule : kCaveatRules) {
        std::size_t points = 0;
        double worst = 0.0;
        std::string where;
        for (const StudyCell& cell : figure.cells) {
            const PointJob& job = *plan.points.at(cell.point);
            const std::vector<double> found = results.values(job.key, std::string("derived.caveat.") + rule.name);
            if (found.empty()) continue;
            const double value = found.front();
            if (points == 0 || (rule.least ? value < worst : value > worst)) {
                worst = value;
                where = cell.workload + " on " + cell.configuration;
            }
            ++points;
        }
        if (points == 0) continue;
        text += text.empty() ? "  too small for a conclusion: " : "; ";
        text += fmt::format("in {} {} ({} in {})", points_text(points), rule.beyond, value_text(rule, worst), where);
    }
    return text.empty() ? "" : text + "\n";
}

} // namespace

std::string run_report_text(const StudyRunReport& report, const std::string& study, const std::string& file,
                            std::size_t slots) {
    std::string text = fmt::format("{} ran in {}", points_text(report.ran), seconds_text(report.wall_s));
    if (report.ran > 0 && report.wall_s > 0.0)
        text += fmt::format(", {:.2f} of {} workers busy", report.busy_s / report.wall_s, slots);
    if (report.beginnings > 0)
        text += fmt::format("\n{} went on from {}, simulated once for all that share it", points_text(report.shared),
                            report.beginnings == 1 ? "1 beginning" : fmt::format("{} beginnings", report.beginnings));
    text += fmt::format("\n{} of {} are done", report.done, points_text(report.points));
    if (report.failed > 0)
        text += fmt::format(", {} failed: 'numavp study status {}' says why, --retry-failed runs them again",
                            report.failed, study);
    return text + fmt::format("\nresults in {}; 'numavp study show {}' has the numbers\n", file, study);
}

ordered_json run_report_json(const StudyRunReport& report, const std::string& file) {
    return {{"points", report.points},
            {"done", report.done},
            {"failed", report.failed},
            {"ran", report.ran},
            {"beginnings", report.beginnings},
            {"shared", report.shared},
            {"wall_s", report.wall_s},
            {"busy_s", report.busy_s},
            {"results", file}};
}

std::string status_text(const StudyPlan& plan, const StudyStore& store, const Style& style) {
    TextTable table({"figure", "scale", "points", "done", "failed", "missing", ""},
                    {true, false, false, false, false, false, true});
    const auto add = [&](const std::string& name, const std::string& scale, const PointCount& count,
                         const std::string& remark) {
        table.row({name, scale, std::to_string(count.points), std::to_string(count.done), std::to_string(count.failed),
                   std::to_string(count.missing()), remark});
    };
    for (const PlannedFigure& figure : plan.figures)
        add(figure.figure->file.name, fmt::format("{:g}", figure.scale), count_of(figure, plan, store),
            figure.waiting         ? "more when its selection is made"
            : figure.figure->shown ? ""
                                   : "for a selection");
    add("all, each once", "", count_of(plan, store), "");
    std::string text = table.text(style, 0);
    for (const StoredRun& run : failures(plan, store))
        text += fmt::format("failed: {} on {}: {}\n", run.workload, run.system, run.message);
    if (const std::size_t n = others(plan, store); n > 0)
        text += fmt::format("{} in the file {} of other figures, scales, configurations or versions than {}\n",
                            n == 1 ? "1 run" : fmt::format("{} runs", n), n == 1 ? "is" : "are", model_version());
    return text;
}

ordered_json status_json(const StudyPlan& plan, const StudyStore& store) {
    const auto json_of = [](const PointCount& count) {
        return ordered_json{
            {"points", count.points}, {"done", count.done}, {"failed", count.failed}, {"missing", count.missing()}};
    };
    ordered_json status = json_of(count_of(plan, store));
    status["version"] = model_version();
    status["others"] = others(plan, store);
    status["figures"] = ordered_json::object();
    for (const PlannedFigure& figure : plan.figures) {
        ordered_json entry = json_of(count_of(figure, plan, store));
        entry["scale"] = figure.scale;
        entry["waiting"] = figure.waiting;
        entry["workloads"] = figure.workloads;
        entry["left_out"] = figure.left_out;
        entry["undecided"] = figure.undecided;
        status["figures"][figure.figure->file.name] = entry;
    }
    status["failures"] = ordered_json::array();
    for (const StoredRun& run : failures(plan, store))
        status["failures"].push_back({{"system", run.system}, {"workload", run.workload}, {"message", run.message}});
    return status;
}

std::string show_text(const StudyPlan& plan, const StudyStore& store, bool workloads, const Style& style) {
    std::string text;
    for (const PlannedFigure& figure : plan.figures) {
        if (!figure.figure->shown) continue;
        const StudyFile& file = figure.figure->file;
        const std::string section = file.section.empty() ? "" : " (section " + file.section + ")";
        text += style.bold(file.figure.empty() ? file.name : file.figure) + section +
                (file.title.empty() ? "" : ": " + file.title) + fmt::format(", scale {:g}\n", figure.scale) +
                selection_text(figure);
        const std::vector<StudyRow> rows = figure_rows(plan, figure, store);
        text += mean_table(rows, style);
        text += workload_table(rows, workloads, style);
        text += caveats_of_figure(figure, plan, store);
        const PointCount count = count_of(figure, plan, store);
        if (count.done < count.points)
            text += fmt::format("  {} of {} are not done: numavp study status\n", count.points - count.done,
                                points_text(count.points));
        text += "\n";
    }
    return text;
}

} // namespace numavp
