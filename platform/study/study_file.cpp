#include "platform/study/study_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/values/natural_order.h"
#include "common/files/config_folders.h"
#include "common/files/document_kind.h"
#include "platform/study/study_metrics.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

bool is_crossed(const StudySystem& system, const StudyAxis& axis) {
    return !system.axes.given || system.axes.has(axis.name);
}

std::string system_label(const StudySystem& system) { return system.label.empty() ? system.system : system.label; }

/// Checks of one file, at its place.
class Checker {
  public:
    Checker(const StudyFile& file, const Place& place) : file_(file), place_(place) {}

    void systems() const {
        if (file_.systems.empty()) throw ConfigError(place_.at("systems"), "it is empty; at least one is expected");
        const Place place = place_.at("systems");
        std::vector<std::string> axes;
        for (const StudyAxis& axis : file_.axes) unique(axes, axis.name, "axis", place_.at("axes").at(axes.size()));
        std::vector<std::string> labels;
        for (const StudySystem& system : file_.systems) {
            const Place here = place.at(labels.size());
            if (system.system.empty()) throw ConfigError(here.at("system"), "it is missing; a system is expected");
            for (std::size_t i = 0; i < system.axes.words.size(); ++i)
                known("axis", system.axes.words[i], axes, here.at("axes").at(i));
            unique(labels, system_label(system), "label", here);
            settings(system);
        }
    }
    /// The last of several values of a setting would count, under the labels of all. A variant may override the
    /// system's own value, which others of its axis have.
    void settings(const StudySystem& system) const {
        std::map<std::string, std::string> setters;
        for (std::size_t a = 0; a < file_.axes.size(); ++a) {
            const StudyAxis& axis = file_.axes[a];
            if (!is_crossed(system, axis)) continue;
            const auto sets = [&](const std::string& path, const std::string& who) {
                if (const auto [other, fresh] = setters.emplace(path, who); !fresh && other->second != who)
                    throw ConfigError(
                        place_.at("axes").at(a),
                        fmt::format("it sets '{}', and so does {}; one of them is expected for each system",
                                    quotable(path), other->second));
            };
            const std::string who = "the axis '" + quotable(axis.name) + "'";
            for (const auto& setting : system.set.values)
                if (setting.first == axis.path) setters.emplace(axis.path, "the system's own 'set'");
            if (!axis.path.empty()) sets(axis.path, who);
            for (const StudyVariant& variant : axis.variants)
                for (const auto& setting : variant.set.values) sets(setting.first, who);
        }
    }

    void metrics() {
        if (file_.metrics.empty()) throw ConfigError(place_.at("metrics"), "it is empty; at least one is expected");
        count_combinations();
        std::set<std::string> labels;
        for (const StudyCombination& c : combinations(file_)) {
            if (!labels.insert(c.label).second)
                throw ConfigError(place_.at("systems").at(c.system), "the configuration '" + quotable(c.label) +
                                                                         "' is there twice; each may be there once");
            configurations_.push_back(c.label);
        }
        if (!file_.baseline.empty()) configuration(file_.baseline, place_.at("baseline"));
        for (const StudyMetric& metric : file_.metrics) {
            const Place here = place_.at("metrics").at(metrics_.size());
            unique(metrics_, metric.name, "metric", here);
            if (!metric.baseline.empty()) configuration(metric.baseline, here.at("baseline"));
            if (metric.relation != MetricRelation::none && metric.baseline.empty() && file_.baseline.empty())
                throw ConfigError(here.at("relation"), "there is no baseline; a configuration is expected in "
                                                       "'baseline', here or at the top of the file");
            if (metric.relation == MetricRelation::none && !metric.baseline_path.empty())
                throw ConfigError(here.at("baseline_path"), "the metric has no relation; ratio or speedup is expected");
            for (std::size_t i = 0; i < metric.configurations.words.size(); ++i)
                configuration(metric.configurations.words[i], here.at("configurations").at(i));
        }
    }

