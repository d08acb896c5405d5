#include "platform/cli/cli_characterize.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <tuple>
#include <unistd.h>

#include <fmt/format.h>

#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "communication/characterize/counted_paths.h"
#include "communication/characterize/findings.h"
#include "communication/characterize/measured_comparison.h"
#include "platform/cli/cli_latency.h"
#include "platform/cli/json_output.h"
#include "platform/explain/gpu_matrix.h"
#include "platform/report/characterize_report.h"
#include "platform/summary/progress.h"

namespace numavp {

namespace {

constexpr std::size_t kWorstRows = 10;

std::string percent_text(double error) { return fmt::format("{:+.1f} %", 100 * error); }

std::string x_text(const ComparedSeries& series, std::uint64_t x) {
    return is_latency(series.what.benchmark) ? fmt::format("{} strides", x) : bytes_text(x);
}

/// Series that are shown: of those of one benchmark and kind of pair the first.
std::vector<const BenchmarkSeries*> shown(const HostMachine& machine, const std::vector<BenchmarkSeries>& all) {
    std::set<std::tuple<Benchmark, bool, bool>> seen;
    std::vector<const BenchmarkSeries*> first;
    for (const BenchmarkSeries& series : all) {
        const BenchmarkCase& what = series.what;
        const auto home = [&](TransferEnd end) { return end.gpu ? machine.home(end.index) : end.index; };
        const bool near = home(what.from) == home(what.to);
        const bool of_source = what.thread < 0 || static_cast<unsigned>(what.thread) == home(what.from);
        if (seen.insert({what.benchmark, near, of_source || !what.from.gpu || !what.to.gpu}).second)
            first.push_back(&series);
    }
    return first;
}

std::string series_text(const HostMachine& machine, const std::vector<const BenchmarkSeries*>& all,
                        const Style& style) {
    TextTable copies(
        {"benchmark", "thread", "from", "to", "256 B", "64 KiB", "1 MiB", "16 MiB", "256 MiB", "best GB/s"},
        {true, true, true, true});
    TextTable chases({"benchmark", "thread", "from", "to", "us a fault"}, {true, true, true, true});
    for (const BenchmarkSeries* series : all) {
        const BenchmarkCase& what = series->what;
        std::vector<std::string> cells{std::string(kBenchmarks.name(what.benchmark)), thread_name(machine, what),
                                       end_name(machine, what.from), end_name(machine, what.to)};
        if (is_latency(what.benchmark)) {
            cells.push_back(fmt::format("{:.2f}", slope_ns(series->points) / 1000));
            chases.row(std::move(cells));
            continue;
        }
        for (const unsigned power : {8U, 16U, 20U, 24U, 28U}) {
            const auto found =
                std::find_if(series->points.begin(), series->points.end(),
                             [power](const BenchmarkPoint& p) { return p.x == std::uint64_t{1} << power; });
            if (found == series->points.end())
                cells.emplace_back("");
            else if (power == 8)
                cells.push_back(fmt::format("{:.1f} us", found->ns / 1000));
            else
                cells.push_back(fmt::format("{:.2f}", static_cast<double>(found->x) / found->ns));
        }
        cells.push_back(fmt::format("{:.2f}", plateau_gbytes_per_s(series->points)));
        copies.row(std::move(cells));
    }
    std::string text;
    if (!copies.empty()) text += copies.text(style) + "\n";
    if (!chases.empty()) text += chases.text(style) + "\n";
    return text;
}

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
    TextTable table({"table", "transfers", "differ", "by", "compared"}, {true, true, true, false, true});
    for (const Finding& finding : findings) {
        const bool latency = finding.table.rfind("5.5", 0) == 0;
        table.row({finding.table, finding.row, finding.verdict,
                   latency || finding.verdict == "none" ? "" : fmt::format("{:.1f} %", 100 * finding.difference),
                   finding.between});
    }
    return "  numbers are tables of Pearson's thesis; affinity: does the CPU matter; anisotropy: does the direction "
           "matter\n  yes: from 5 %, small: from 2.5 %, none: there is no such pair\n\n" +
           table.text(style) + "\n";
}

struct FarPoint {
    const ComparedSeries* series;
    ComparedPoint point;
};

/// The ten points that are farthest from measurements; with `beyond`, all whose error is larger than that.
std::vector<FarPoint> far_points(const MeasuredComparison& comparison, std::optional<double> beyond) {
    std::vector<FarPoint> far;
    for (const ComparedSeries& series : comparison.series)
        for (const ComparedPoint& point : series.large())
            if (!beyond || std::abs(point.error()) > *beyond) far.push_back({&series, point});
    std::stable_sort(far.begin(), far.end(), [](const FarPoint& a, const FarPoint& b) {
        return std::abs(a.point.error()) > std::abs(b.point.error());
    });
    if (!beyond && far.size() > kWorstRows) far.resize(kWorstRows);
    return far;
}

std::string far_text(const HostMachine& machine, const MeasuredComparison& comparison, std::optional<double> beyond,
                     const Style& style) {
    TextTable rows({beyond ? "points beyond" : "worst points", "from", "to", "at", "measured us", "stddev", "ours us",
                    "error", "in 2 sd"},
                   {true, true, true});
    for (const FarPoint& one : far_points(comparison, beyond))
        rows.row({std::string(kBenchmarks.name(one.series->what.benchmark)), end_name(machine, one.series->what.from),
                  end_name(machine, one.series->what.to), x_text(*one.series, one.point.x),
                  fmt::format("{:.1f}", one.point.measured_ns / 1000),
                  fmt::format("{:.0f} %", 100 * one.point.stddev_ns / one.point.measured_ns),
                  fmt::format("{:.1f}", one.point.ns / 1000), percent_text(one.point.error()),
                  one.point.scatters() ? "yes" : ""});
    return rows.empty() ? fmt::format("  no point is beyond {:g} %\n", 100 * beyond.value_or(0)) : rows.text(style);
}

std::string comparison_text(const HostMachine& machine, const MeasuredComparison& comparison,
                            std::optional<double> beyond, const Style& style) {
    TextTable table({"benchmark", "thread", "from", "to", "points", "median", "worst", "in 10 %", "in 20 %", "in 2 sd",
                     "level", "measured", "error"},
                    {true, true, true, true});
    for (const ComparedSeries& series : comparison.series) {
        const std::vector<ComparedPoint> large = series.large();
        const double unit = is_latency(series.what.benchmark) ? 1000 : 1;
        table.row({std::string(kBenchmarks.name(series.what.benchmark)), thread_name(machine, series.what),
                   end_name(machine, series.what.from), end_name(machine, series.what.to),
                   fmt::format("{}", large.size()), fmt::format("{:.1f} %", 100 * ComparedSeries::median(large)),
                   percent_text(ComparedSeries::worst(large)), fmt::format("{}", ComparedSeries::within(large, 0.1)),
                   fmt::format("{}", ComparedSeries::within(large, 0.2)),
                   fmt::format("{}", ComparedSeries::scattered(large)), fmt::format("{:.2f}", series.level / unit),
                   fmt::format("{:.2f}", series.measured_level / unit), percent_text(series.level_error())});
    }
    std::string text = "  errors of time, ours over measured, of 64 KiB and more; level: best GB/s, or us a fault\n"
                       "  in 2 sd: the difference is at most twice the measurement's own standard deviation\n\n" +
                       table.text(style) + "\n" + far_text(machine, comparison, beyond, style);
    if (comparison.unknown != 0)
        text += fmt::format("\n  {} rows are between parts that the machine does not have\n", comparison.unknown);
    return text;
}

/// Why benchmarks have no pairs, of all or of the one that is named.
std::vector<std::string> without_pairs(const HostMachine& machine, const std::string& benchmark) {
    std::vector<std::string> sentences;
    for (const NameEntry<Benchmark>& entry : kBenchmarks) {
        const bool asked = benchmark.empty() || entry.name == benchmark;
        std::string why = asked ? why_no_cases(machine, entry.value) : "";
        if (!why.empty()) sentences.push_back(std::move(why));
    }
    return sentences;
}

ordered_json characterize_json(const HostMachine& machine, const std::vector<BenchmarkSeries>& all,
                               const std::vector<Finding>& findings, const MeasuredComparison* comparison,
                               const std::string& benchmark) {
    ordered_json value{{"system", machine.title()},
                       {"calibrated", machine.calibrated()},
                       {"assumed", machine.assumed()},
                       {"without_pairs", without_pairs(machine, benchmark)},
                       {"gpu_pairs", gpu_matrix_json(gpu_matrix(machine))},
                       {"series", ordered_json::array()},
                       {"findings", ordered_json::array()}};
    for (const BenchmarkSeries& series : all) {
        ordered_json points = ordered_json::array();
        for (const BenchmarkPoint& point : series.points) points.push_back({point.x, point.ns});
        value["series"].push_back({{"benchmark", kBenchmarks.name(series.what.benchmark)},
                                   {"exec_numa", thread_name(machine, series.what)},
                                   {"src", end_name(machine, series.what.from)},
                                   {"dst", end_name(machine, series.what.to)},
                                   {"points", points}});
    }
    for (const Finding& f : findings)
        value["findings"].push_back(
            {{"table", f.table}, {"transfers", f.row}, {"verdict", f.verdict}, {"value", f.difference}});
    if (comparison) value["comparison"] = comparison_json(machine, *comparison);
    return value;
}

} // namespace

