#include "platform/cli/cli_check.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/files/config_folders.h"
#include "common/files/document_kind.h"
#include "common/inputs/workload_names.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "common/system/narrow_ends.h"
#include "common/words/text.h"
#include "communication/graph/graph_file.h"
#include "communication/records/find_recording.h"
#include "communication/records/recording_form.h"
#include "platform/accesses/access_output.h"
#include "platform/machine/system.h"
#include "platform/results/results_check.h"
#include "platform/study/study_names.h"
#include "platform/study/study_worker.h"
#include "sw/traces/kernelslist.h"
#include "sw/traces/mem_trace.h"
#include "sw/traces/trace_kernel.h"
#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"

namespace numavp {

namespace fs = std::filesystem;

namespace {

std::string plural(std::uint64_t n, const std::string& what) { return grouped(n) + " " + what + (n == 1 ? "" : "s"); }

std::string traced(const Workload& workload) {
    Footprint footprint;
    const StreamCounts counts = count_workload(workload, &footprint);
    std::uint64_t kernels = 0;
    for (const Launch& launch : workload.launches) kernels += launch.kernel ? 1 : 0;
    const std::string absent =
        counts.blocks < workload.total_blocks() ? fmt::format(" ({} in the files)", grouped(counts.blocks)) : "";
    const std::string unknown = unknown_opcodes_text(unknown_opcodes(workload));
    return fmt::format("{}, {}{}, {}, {} with {} sectors of 32 bytes, {} touched, {} copied between host and device{}",
                       plural(kernels, "kernel"), plural(workload.total_blocks(), "thread block"), absent,
                       plural(counts.warp_instructions, "warp instruction"),
                       plural(counts.memory_instructions, "memory instruction"), grouped(counts.sectors),
                       bytes_text(footprint.bytes()), bytes_text(counts.copied_bytes),
                       unknown.empty() ? "" : "; " + unknown);
}

std::string check_workload_file(const ConfigDocument& document) {
    Workload workload = read_workload(document.value, document.place());
    if (workload.name.empty()) workload.name = std::filesystem::path(document.file).stem().string();
    std::uint64_t warps = 0, kernels = 0, copies = 0, copied = 0, phases = 0, instructions = 0;
    for (const Launch& launch : workload.launches) {
        if (launch.host) {
            ++phases;
            instructions += launch.host->all_instructions();
            continue;
        }
        if (!launch.kernel) {
            ++copies;
            copied += launch.bytes;
            continue;
        }
        ++kernels;
        warps += launch.kernel->shape().blocks * launch.kernel->shape().warps();
    }
    const std::string moved =
        copies == 0 ? ""
                    : fmt::format(", {} cop{} of {}", grouped(copies), copies == 1 ? "y" : "ies", bytes_text(copied));
    const std::string worked = phases == 0 ? ""
                                           : fmt::format(", {} of the host of {}", plural(phases, "phase"),
                                                         plural(instructions, "instruction"));
    return fmt::format("workload {}: {} kernel launch{}, {} ({:.0f} a launch, weighted by accesses), {}, {}, "
                       "footprint {}{}{}",
                       workload.name, grouped(kernels), kernels == 1 ? "" : "es",
                       plural(workload.total_blocks(), "thread block"), workload.weighted_blocks(),
                       plural(warps, "warp"), grouped(declared_accesses(workload)) + " accesses by warps",
                       bytes_text(workload.footprint_bytes()), moved, worked);
}

std::string check_system_file(const std::string& path, const std::vector<std::string>& settings) {
    const SystemConfig c = load_system(path, settings);
    std::uint64_t modules = 0;
    for (const SystemPart& part : describe_parts(c)) modules += std::uint64_t{part.count} * part.sockets;
    const SystemTotals all = system_totals(c);
    std::string network = has_network(c) ? ", " + network_words(c) : "";
    if (has_network(c))
        for (const std::string& sentence : narrow_ends(c, system_network(c, Place("system"))))
            network += "; " + sentence;
    return fmt::format("system {}: {}, {} modules, {} SMs, {} of L2, {:g} GB/s and {} of memory{}", c.name,
                       plural(c.sockets, "socket"), grouped(modules), grouped(all.sms), bytes_text(all.l2_bytes),
                       all.memory_gbps, bytes_text(all.memory_bytes), network);
}

std::string graph_text(const AppGraph& graph) {
    std::uint64_t copied = 0;
    for (const AppStep& step : graph.steps)
        if (step.kind == AppStepKind::copy) copied += graph.values[step.reads[0]].bytes;
    return fmt::format("{}, {}, {} copied", plural(graph.values.size(), "value"), plural(graph.steps.size(), "step"),
                       bytes_text(copied));
}

std::string check_graph_file(const std::string& path) {
    const AppGraph graph = load_graph(path);
    return fmt::format("application graph {}: {}", graph.name, graph_text(graph));
}

/// Describes the graph that a recording becomes; empty if the file is no recording.
std::string check_recording(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::optional<RecordingForm> form = recording_form(in);
    const char* what = form == RecordingForm::database  ? "export of Nsight Systems"
                       : form == RecordingForm::records ? "records of the thesis' tracer"
                       : form == RecordingForm::chakra  ? "Chakra trace"
                                                        : nullptr;
    if (!what) return "";
    if (form == RecordingForm::chakra) {
        const CheckedTrace checked = check_chakra_trace(path);
        std::string text = fmt::format("{}: {}", what, plural(checked.nodes, "node"));
        for (const std::string& note : checked.notes) text += "; " + note;
        return text;
    }
    const RecordedGraph made = read_recording({path}, {});
    return fmt::format("{}: {}", what, graph_text(made.graph));
}

/// No point has run as far as a check is concerned.
struct NoResults final : PointResults {
    PointState state(const std::string& /*key*/) const override { return PointState::missing; }
    std::vector<double> values(const std::string& /*key*/, const std::string& /*path*/) const override { return {}; }
    std::vector<double> kernel_values(const std::string& /*key*/, const std::string& /*kernel*/,
                                      const std::string& /*path*/) const override {
        return {};
    }
};

std::string check_study(const std::string& path) {
    const Study study = load_study(path);
    const StudyPlanner planner(study, "");
    check_metric_paths(planner);
    const StudyPlan plan = planner.plan(NoResults());
    std::size_t rows = 0;
    for (const StudyFigure& figure : study.figures) rows += figure.file.paper.size();
    return fmt::format("study {}: {}, {}{}, {} of the paper", study.name, plural(study.figures.size(), "figure"),
                       plural(plan.points.size(), "point"), plan.waiting() ? " and those of selections" : "",
                       plural(rows, "number"));
}

void refuse_settings(const std::vector<std::string>& settings, const std::string& path) {
    if (!settings.empty())
        throw ConfigError("--set",
                          fmt::format("'{}' is no system; settings are allowed with systems alone", quotable(path)));
}

std::string check_json(const std::string& path, const std::vector<std::string>& settings) {
    const ConfigDocument document = load_document(path, system_file);
    const json& value = document.value;
    if (!value.is_object())
        throw ConfigError(document.place(),
                          "this is not an object; a system, workload, study or application graph is expected");
    const DocumentKind kind = document_kind(value);
    if (kind == DocumentKind::system || kind == DocumentKind::unknown) return check_system_file(path, settings);
    refuse_settings(settings, path);
    if (kind == DocumentKind::results) return check_of_a_run(document);
    if (kind == DocumentKind::workload) return check_workload_file(document);
    return kind == DocumentKind::study ? check_study(path) : check_graph_file(path);
}

/// The file that `check` was asked for: a path, or the name of a system or workload that the folders of configurations
/// have.
std::string path_to_check(const std::string& asked) {
    std::string path = shipped_path(asked);
    std::error_code ignored;
    if (fs::exists(path, ignored) || is_path(asked)) return path;
    if (std::string system = system_file(asked); !system.empty()) return system;
    if (std::string workload = find_workload(asked, config_folders("workloads")); !workload.empty()) return workload;
    return path;
}

/// Another command reads it.
std::string reader_of(const fs::path& path) {
    const std::string extension = path.extension().string();
    for (const char* topology : {".xml", ".txt"})
        if (extension == topology) return "; numavp import reads topologies of machines";
    return "";
}

} // namespace

std::vector<std::string> files_to_check(const std::string& asked) {
    const std::string path = shipped_path(asked);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored) || holds_results(path)) return {asked};
    std::vector<std::string> files;
    bool study = false, other = false;
    for (const auto& entry : fs::directory_iterator(path)) {
        if (entry.path().extension() != ".json") continue;
        files.push_back(entry.path().string());
        try {
            const DocumentKind kind = document_kind(load_json_file(files.back()));
            study |= kind == DocumentKind::study;
            other |= kind != DocumentKind::study && kind != DocumentKind::unknown;
        } catch (const ConfigError&) {} // its own check says what is wrong
    }
    if (files.empty() || (study && !other)) return {asked};
    std::sort(files.begin(), files.end());
    return files;
}