    void numbers() const {
        for (std::size_t i = 0; i < file_.paper.size(); ++i) {
            const StudyPaper& paper = file_.paper[i];
            const Place here = place_.at("paper").at(i);
            known("metric", paper.metric, metrics_, here.at("metric"));
            if (paper.configurations.words.empty()) measured(paper, paper.configuration, here.at("configuration"));
            for (std::size_t j = 0; j < paper.configurations.words.size(); ++j)
                measured(paper, paper.configurations.words[j], here.at("configurations").at(j));
            if (!paper.over.empty()) configuration(paper.over, here.at("over"));
            if (!paper.over_metric.empty()) known("metric", paper.over_metric, metrics_, here.at("over_metric"));
        }
        std::vector<std::string> names;
        for (const StudyRule& rule : file_.rules) {
            const Place here = place_.at("rules").at(names.size());
            unique(names, rule.name, "rule", here);
            known("metric", rule.metric, metrics_, here.at("metric"));
            configuration(rule.configuration, here.at("configuration"));
        }
        if (file_.select.rule.empty() && !file_.select.figure.empty())
            throw ConfigError(place_.at("select").at("rule"),
                              "it is missing; a rule of '" + quotable(file_.select.figure) + "' is expected");
        if (!file_.select.rule.empty() && file_.select.figure.empty())
            known("rule", file_.select.rule, names, place_.at("select").at("rule"));
    }

  private:
    /// Before they are made: a few axes are soon more than memory holds.
    void count_combinations() const {
        constexpr std::size_t kMost = 100000;
        std::size_t all = 0;
        for (std::size_t s = 0; s < file_.systems.size(); ++s) {
            std::size_t own = 1;
            for (const StudyAxis& axis : file_.axes)
                if (is_crossed(file_.systems[s], axis) && own <= kMost)
                    own *= std::max(axis.values.values.size(), axis.variants.size());
            all += own;
            if (all > kMost)
                throw ConfigError(place_.at("systems").at(s), "with its axes there are more than 100000 "
                                                              "configurations; fewer values or axes are expected");
        }
    }
    static void unique(std::vector<std::string>& names, const std::string& name, const char* what, const Place& place) {
        if (name.empty()) throw ConfigError(place, std::string("it has no name; a ") + what + " needs one");
        if (std::find(names.begin(), names.end(), name) != names.end())
            throw ConfigError(place, std::string("the ") + what + " '" + quotable(name) +
                                         "' is there twice; each may be there once");
        names.push_back(name);
    }
    static void known(const char* what, const std::string& name, const std::vector<std::string>& names,
                      const Place& place) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw ConfigError(place, unknown_name(what, name, {names.begin(), names.end()}));
    }
    void configuration(const std::string& name, const Place& place) const {
        known("configuration", name, configurations_, place);
    }
    /// A configuration of which the metric has a value.
    void measured(const StudyPaper& paper, const std::string& name, const Place& place) const {
        configuration(name, place);
        const StudyMetric& metric = *find_metric(file_, paper.metric);
        if (!measures(file_, metric, name))
            throw ConfigError(place, "the metric '" + metric.name + "' is not measured on '" + quotable(name) +
                                         (metric.configurations.given ? "'; one of its 'configurations' is expected"
                                                                      : "', its baseline; another one is expected"));
    }

    const StudyFile& file_;
    Place place_;
    std::vector<std::string> configurations_, metrics_;
};

/// The choices of an axis: label and settings with their JSON paths.
struct Choice {
    std::string label;
    json value; ///< of the axis; the label of a variant
    std::vector<std::pair<std::pair<std::string, json>, std::string>> settings;
};

std::vector<Choice> choices_of(const StudyAxis& axis, std::size_t index) {
    const Place place = Place("").at("axes").at(index);
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < axis.values.values.size(); ++i) {
        const json& value = axis.values.values[i];
        choices.push_back({label_of(value), value, {{{axis.path, value}, place.at("values").at(i).path()}}});
    }
    for (std::size_t i = 0; i < axis.variants.size(); ++i) {
        Choice choice{axis.variants[i].label, axis.variants[i].label, {}};
        for (const auto& setting : axis.variants[i].set.values)
            choice.settings.emplace_back(setting, place.at("variants").at(i).at("set").at(setting.first).path());
        choices.push_back(std::move(choice));
    }
    return choices;
}

/// Each combination so far with each choice of one more axis.
void cross(std::vector<StudyCombination>& all, const std::string& axis, const std::vector<Choice>& choices) {
    std::vector<StudyCombination> crossed;
    for (const StudyCombination& before : all) {
        for (const Choice& choice : choices) {
            StudyCombination next = before;
            next.label += " / " + choice.label;
            next.axes.emplace_back(axis, choice.value);
            next.settings.insert(next.settings.end(), choice.settings.begin(), choice.settings.end());
            crossed.push_back(std::move(next));
        }
    }
    all = std::move(crossed);
}

