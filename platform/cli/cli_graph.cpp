#include "platform/cli/cli_graph.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "communication/graph/graph_file.h"
#include "communication/graph/graph_svg.h"
#include "communication/records/find_recording.h"

namespace numavp {

void add_graph(CLI::App& app, GraphWords& words) {
    CLI::App* command = app.add_subcommand("graph", "An application graph from a recording or a host program");
    command
        ->add_option(
            "FILE", words.files,
            "Nsight Systems' SQLite export, .cprof records, Chakra traces (one a rank), a workload, or a graph")
        ->type_name("")
        ->required();
    const auto add = [command](const char* name, std::string& word, const char* type, const char* doc) {
        command->add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--out", words.out, "FILE", "Write it there instead of printing it");
    add("--svg", words.svg, "FILE", "Draw it there; without --out the graph itself is not printed then");
    add("--name", words.name, "NAME", "Name of the application; as the file unless given");
    add("--times", words.times, "RESULTS", "Results of a run of the workload, for the times of its kernels");
    add("--gbytes-per-s", words.gbytes_per_s, "X", "Rate of a workload's kernels without a time");
    add("--host-gbytes-per-s", words.host_gbytes_per_s, "X", "Rate of a workload's host phases");
    add("--scale", words.scale, "X", "Factor on a workload's problem size");
    add("--tflops", words.tflops, "X", "Rate of a Chakra trace's nodes that have operations and no duration");
    command->add_flag("--quiet", words.quiet, "Do not say what was assumed")->disable_flag_override();
}

namespace {
double rate_of(const char* option, const std::string& text) {
    constexpr double kLeast = 1e-6, kMost = 1e9;
    return text.empty() ? 0 : number_of<double>(option, text, kLeast, kMost, "a number from 0.000001 to 1000000000");
}

void write_whole(const std::string& path, const char* option, const std::string& text) {
    WholeFile file(path, option);
    file.out() << text;
    file.keep();
}
} // namespace

std::string graph_command(const GraphWords& words) {
    refuse_outputs({{"--out", words.out}, {"--svg", words.svg}});
    std::vector<std::string> recordings = {words.times}; // a graph passes through and may take its own place
    std::copy_if(words.files.begin(), words.files.end(), std::back_inserter(recordings),
                 [](const std::string& file) { return std::filesystem::path(file).extension() != ".json"; });
    if (!words.out.empty()) refuse_to_replace({"--out", words.out}, recordings);
    if (!words.svg.empty()) refuse_to_replace({"--svg", words.svg}, words.files);
    RecordingOptions options;
    options.times.results = words.times;
    options.times.gbytes_per_s = rate_of("--gbytes-per-s", words.gbytes_per_s);
    options.times.host_gbytes_per_s = rate_of("--host-gbytes-per-s", words.host_gbytes_per_s);
    options.tflops = rate_of("--tflops", words.tflops);
    options.scale = words.scale;
    RecordedGraph recorded = read_recording(words.files, options);
    if (!words.name.empty()) recorded.graph.name = words.name;
    const std::string text = graph_json(recorded.graph).dump(1) + "\n";
    if (text.size() > kMostGraphBytes && (!words.out.empty() || words.svg.empty()))
        throw ConfigError(words.files[0],
                          fmt::format("its graph would be a file of {} MiB; at most {} can be read again",
                                      text.size() >> 20, kMostGraphBytes >> 20));
    if (!words.quiet)
        for (const std::string& note : recorded.notes) fmt::print(stderr, "numavp: {}\n", escaped(note));
    if (!words.svg.empty()) write_whole(words.svg, "--svg", graph_svg(recorded.graph));
    if (words.out.empty()) return words.svg.empty() ? text : "";
    write_whole(words.out, "--out", text);
    return "";
}

} // namespace numavp