std::string check_file(const std::string& asked, const std::vector<std::string>& settings) {
    const std::string path = path_to_check(asked);
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        throw ConfigError(path, is_path(asked)
                                    ? "there is no such file; a file to check is expected"
                                    : "there is no such file, system or workload; 'numavp list' has the names "
                                      "of systems and workloads");
    if (fs::path(path).extension() != ".json") refuse_settings(settings, path);
    if (fs::is_directory(path, ignored)) {
        if (holds_results(path)) return path + ": " + check_results_folder(path);
        return path + ": " + check_study(path);
    }
    if (fs::path(path).filename().string().compare(0, 11, "kernelslist") == 0)
        return path + ": SASS traces: " + traced(read_kernelslist(path));
    if (is_mem_trace(path)) return path + ": accesses of mem_trace: " + traced(read_mem_trace(path));
    if (is_trace(path)) return path + ": SASS trace: " + traced(read_single_trace(path));
    if (const std::string log = check_access_log(path); !log.empty()) return path + ": " + log;
    if (fs::path(path).extension() == ".json") return path + ": " + check_json(path, settings);
    if (const std::string recording = check_recording(path); !recording.empty()) return path + ": " + recording;
    throw ConfigError(path, "neither its name nor its content says what it is; .json, .traceg[.xz], .tracez, "
                            ".memtrace[.xz], kernelslist.g and recordings that numavp graph reads are allowed" +
                                reader_of(path));
}

} // namespace numavp