void add_characterize(CLI::App& app, CharacterizeWords& words) {
    CLI::App* command = app.add_subcommand(
        "characterize", "Microbenchmarks of a machine's copies and unified memory, or of the latency of a GPU");
    add_machine(*command, words);
    const auto add = [command](const char* name, std::string& word, const char* type, const char* doc) {
        command->add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--benchmark", words.benchmark, "B", "One alone, such as NUMA_Memcpy_PinnedToGPU");
    add("--largest", words.largest, "MIB", "Leave larger sizes out; 8192 unless given");
    add("--stride", words.stride, "KIB",
        "Distance between the pages of a chase, a multiple of 64; algorithm: 2 PAGE_SIZE elements of 8 bytes, as "
        "algorithms 5.5 and 5.6 have it; that of the calibration unless given");
    add("--threads", words.threads, "N",
        "OpenMP threads of a CPU that touch unified memory, 1 to 1024; 1 unless given");
    add("--csv", words.csv, "FILE", "Write all points as CSV");
    add("--against", words.against, "FILE", "Compare with measurements, CSV as --csv writes it");
    add("--beyond", words.beyond, "PERCENT",
        "Beside --against: list all points whose error is larger, not the worst ten");
    add("--counters", words.counters, "FILE",
        "Find the links of moves by the counters of links, CSV, in the place of running benchmarks");
    add("--report", words.report, "FILE", "Write a report, one HTML file: curves, measurements beside them");
    add("--footprints", words.footprints, "KIB,KIB",
        "Sizes at which latency or bandwidth of a GPU's loads is simulated; up to beyond all caches unless given");
    command
        ->add_flag("--latency", words.latency,
                   "Simulate the latency of a GPU's loads by footprint: the default of machines without CPUs")
        ->disable_flag_override();
    command
        ->add_flag("--bandwidth", words.bandwidth,
                   "Simulate the bandwidth of reads of all SMs by footprint, in the place of latencies")
        ->disable_flag_override();
    command->add_flag("--json", words.json, "Print all as one line of JSON")->disable_flag_override();
    command->add_flag("--quiet", words.quiet, "No tables")->disable_flag_override();
}

namespace {
/// As a share; without a value if it is not given.
std::optional<double> beyond_of(const CharacterizeWords& words) {
    if (words.beyond.empty()) return {};
    if (words.against.empty())
        throw ConfigError("--beyond", "there are no measurements; --against FILE is expected beside it");
    if (words.json || words.quiet)
        throw ConfigError("--beyond",
                          "it lists points below the tables; neither --json nor --quiet is allowed beside it");
    constexpr double kMost = 1e6, kPercent = 100;
    return number_of<double>("--beyond", words.beyond, 0.0, kMost, "a number of percent from 0 to 1000000") / kPercent;
}
/// Stride in KiB of algorithms 5.5 and 5.6, whose list has `2 PAGE_SIZE` elements of type size_t from one to the next.
unsigned stride_of_algorithms_kib(const Calibration& calibration) {
    constexpr unsigned kPages = 2, kElementBytes = 8;
    return kPages * calibration.page_kib * kElementBytes;
}

/// The machine with the words of the call; --stride and --threads stand in the place of its calibration's constants.
HostMachine machine_of(const CharacterizeWords& words) {
    std::vector<std::string> constants;
    if (!words.threads.empty())
        constants.push_back(
            fmt::format("faults.host_threads={}", number_of<unsigned>("--threads", words.threads, 1U, 1024U,
                                                                      "a number of threads from 1 to 1024")));
    if (words.stride == "algorithm") {
        const HostMachine as_it_is = load_host_machine(words.machine, words.set, words.calibration);
        constants.push_back(fmt::format("chase_kib={}", stride_of_algorithms_kib(as_it_is.calibration())));
    } else if (!words.stride.empty()) {
        constexpr unsigned kLeafKib = 64;
        const auto kib = number_of<unsigned>("--stride", words.stride, kLeafKib, 2048U,
                                             "a number of KiB from 64 to 2048, nor algorithm");
        if (kib % kLeafKib != 0)
            throw ConfigError("--stride", fmt::format("{} KiB are not whole leaves of the driver's tree; a multiple of "
                                                      "64 is expected",
                                                      kib));
        constants.push_back(fmt::format("chase_kib={}", kib));
    }
    return load_host_machine(words.machine, words.set, words.calibration, constants);
}

/// All series of the chosen benchmark, or of all.
std::vector<BenchmarkSeries> run_cases(const HostMachine& machine, const CharacterizeWords& words,
                                       std::uint64_t largest) {
    std::vector<BenchmarkCase> cases;
    for (const BenchmarkCase& what : benchmark_cases(machine))
        if (words.benchmark.empty() || kBenchmarks.name(what.benchmark) == words.benchmark) cases.push_back(what);
    ProgressLine line(ProgressLine::mode_for(stderr, words.quiet), stderr);
    std::vector<BenchmarkSeries> all;
    for (const BenchmarkCase& what : cases) {
        line.update(
            [&](double elapsed, bool bar) { return steps_text(all.size(), cases.size(), "series", elapsed, bar); });
        all.push_back(run_benchmark(machine, what, largest));
    }
    return all;
}

/// Links of moves by counters.
std::string counters_command(const CharacterizeWords& words) {
    const std::string json = words.json ? "given" : "";
    for (const auto& [option, word] :
         {std::pair{"--benchmark", &words.benchmark}, std::pair{"--largest", &words.largest},
          std::pair{"--csv", &words.csv}, std::pair{"--against", &words.against}, std::pair{"--beyond", &words.beyond},
          std::pair{"--report", &words.report}, std::pair{"--stride", &words.stride},
          std::pair{"--threads", &words.threads}, std::pair{"--json", &json}})
        if (!word->empty())
            throw ConfigError(option, "it is about benchmarks, and --counters asks for the links of moves; --set, "
                                      "--calibration and --quiet are allowed beside it");
    const HostMachine machine = load_host_machine(words.machine, words.set, words.calibration);
    const std::vector<CountedMove> moves = read_counted(words.counters, machine);
    if (words.quiet) return "";
    return fmt::format(
               "{}: links of {} by their counters, what these saw beyond the data, and the way of predictions\n",
               escaped(machine.title()), moves.size() == 1 ? "one move" : fmt::format("{} moves", moves.size())) +
           escaped(counted_paths_text(machine, moves), true);
}

} // namespace

std::string characterize_command(const CharacterizeWords& words) {
    refuse_outputs({{"--csv", words.csv}, {"--report", words.report}});
    if (asks_for_latency(words)) return latency_command(words);
    if (!words.counters.empty()) return counters_command(words);
    const std::optional<double> beyond = beyond_of(words);
    if (!words.benchmark.empty() && !kBenchmarks.find(words.benchmark))
        throw ConfigError("--benchmark", unknown_name("benchmark", words.benchmark, kBenchmarks.names()));
    const auto largest =
        (words.largest.empty() ? std::uint64_t{8192}
                               : number_of<std::uint64_t>("--largest", words.largest, std::uint64_t{1},
                                                          std::uint64_t{8192}, "a number of MiB from 1 to 8192"))
        << 20;
    const HostMachine machine = machine_of(words);
    const ReportFiles report_files = words.report.empty() ? ReportFiles() : find_report_files();
    MeasuredComparison comparison;
    if (!words.against.empty())
        comparison = compare_measured(machine, read_measured(words.against), words.against, words.benchmark, largest);
    const std::vector<BenchmarkSeries> all = run_cases(machine, words, largest);
    const std::vector<Finding> findings = words.benchmark.empty() ? find_findings(machine) : std::vector<Finding>();
    if (!words.quiet)
        for (const std::string& sentence : machine.assumed()) fmt::print(stderr, "numavp: {}\n", escaped(sentence));
    if (!words.csv.empty()) {
        WholeFile file(words.csv, "--csv");
        file.out() << measured_text(machine, all);
        file.keep();
    }
    const std::vector<const BenchmarkSeries*> first = shown(machine, all);
    if (!words.report.empty())
        write_report_file(words.report,
                          report_html(characterize_report(machine, first, findings, comparison), report_files));
    const MeasuredComparison* compared = words.against.empty() ? nullptr : &comparison;
    if (words.json)
        return json_line("characterize", characterize_json(machine, all, findings, compared, words.benchmark));
    if (words.quiet) return "";
    const Style style = style_of(STDOUT_FILENO);
    std::string text = fmt::format("{}: {} CPUs, {} GPUs, {} series; GB/s by size, the first pair of each kind\n\n",
                                   escaped(machine.title()), machine.cpus(), machine.gpus(), all.size());
    std::vector<const BenchmarkSeries*> rows = first;
    if (!words.benchmark.empty()) {
        rows.clear();
        for (const BenchmarkSeries& series : all) rows.push_back(&series);
    }
    text += series_text(machine, rows, style);
    const std::vector<std::string> without = without_pairs(machine, words.benchmark);
    for (const std::string& sentence : without) text += "  " + escaped(sentence) + "\n";
    if (!without.empty()) text += "\n";
    if (words.benchmark.empty()) text += gpu_matrix_text(gpu_matrix(machine), style);
    if (!findings.empty()) text += findings_text(findings, style);
    if (compared) text += comparison_text(machine, comparison, beyond, style);
    return text + (words.report.empty() ? "" : "\nreport in " + words.report + "\n");
}

} // namespace numavp
