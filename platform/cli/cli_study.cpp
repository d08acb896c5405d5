#include "platform/cli/cli_study.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/files/launched_processes.h"
#include "common/files/output_paths.h"
#include "common/files/program.h"
#include "common/words/number.h"
#include "platform/cli/cli.h"
#include "platform/cli/cli_live.h"
#include "platform/cli/json_output.h"
#include "platform/live/live_point.h"
#include "platform/live/live_study.h"
#include "platform/report/study_report.h"
#include "platform/results/results_folder.h"
#include "platform/results/run_key.h"
#include "platform/run/interrupt.h"
#include "platform/study/study_export.h"
#include "platform/study/study_names.h"
#include "platform/study/study_progress.h"
#include "platform/study/study_runner.h"
#include "platform/study/study_scales.h"
#include "platform/study/study_text.h"
#include "platform/study/study_worker.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

WorkersFactory& workers_factory() {
    static WorkersFactory factory;
    return factory;
}

std::size_t jobs_of(const StudyWords& words) {
    if (words.jobs.empty()) return std::max(1U, std::thread::hardware_concurrency());
    return number_of<std::size_t>("--jobs", words.jobs, 1, 4096, "a whole number from 1 to 4096");
}

/// `results`: the results file. Each point of a live study has a live page too.
std::unique_ptr<PointWorkers> make_workers(const StudyWords& words, const std::string& results) {
    std::vector<std::string> of_points;
    if (!words.live.empty()) of_points = {"--live", "--db", results};
    if (!workers_factory()) return std::make_unique<LocalWorkers>(jobs_of(words), std::move(of_points));
    if (!words.jobs.empty())
        throw ConfigError("--jobs", "under mpirun each rank but the first runs one point at a time; the number of "
                                    "ranks (mpirun -n) is expected to say how many");
    return workers_factory()();
}

/// Under mpirun the program of the ranks takes over, which alone is linked with MPI.
void become_rank(const std::vector<std::string>& command_line) {
    if (workers_factory() || launched_processes() < 2) return;
    const std::string program = (fs::path(program_path()).parent_path() / "numavp-mpi").string();
    std::vector<char*> words;
    for (const std::string& word : command_line) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    throw ConfigError("study under mpirun",
                      program + " is missing, which this program was built without; install libboost-mpi-dev, "
                                "libopenmpi-dev and openmpi-bin, and configure and build again");
}

std::string results_file(const StudyWords& words, const Study& study) {
    check_utf8(words.db, "--db");
    return words.db.empty() ? "results/" + file_name_of(study.name) + ".sqlite" : words.db;
}

class RunListener final : public StudyListener {
  public:
    /// `view`: null without --live.
    RunListener(bool quiet, LiveStudy* view) : line_(ProgressLine::mode_for(stderr, quiet), stderr), view_(view) {}
    void progress(const StudyProgress& progress) override { line_.update(progress); }
    void ended(const PointJob& job, const PointOutcome& outcome) override {
        if (view_) view_->ended(job, outcome);
        if (!outcome.done)
            line_.say(fmt::format("{} on {} failed: {}", job.workload_name, job.shown_system, outcome.message));
    }
    void look(const StudyRunner& runner, const StudyProgress& progress) override {
        if (view_) view_->look(runner, progress);
    }
    void unshared(std::size_t points, const std::string& why) override {
        line_.say(fmt::format("{} point{} that could share a beginning run{} whole: {}", points, points == 1 ? "" : "s",
                              points == 1 ? "s" : "", why));
    }
    void check() override { guard_.check(); }
    /// A reader of the results file may hold it for as long as it likes: nothing is lost by waiting.
    void wait_for(const std::string& file) {
        check();
        if (!std::exchange(waited_, true))
            line_.say(fmt::format("another program holds {}; waiting until it lets go", file));
    }

  private:
    StudyProgressLine line_;
    LiveStudy* view_;
    InterruptGuard guard_;
    bool waited_ = false;
};

/// Null without --live.
std::unique_ptr<LiveStudy> live_study_of(const StudyWords& words, const Study& study, const std::string& results) {
    if (words.live.empty()) return nullptr;
    return std::make_unique<LiveStudy>(live_port(words.live), LiveStudyFacts{study.name, words.file, results},
                                       find_report_files());
}

