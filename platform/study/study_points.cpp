#include "platform/study/study_points.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "common/system/assigned_settings.h"
#include "common/system/load_system.h"
#include "common/system/recorded_system.h"
#include "common/system/system_config.h"
#include "common/words/number.h"
#include "platform/results/run_key.h"
#include "platform/study/study_metrics.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

/// A system's name, or its file from the study's folder.
std::string system_path(const std::string& system, const std::string& study) {
    const fs::path beside = fs::path(study).parent_path() / system;
    for (const char* extension : {"", ".json"}) {
        const fs::path path = beside.string() + extension;
        if (std::error_code ignored; fs::is_regular_file(path, ignored)) return path.string();
    }
    return system;
}

double scale_of(const StudyFile& file, const std::string& asked) {
    if (asked.empty() || asked == "own") return file.scale;
    if (asked == "small") return file.small_scale;
    const std::optional<double> value = number_in<double>(asked);
    if (!value || !(*value >= 1e-6 && *value <= 1e3))
        throw ConfigError("--scale", fmt::format("'{}' is neither 'small' nor 'own' nor a number from 0.000001 to 1000",
                                                 quotable(asked)));
    return *value;
}

/// The factors of a figure's workloads, in their order: `scales` are those of the file's own scale.
std::vector<double> workload_scales(const StudyFigure& figure, const std::vector<std::string>& workloads,
                                    const std::string& asked) {
    std::vector<double> scales(workloads.size(), scale_of(figure.file, asked));
    for (const auto& [name, value] : figure.file.scales.values) {
        const Place place = Place(figure.path).at("scales").at(name);
        const auto found = std::find(workloads.begin(), workloads.end(), name);
        if (found == workloads.end())
            throw ConfigError(place, unknown_name("workload", name, {workloads.begin(), workloads.end()}));
        if (!value.is_number() || !(value.get<double>() >= 1e-6 && value.get<double>() <= 1e3))
            throw ConfigError(place, fmt::format("{} is no scale; a number from 0.000001 to 1000 is expected",
                                                 quotable(value.dump())));
        if (asked.empty() || asked == "own")
            scales[static_cast<std::size_t>(found - workloads.begin())] = value.get<double>();
    }
    return scales;
}

/// Numbers of one workload name one of the figure's.
void check_paper(const StudyFigure& figure, const std::vector<std::string>& workloads) {
    for (std::size_t i = 0; i < figure.file.paper.size(); ++i) {
        const StudyPaper& paper = figure.file.paper[i];
        if (paper.of == PaperOf::workload &&
            std::find(workloads.begin(), workloads.end(), paper.workload) == workloads.end())
            throw ConfigError(Place(figure.path).at("paper").at(i).at("workload"),
                              unknown_name("workload", paper.workload, {workloads.begin(), workloads.end()}));
    }
}

void check_seeds(const StudyFigure& figure) {
    const std::vector<std::uint64_t>& seeds = figure.file.seeds;
    for (std::size_t i = 0; i < seeds.size(); ++i)
        if (std::find(seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(i), seeds[i]) !=
            seeds.begin() + static_cast<std::ptrdiff_t>(i))
            throw ConfigError(Place(figure.path).at("seeds").at(i),
                              fmt::format("the seed {} is there twice; each may be there once", seeds[i]));
}

void add_unique(std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

} // namespace

std::string job_text(const PointJob& job) {
    ordered_json text = {{"key", job.key},
                         {"system_name", job.system_name},
                         {"workload_name", job.workload_name},
                         {"system", job.system},
                         {"workload_path", job.workload_path},
                         {"workload", job.workload},
                         {"scale", job.scale},
                         {"seed", job.seed ? ordered_json(*job.seed) : ordered_json()},
                         {"time_limit_s", job.time_limit_s},
                         {"names_only", job.names_only}};
    return text.dump();
}

PointJob job_of(const std::string& text) {
    const ordered_json value = ordered_json::parse(text);
    PointJob job;
    job.key = value.at("key");
    job.system_name = value.at("system_name");
    job.workload_name = value.at("workload_name");
    job.system = value.at("system");
    job.workload_path = value.at("workload_path");
    job.workload = json(value.at("workload"));
    job.scale = value.at("scale");
    if (!value.at("seed").is_null()) job.seed = value.at("seed").get<std::uint64_t>();
    job.time_limit_s = value.at("time_limit_s");
    job.names_only = value.at("names_only");
    return job;
}

const StudyCell* PlannedFigure::cell(const std::string& configuration, const std::string& workload,
                                     std::size_t seed) const {
    for (const StudyCell& cell : cells)
        if (cell.seed == seed && cell.configuration == configuration && cell.workload == workload) return &cell;
    return nullptr;
}

