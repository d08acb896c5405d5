#include "communication/records/find_recording.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/config/large_config.h"
#include "base/values/error.h"
#include "common/files/config_folders.h"
#include "common/inputs/named_workload.h"
#include "common/inputs/workload_names.h"
#include "common/system/load_system.h"
#include "communication/graph/find_graph.h"
#include "communication/graph/graph_file.h"
#include "communication/records/chakra_graph.h"
#include "communication/records/cprof_reader.h"
#include "communication/records/nsight_reader.h"
#include "communication/records/recording_form.h"

namespace numavp {

namespace fs = std::filesystem;

namespace {

constexpr const char* kKnown = "an SQLite export of Nsight Systems, records of the thesis' tracer (.cprof), execution "
                               "traces of Chakra, a workload or an application graph is expected";

using Form = RecordingForm;

/// ConfigError where there is nothing to read.
void check_file(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) throw ConfigError(path, "this is a folder; a file is expected");
    if (!fs::exists(path, ignored)) throw ConfigError(path, "there is no such file");
    if (!fs::is_regular_file(path, ignored)) throw ConfigError(path, "this is no regular file; one is expected");
}

[[noreturn]] void refuse_system(const std::string& path) {
    throw ConfigError(path, std::string("this is a system; graph takes no machine: ") + kKnown);
}

Form form_of(const std::string& path) {
    check_file(path);
    std::ifstream in(path, std::ios::binary);
    if (const std::optional<Form> form = recording_form(in)) return *form;
    in.clear();
    in.seekg(0);
    char first = ' ';
    in >> first;
    std::error_code ignored;
    if (first == '{' && fs::file_size(path, ignored) > kMostGraphBytes)
        throw ConfigError(path,
                          fmt::format("it has more than {} MiB, the most that is allowed, and what it is can't be "
                                      "told; {}",
                                      kMostGraphBytes >> 20, kKnown));
    if (first == '{') {
        in.seekg(0);
        const json itself = json::parse(in, nullptr, false);
        for (const char* member : {"network", "sockets", "parts"})
            if (itself.is_object() && itself.contains(member)) refuse_system(path);
        if (itself.is_object() && itself.contains("extends") && itself["extends"].is_string() &&
            !system_file(itself["extends"].get<std::string>()).empty())
            refuse_system(path);
        // A file that extends another may say nothing itself.
        const json whole = load_large_document(path, kMostGraphBytes).value;
        if (whole.contains("steps")) return Form::graph;
        if (whole.contains("phases") || (whole.contains("kernels") && whole["kernels"].is_array()))
            return Form::workload;
    }
    throw ConfigError(path, std::string("what it is can't be told; ") + kKnown);
}

/// The rank in "name.7.et".
std::optional<std::uint64_t> rank_of(const std::string& path) {
    const std::string stem = fs::path(path).stem().string();
    const std::string digits = stem.substr(stem.rfind('.') + 1);
    std::uint64_t rank = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    if (error != std::errc{} || stop != digits.data() + digits.size()) return {};
    return rank;
}

/// Options are refused where they would do nothing.
void check_options(const RecordingOptions& options, Form form, const std::string& file) {
    const auto check = [&](const char* option, bool given, Form of, const char* what) {
        if (given && form != of)
            throw ConfigError(option, fmt::format("'{}' is no {}; it is allowed with one", quotable(file), what));
    };
    for (const auto& [option, given] : {std::pair("--times", !options.times.results.empty()),
                                        std::pair("--gbytes-per-s", options.times.gbytes_per_s > 0),
                                        std::pair("--host-gbytes-per-s", options.times.host_gbytes_per_s > 0),
                                        std::pair("--scale", !options.scale.empty())})
        check(option, given, Form::workload, "workload");
    check("--tflops", options.tflops > 0, Form::chakra, "trace of Chakra");
}

RecordedGraph graph_of_traces(std::vector<std::string> files, double tflops) {
    std::vector<bool> numbered(files.size());
    bool all = true;
    for (const std::string& file : files) {
        const std::optional<std::uint64_t> rank = rank_of(file);
        all = all && rank && *rank < files.size() && !numbered[*rank];
        if (all) numbered[*rank] = true;
    }
    if (all)
        std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return *rank_of(a) < *rank_of(b); });
    std::vector<ChakraTrace> traces;
    for (const std::string& file : files) {
        if (form_of(file) != Form::chakra)
            throw ConfigError(file, "several files are traces of Chakra, one a rank; this is none");
        traces.push_back(read_chakra_file(file));
    }
    return chakra_graph(traces, tflops);
}

RecordedGraph graph_of_workload(const std::string& name, const RecordingOptions& options) {
    const NamedWorkload named = load_named_workload(name, "", options.scale, "--");
    RecordedGraph made = program_graph(named.workload, options.times);
    made.graph.name = named.workload.name;
    made.graph.description = named.workload.description;
    return made;
}

RecordedGraph read_one(const std::string& file, const RecordingOptions& options) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
        for (const NamedFile& graph : list_graphs())
            if (graph.name == file) {
                check_options(options, Form::graph, file);
                return {load_graph(graph.path), {}};
            }
        if (fs::exists(file, ignored) || file.find('/') != std::string::npos || fs::path(file).has_extension())
            check_file(file);
        check_options(options, Form::workload, file);
        if (workload_json(file, workload_folders(file)).empty() && !system_file(file).empty()) refuse_system(file);
        return graph_of_workload(file, options);
    }
    const Form form = form_of(file);
    check_options(options, form, file);
    switch (form) {
    case Form::database: return read_nsight(file);
    case Form::workload: return graph_of_workload(file, options);
    case Form::graph: return {load_graph(file), {}};
    case Form::chakra: return graph_of_traces({file}, options.tflops);
    case Form::records: break;
    }
    std::ifstream in(file);
    return read_cprof(in, file);
}

} // namespace

namespace {
/// What the file of a graph must hold: steps that wait for each other, for one, a recording may have.
void check_graph(const AppGraph& graph, const std::string& file) {
    const Place place("the graph of " + file);
    make_graph(read_config<AppGraphFile>(graph_json(graph), place), place);
}
} // namespace

CheckedTrace check_chakra_trace(const std::string& file) {
    const ChakraTrace trace = read_chakra_file(file);
    constexpr double kAnyRate = 1; // --tflops of graph
    RecordedGraph made = chakra_graph_of_one(trace, kAnyRate);
    made.graph.name = fs::path(file).stem().string();
    check_graph(made.graph, file);
    return {trace.nodes.size(), std::move(made.notes)};
}

RecordedGraph read_recording(const std::vector<std::string>& files, const RecordingOptions& options) {
    if (files.size() > 1) check_options(options, Form::chakra, files[0]);
    RecordedGraph made = files.size() == 1 ? read_one(files[0], options) : graph_of_traces(files, options.tflops);
    if (made.graph.name.empty()) made.graph.name = fs::path(files[0]).stem().string();
    check_graph(made.graph, files[0]);
    return made;
}

} // namespace numavp