StudyEnd run_study(const StudyWords& words, const Study& study) {
    const StudyPlanner planner(study, words.scale);
    if (!workers_factory()) jobs_of(words); // said before anything is made
    check_metric_paths(planner);
    StudyRunOptions options;
    options.retry_failed = words.retry_failed;
    options.share = !words.no_branches;
    if (!words.time_limit.empty())
        options.time_limit_s =
            number_of<double>("--time-limit", words.time_limit, 0.01, 1e7, "a number of seconds from 0.01 to 10000000");
    const std::string file = results_file(words, study);
    const std::unique_ptr<LiveStudy> view = live_study_of(words, study, file);
    RunListener listener(words.quiet || words.json, view.get());
    StudyStore store(file, StudyStore::Access::write);
    if (view) tell_address(view->address());
    store.set_patience([&] { listener.wait_for(file); });
    store.note("study", study.name);
    store.note("scale", words.scale);
    const std::unique_ptr<PointWorkers> workers = make_workers(words, file);
    StudyRunReport report;
    try {
        report = StudyRunner(planner, store, *workers, listener, options).run();
    } catch (const Interrupted& interrupt) {
        if (view) view->end("failed", fmt::format("it was interrupted; the points that ended are in {}", file));
        fmt::print(stderr, "numavp: the points that ended are in {}; the same command continues\n", file);
        throw;
    } catch (const std::exception& fault) {
        if (view) view->end("failed", fault.what());
        throw;
    }
    if (view) view->end("ended", fmt::format("the results are in {}", file));
    StudyEnd end;
    end.status = report.failed == 0 ? kExitOk : kExitPoints;
    if (words.json) end.text = json_line("study-run", run_report_json(report, file));
    if (!words.json && !words.quiet) end.text = run_report_text(report, words.file, file, workers->slots());
    return end;
}

/// Of a file whose runs are all strangers to the plan nothing is shown: "has not run" would be half of the truth.
void refuse_strangers(const StudyPlan& plan, const StudyStore& store) {
    const std::size_t runs = store.runs().size();
    const bool known = std::any_of(plan.points.begin(), plan.points.end(),
                                   [&](const auto& job) { return store.state(job->key) != PointState::missing; });
    if (runs == 0 || known) return;
    throw ConfigError(store.database().path(),
                      fmt::format("its {} runs are of other figures, scales, configurations or versions than {}; "
                                  "'numavp study run' makes those that are missing",
                                  runs, model_version()));
}

std::string status_of(const StudyWords& words, const Study& study, const StudyStore& store) {
    std::vector<std::string> others;
    const StudyPlanner planner(study, scale_of_status(study, store, words.scale, others));
    const StudyPlan plan = planner.plan(store);
    if (words.json) {
        ordered_json status = status_json(plan, store);
        status["other_scales"] = others;
        return with_format("study-status", status).dump(1) + "\n";
    }
    std::string text = status_text(plan, store, style_of(STDOUT_FILENO));
    if (!others.empty())
        text += fmt::format("the file has points at other scales too; --scale with one of '{}' shows them\n",
                            fmt::join(others, "', '"));
    return text;
}

std::string read_study(const StudyWords& words, const Study& study) {
    const StudyStore store(results_file(words, study), StudyStore::Access::read);
    if (words.action == "status") return status_of(words, study, store);
    const StudyPlanner planner(study, scale_to_show(study, store, words.scale));
    const StudyPlan plan = planner.plan(store);
    refuse_strangers(plan, store);
    if (words.action == "show") {
        if (words.json) return rows_json(study_rows(plan, store)).dump(1) + "\n";
        if (words.csv) return rows_csv(study_rows(plan, store));
        return show_text(plan, store, words.workloads, style_of(STDOUT_FILENO));
    }
    const std::string base = fs::path(store.database().path()).replace_extension().string();
    if (words.action == "export") return export_study(plan, store, words.out.empty() ? base + "-export" : words.out);
    const std::string page = words.out.empty() ? base + ".html" : words.out;
    if (words.out.empty()) refuse_foreign_report(page);
    refuse_to_replace({"--out", page}, {words.file, store.database().path()});
    write_study_report(study, plan, store, page);
    return "report in " + page + "\n";
}

} // namespace

void set_workers_factory(WorkersFactory factory) { workers_factory() = std::move(factory); }

StudyEnd study_command(const StudyWords& words, const std::vector<std::string>& command_line) {
    check_study_words(words);
    if (words.action == "point") {
        std::optional<LivePoint> watch;
        if (!words.live.empty()) watch.emplace(words.db);
        run_point_from_stdin(watch ? &*watch : nullptr);
        return {};
    }
    if (words.action == "beginning") {
        run_beginning_from_stdin(
            number_of<int>("study beginning", words.file, 0, 1 << 20, "the socket of 'numavp study run'"));
        return {};
    }
    if (words.action == "run") become_rank(command_line);
    const Study study = load_study(words.file, words.figures);
    if (words.action == "run") return run_study(words, study);
    return {read_study(words, study), kExitOk};
}

} // namespace numavp
