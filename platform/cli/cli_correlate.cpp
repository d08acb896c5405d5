#include "platform/cli/cli_correlate.h"

#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/inputs/named_workload.h"
#include "common/system/load_system.h"
#include "common/words/text.h"
#include "platform/cli/json_output.h"
#include "platform/correlate/correlation.h"
#include "platform/report/correlate_report.h"
#include "platform/run/interrupt.h"
#include "platform/study/study_process.h"

namespace numavp {
namespace {

constexpr double kNoLimit = 1e6; ///< seconds of a run

/// The work of a kernel: a member `workload` that is a file beside the measurements, or a name; or its trace.
std::string work_of(const MeasuredKernel& kernel, const CorrelateWords& words) {
    namespace fs = std::filesystem;
    const fs::path beside = fs::path(words.measurements).parent_path();
    if (!kernel.workload.empty()) {
        const fs::path file = beside / kernel.workload;
        return fs::exists(file) ? file.string() : kernel.workload;
    }
    const fs::path trace = (words.traces.empty() ? beside : fs::path(words.traces)) / kernel.name / "kernelslist.g";
    if (!fs::exists(trace))
        throw ConfigError(fmt::format("{}: $.kernels.{}", words.measurements, kernel.name),
                          fmt::format("it names no workload, and {} does not exist; a member 'workload', or --traces "
                                      "FOLDER with a folder for each kernel is expected",
                                      trace.string()));
    return trace.string();
}

/// A run in a process of its own: SystemC elaborates once in each.
ordered_json run_apart(const SystemConfig& system, const MeasuredKernel& kernel, const CorrelateWords& words,
                       const InterruptGuard& guard) {
    constexpr int kPatienceMs = 200;
    const NamedWorkload workload = load_named_workload(work_of(kernel, words), "", "", "--");
    PointJob job;
    job.system_name = system.name;
    job.workload_name = workload.record.name;
    job.system = dump_config(system);
    job.workload_path = workload.path;
    job.workload = workload.source;
    job.scale = workload.record.scale;
    job.seed = workload.record.seed;
    job.time_limit_s = kNoLimit;
    LocalWorkers workers(1);
    workers.start(0, job);
    for (;;) {
        guard.check();
        for (const PointWorkers::Ended& one : workers.wait(kPatienceMs)) {
            if (!one.outcome.done)
                throw ConfigError(kernel.name, fmt::format("its run failed: {}", one.outcome.message));
            return ordered_json::parse(one.outcome.results);
        }
    }
}

} // namespace

void add_correlate(CLI::App& app, CorrelateWords& words) {
    CLI::App* correlate =
        app.add_subcommand("correlate", "Run measured kernels, and set their times beside measured ones");
    correlate
        ->add_option("MEASUREMENTS", words.measurements,
                     "JSON file: {\"kernels\": {NAME: {\"cycles\": 5120, \"workload\": FILE}}}, or \"us\"")
        ->type_name("")
        ->required();
    correlate->add_option("SYSTEM", words.system, "Name (numavp list systems) or JSON file")->type_name("")->required();
    correlate->add_option("KERNEL", words.kernels, "Names of kernels; all unless given")->type_name("");
    const auto add = [&](const char* name, std::string& word, const char* type, const char* doc) {
        correlate->add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--traces", words.traces, "DIR",
        "Folder with NAME/kernelslist.g of kernels that name no workload; that of MEASUREMENTS unless given");
    add("--launch", words.launch, "NAME", "Measured kernel that does nothing: its time is taken from all others");
    correlate->add_option("--set", words.set, "Change a setting of the system: socket.l2.ways=8 (numavp list settings)")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    add("--csv", words.csv, "FILE", "Write the rows as CSV");
    add("--report", words.report, "FILE", "Write one HTML page: a scatter of measured and simulated, and the table");
    correlate->add_flag("--json", words.json, "Print the rows as one line of JSON")->disable_flag_override();
    correlate->add_flag("--quiet", words.quiet, "No progress")->disable_flag_override();
}

std::string correlate_command(const CorrelateWords& words) {
    refuse_outputs({{"--csv", words.csv}, {"--report", words.report}}, {words.measurements, words.system});
    const std::optional<ReportFiles> files =
        words.report.empty() ? std::nullopt : std::optional<ReportFiles>(find_report_files());
    const SystemConfig system = load_system(words.system, words.set);
    const Measurements measurements = read_measurements(words.measurements);
    const InterruptGuard guard; // so that no process is left
    Correlation correlation = correlate(measurements, words.kernels, words.launch, [&](const MeasuredKernel& kernel) {
        if (!words.quiet) fmt::print(stderr, "numavp: {}\n", escaped(kernel.name));
        return run_apart(system, kernel, words, guard);
    });
    correlation.system = system.name;
    if (!words.csv.empty()) {
        WholeFile file(words.csv, "--csv");
        file.out() << correlation_csv(correlation);
        file.keep();
    }
    if (files) write_report_file(words.report, report_html(correlate_report(correlation), *files));
    return words.json ? json_line("correlate", correlation_json(correlation)) : correlation_text(correlation);
}

} // namespace numavp