std::size_t PlannedFigure::seeds() const { return std::max<std::size_t>(1, figure->file.seeds.size()); }

std::optional<PointState> cell_state(const PlannedFigure& figure, const StudyPlan& plan, const PointResults& results,
                                     const std::string& configuration, const std::string& workload) {
    std::optional<PointState> worst;
    for (std::size_t seed = 0; seed < figure.seeds(); ++seed) {
        const StudyCell* cell = figure.cell(configuration, workload, seed);
        if (cell == nullptr) continue;
        const PointState state = results.state(plan.points[cell->point]->key);
        if (!worst || state == PointState::missing || *worst == PointState::done) worst = state;
    }
    return worst;
}

bool StudyPlan::waiting() const {
    return std::any_of(figures.begin(), figures.end(), [](const PlannedFigure& f) { return f.waiting; });
}

StudyPlanner::StudyPlanner(const Study& study, const std::string& scale) : study_(study) {
    std::map<std::string, std::shared_ptr<PointJob>> known; // figures share them
    for (const StudyFigure& figure : study.figures) {
        Loaded loaded;
        loaded.scale = scale_of(figure.file, scale);
        const std::vector<StudyWorkload> workloads = study_workloads(figure);
        for (const StudyWorkload& workload : workloads) loaded.workloads.push_back(workload.name);
        check_paper(figure, loaded.workloads);
        check_seeds(figure);
        const std::vector<double> scales = workload_scales(figure, loaded.workloads, scale);
        loaded.seeds = std::max<std::size_t>(1, figure.file.seeds.size());
        for (const Resolved& configuration : resolve(figure)) {
            loaded.configurations.push_back(configuration.label);
            for (std::size_t i = 0; i < workloads.size() * loaded.seeds; ++i) {
                const std::size_t w = i / loaded.seeds;
                PointJob job = make_job(figure, scales[w], configuration, workloads[w], i % loaded.seeds);
                auto& shared = known[job.key];
                if (!shared) shared = std::make_shared<PointJob>(std::move(job));
                shared->time_limit_s = std::max(shared->time_limit_s, figure.file.time_limit_s);
                loaded.jobs.push_back(shared);
            }
        }
        loaded_.push_back(std::move(loaded));
    }
}

std::vector<ordered_json> StudyPlanner::systems(std::size_t figure) const {
    const Loaded& loaded = loaded_.at(figure);
    std::vector<ordered_json> systems;
    for (std::size_t c = 0; c < loaded.configurations.size() && !loaded.workloads.empty(); ++c)
        systems.push_back(loaded.job(c, 0, 0)->system);
    return systems;
}

std::vector<std::shared_ptr<const PointJob>> StudyPlanner::workloads(std::size_t figure) const {
    const Loaded& loaded = loaded_.at(figure);
    std::vector<std::shared_ptr<const PointJob>> jobs;
    for (std::size_t w = 0; w < loaded.workloads.size() && !loaded.configurations.empty(); ++w)
        jobs.push_back(loaded.job(0, w, 0));
    return jobs;
}

std::vector<StudyPlanner::Resolved> StudyPlanner::resolve(const StudyFigure& figure) {
    std::vector<Resolved> resolved;
    for (const StudyCombination& c : combinations(figure.file)) {
        const Place where = Place(figure.path).at("systems").at(c.system).at("system");
        const StudySystem& system = figure.file.systems[c.system];
        std::vector<std::string> assignments;
        try {
            const SystemConfig base = load_system(system_path(system.system, figure.path));
            ConfigDocument document = resolved_document(json(dump_config(base)), base.name);
            std::vector<std::string> set;
            for (const auto& [setting, from] : c.settings) {
                set.push_back(set_path(document, setting.first + "=" + setting.second.dump()));
                document.origins.record(set.back(), figure.path + ": " + from);
            }
            SystemConfig config = read_assigned_system(document, set);
            config.name = base.name; // whatever a figure calls it: points are shared
            const ordered_json value = dump_config(config);
            resolved.push_back({c.label, base.name, c.settings.empty() ? base.name : base.name + " " + c.label,
                                canonical_system(value), value});
        } catch (const ConfigError& fault) {
            const std::string sentence = fault.what();
            if (sentence.compare(0, figure.path.size(), figure.path) == 0) throw;
            throw ConfigError(where, sentence);
        }
    }
    return resolved;
}

std::vector<std::string> StudyPlanner::deciding(const StudyFile& file) const {
    std::vector<std::string> labels;
    for (const StudyFigure& other : study_.figures) {
        const RuleReference& select = other.file.select;
        if (!other.shown || (select.figure.empty() ? other.file.name : select.figure) != file.name) continue;
        for (const StudyRule& rule : file.rules) {
            if (rule.name != select.rule) continue;
            add_unique(labels, rule.configuration);
            add_unique(labels, baseline_of(file, *find_metric(file, rule.metric)));
        }
    }
    return labels;
}