StudyFigure load_figure(const fs::path& path) {
    StudyFigure figure;
    figure.path = path.string();
    check_utf8(path.filename().string(), figure.path);
    const ConfigDocument document = load_document(figure.path);
    refuse_other_kind(document, DocumentKind::study);
    figure.file = read_config<StudyFile>(document);
    if (figure.file.name.empty()) figure.file.name = path.stem().string();
    return figure;
}

std::vector<fs::path> files_of(const fs::path& path) {
    std::error_code fault;
    if (!fs::exists(path, fault))
        throw ConfigError(path.string(), "there is no such file; a study's JSON file or a folder of them is expected");
    if (!fs::is_directory(path, fault)) return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path, fault))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    if (files.empty()) throw ConfigError(path.string(), "the folder holds no .json; a folder of studies is expected");
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return compare_natural(a.filename().string(), b.filename().string()) < 0;
    });
    return files;
}

void check_rule(const StudyFigure& figure, const StudyFigure& from) {
    const RuleReference& select = figure.file.select;
    std::vector<std::string_view> names;
    for (const StudyRule& rule : from.file.rules) names.emplace_back(rule.name);
    if (std::find(names.begin(), names.end(), select.rule) == names.end())
        throw ConfigError(Place(figure.path).at("select").at("rule"), unknown_name("rule", select.rule, names));
    if (!from.file.select.rule.empty())
        throw ConfigError(Place(figure.path).at("select").at("figure"),
                          "that figure has a selection of its own; one over all workloads is expected");
}

/// The last file against those before: rows and pages call a figure as the paper does.
void check_figure(const Study& study) {
    const auto called = [](const StudyFigure& f) { return f.file.figure.empty() ? f.file.name : f.file.figure; };
    const StudyFigure& last = study.figures.back();
    for (const StudyFigure& other : study.figures)
        if (&other != &last && called(other) == called(last))
            throw ConfigError(Place(last.path).at("figure"), "'" + quotable(called(last)) + "' is that of " +
                                                                 other.path + " too; each file needs its own");
}

/// Loads the figures that selections refer to, and keeps the wanted ones.
void complete(Study& study, const std::vector<std::string>& only) {
    std::vector<std::string_view> names;
    for (const StudyFigure& figure : study.figures) names.emplace_back(figure.file.name);
    for (const std::string& name : only)
        if (study.find(name) == nullptr) throw ConfigError("--figure", unknown_name("figure", name, names));
    if (!only.empty())
        for (StudyFigure& figure : study.figures)
            figure.shown = std::find(only.begin(), only.end(), figure.file.name) != only.end();
    for (std::size_t i = 0; i < study.figures.size(); ++i) {
        const RuleReference select = study.figures[i].file.select;
        if (select.rule.empty() || select.figure.empty()) continue;
        if (study.find(select.figure) == nullptr) {
            const fs::path other = fs::path(study.figures[i].path).parent_path() / (select.figure + ".json");
            if (std::error_code ignored; !fs::exists(other, ignored))
                throw ConfigError(Place(study.figures[i].path).at("select").at("figure"),
                                  "there is no file " + other.string() + "; the name of a figure is expected");
            StudyFigure loaded = load_figure(other);
            if (loaded.file.name != select.figure)
                throw ConfigError(Place(study.figures[i].path).at("select").at("figure"),
                                  "the figure in " + other.string() + " has the name '" + quotable(loaded.file.name) +
                                      "'; that name is expected, and beside this file a file of that name");
            loaded.shown = false;
            study.figures.push_back(std::move(loaded));
        }
        check_rule(study.figures[i], *study.find(select.figure));
    }
    const auto needed = [&](const StudyFigure& f) {
        return f.shown || std::any_of(study.figures.begin(), study.figures.end(), [&](const StudyFigure& other) {
                   return other.shown && other.file.select.figure == f.file.name;
               });
    };
    std::vector<StudyFigure> kept;
    for (StudyFigure& figure : study.figures)
        if (needed(figure)) kept.push_back(figure);
    study.figures = std::move(kept);
}

} // namespace