PointJob StudyPlanner::make_job(const StudyFigure& figure, double scale, const Resolved& configuration,
                                const StudyWorkload& workload, std::size_t seed) {
    PointJob job;
    job.system_name = configuration.name;
    job.shown_system = configuration.shown;
    job.workload_name = workload.name;
    job.system = configuration.system;
    job.workload_path = workload.path;
    job.workload = workload.value;
    job.scale = workload.trace ? 1.0 : scale;
    if (!workload.trace) job.seed = figure.file.seeds.empty() ? workload.seed : figure.file.seeds.at(seed);
    job.time_limit_s = figure.file.time_limit_s;
    job.key = content_key(fmt::format("{}\n{}\n{}\n{}\n{}", model_version(), configuration.text, workload.text,
                                      job.scale, job.seed ? std::to_string(*job.seed) : "none"));
    return job;
}

void StudyPlanner::add_cells(StudyPlan& plan, std::map<std::string, std::size_t>& known, std::size_t figure) const {
    const StudyFigure& of = study_.figures[figure];
    const Loaded& loaded = loaded_[figure];
    PlannedFigure& planned = plan.figures[figure];
    const std::vector<std::string> decide = deciding(of.file);
    for (std::size_t c = 0; c < loaded.configurations.size(); ++c) {
        const std::string& configuration = loaded.configurations[c];
        const bool decisive = std::find(decide.begin(), decide.end(), configuration) != decide.end();
        if (!of.shown && !decisive) continue;
        planned.configurations.push_back(configuration);
        for (std::size_t w = 0; w < loaded.workloads.size(); ++w) {
            const auto& chosen = planned.workloads;
            if (std::find(chosen.begin(), chosen.end(), loaded.workloads[w]) == chosen.end()) continue;
            for (std::size_t seed = 0; seed < loaded.seeds; ++seed) {
                const auto& job = loaded.job(c, w, seed);
                const auto [place, fresh] = known.emplace(job->key, plan.points.size());
                if (fresh) {
                    plan.points.push_back(job);
                    plan.decisive.push_back(false);
                }
                if (decisive) plan.decisive[place->second] = true;
                planned.cells.push_back({configuration, loaded.workloads[w], place->second, seed});
            }
        }
    }
}

void StudyPlanner::select(StudyPlan& plan, std::size_t figure, const PointResults& results) const {
    PlannedFigure& planned = plan.figures[figure];
    const RuleReference& select = planned.figure->file.select;
    const std::string& name = select.figure.empty() ? planned.figure->file.name : select.figure;
    const PlannedFigure& source = *std::find_if(plan.figures.begin(), plan.figures.end(),
                                                [&](const PlannedFigure& f) { return f.figure->file.name == name; });
    const StudyFile& file = source.figure->file;
    const StudyRule& rule =
        *std::find_if(file.rules.begin(), file.rules.end(), [&](const StudyRule& r) { return r.name == select.rule; });
    const StudyMetric& metric = *find_metric(file, rule.metric);
    std::vector<std::string> chosen;
    for (const std::string& workload : planned.workloads) {
        const auto value = metric_value(source, plan, metric, rule.configuration, workload, results);
        const auto missing = [&](const std::string& label) {
            return cell_state(source, plan, results, label, workload) == PointState::missing;
        };
        if (value) {
            const bool fits =
                (!rule.below.value || *value < *rule.below.value) && (!rule.from.value || *value >= *rule.from.value);
            (fits ? chosen : planned.left_out).push_back(workload);
        } else if (missing(rule.configuration) || missing(baseline_of(file, metric))) {
            planned.waiting = true;
        } else {
            planned.undecided.push_back(workload);
        }
    }
    planned.workloads = std::move(chosen);
}

StudyPlan StudyPlanner::plan(const PointResults& results) const {
    StudyPlan plan;
    std::map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < study_.figures.size(); ++i) {
        PlannedFigure planned;
        planned.figure = &study_.figures[i];
        planned.scale = loaded_[i].scale;
        planned.workloads = loaded_[i].workloads;
        plan.figures.push_back(std::move(planned));
    }
    const auto own_rule = [&](std::size_t i) { return study_.figures[i].file.select.figure.empty(); };
    for (std::size_t i = 0; i < plan.figures.size(); ++i)
        if (own_rule(i)) add_cells(plan, known, i);
    for (std::size_t i = 0; i < plan.figures.size(); ++i) {
        if (study_.figures[i].file.select.rule.empty()) continue;
        select(plan, i, results);
        if (!own_rule(i)) add_cells(plan, known, i); // those that are decided already need not wait
    }
    return plan;
}

} // namespace numavp