void StudyAxis::validate(const Place& place) const {
    if (path.find('=') != std::string::npos)
        throw ConfigError(place.at("path"), "a path has no '='; the values are expected in 'values'");
    if (name.empty()) throw ConfigError(place.at("name"), "it is missing; an axis needs a name");
    const bool by_value = !path.empty() && !values.values.empty() && variants.empty();
    const bool by_variant = path.empty() && values.values.empty() && !variants.empty();
    if (!by_value && !by_variant)
        throw ConfigError(place, "an axis has either 'path' and 'values' or 'variants', and at least one of them");
    for (std::size_t i = 0; i < values.values.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (values.values[i] == values.values[j])
                throw ConfigError(
                    place.at("values").at(i),
                    fmt::format("the value {} is there twice; each is a point of its own", values.values[i].dump()));
}

void StudyPaper::validate(const Place& place) const {
    if (value.value.has_value() == (above.value || below.value))
        throw ConfigError(place, "either the paper's number in 'value' or a bound in 'above' or 'below' is expected");
    if (int{input} + int{derived} + int{again} > 1)
        throw ConfigError(place, "'input', 'derived' and 'again' exclude each other; one of them is allowed");
    if ((of == PaperOf::workload) != !workload.empty())
        throw ConfigError(place.at("workload"), "a workload is expected exactly where 'of' is 'workload'");
    const bool extreme = of == PaperOf::max || of == PaperOf::min;
    if (is_quotient() && !is_mean())
        throw ConfigError(place.at(over.empty() ? "over_metric" : "over"),
                          "only means are divided; it is expected where 'of' is 'mean', 'harmonic' or 'geometric'");
    if (configurations.given && (!extreme || !configuration.empty() || configurations.words.empty()))
        throw ConfigError(place.at("configurations"), "several are expected only where 'of' is 'max' or 'min', and "
                                                      "instead of 'configuration'");
}

void StudyRule::validate(const Place& place) const {
    if (!below.value && !from.value)
        throw ConfigError(place, "a rule needs a bound; 'below', 'from' or both are expected");
    if (below.value && from.value && *from.value >= *below.value)
        throw ConfigError(place.at("from"),
                          fmt::format("no value is at least {:g} and below {:g}; less than 'below' is expected",
                                      *from.value, *below.value));
}

void StudyFile::validate(const Place& place) const {
    Checker checker(*this, place);
    checker.systems();
    checker.metrics();
    checker.numbers();
    if (workloads.words.empty()) throw ConfigError(place.at("workloads"), "it is empty; at least one is expected");
}

std::vector<StudyCombination> combinations(const StudyFile& file) {
    std::vector<StudyCombination> all;
    for (std::size_t s = 0; s < file.systems.size(); ++s) {
        const StudySystem& system = file.systems[s];
        std::vector<StudyCombination> own = {{system_label(system), s, {}, {}}};
        const auto add = [&](const SettingMap& set, const Place& place) {
            for (const auto& setting : set.values)
                own[0].settings.emplace_back(setting, place.at("set").at(setting.first).path());
        };
        add(file.set, Place(""));
        add(system.set, Place("").at("systems").at(s));
        for (std::size_t a = 0; a < file.axes.size(); ++a)
            if (is_crossed(system, file.axes[a])) cross(own, file.axes[a].name, choices_of(file.axes[a], a));
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

const StudyFigure* Study::find(const std::string& wanted) const {
    for (const StudyFigure& figure : figures)
        if (figure.file.name == wanted) return &figure;
    return nullptr;
}

Study load_study(const std::string& path, const std::vector<std::string>& only) {
    Study study;
    fs::path clean = fs::path(shipped_path(path)).lexically_normal();
    if (!clean.has_filename()) clean = clean.parent_path(); // a folder with a slash at its end
    study.path = clean.string();
    for (const fs::path& file : files_of(clean)) {
        study.figures.push_back(load_figure(file));
        const std::string& name = study.figures.back().file.name;
        if (study.find(name) != &study.figures.back())
            throw ConfigError(Place(file.string()).at("name"),
                              "another file of this study has the name '" + quotable(name) + "'; each needs its own");
        check_figure(study);
    }
    std::error_code ignored;
    const bool folder = fs::is_directory(clean, ignored);
    study.name = folder ? fs::absolute(clean).lexically_normal().filename().string() : study.figures[0].file.name;
    if (study.name.empty() || study.name == ".") study.name = fs::current_path(ignored).filename().string();
    check_utf8(study.name, study.path);
    complete(study, only);
    return study;
}

ordered_json study_schema() {
    ordered_json schema = file_schema_of<StudyFile>("numavp study");
    const auto need = [&schema](const char* list, const char* name) { // as the checks above
        ordered_json& item = schema["properties"][list]["items"];
        item["required"] = {name};
        item["properties"][name].erase("default");
        item["properties"][name]["minLength"] = 1;
    };
    need("systems", "system");
    need("axes", "name");
    need("metrics", "name");
    need("rules", "name");
    return schema;
}

} // namespace numavp
