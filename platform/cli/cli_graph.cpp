#include "platform/cli/cli_graph.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "models/appgraph/graph_file.h"
#include "platform/cli/cli_text.h"
#include "platform/files/whole_file.h"
#include "platform/predict/nsight_reader.h"

namespace numavp {

void add_graph(CLI::App& app, GraphWords& words) {
    CLI::App* command = app.add_subcommand("graph", "An application graph from a recording of Nsight Systems");
    command->add_option("FILE", words.file, "SQLite file, as nsys export --type sqlite writes it")
        ->type_name("")
        ->required();
    const auto add = [command](const char* name, std::string& word, const char* type, const char* doc) {
        command->add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--out", words.out, "FILE", "Write it there instead of printing it");
    add("--name", words.name, "NAME", "What the application is called; as the file unless given");
    command->add_flag("--quiet", words.quiet, "Do not say what was assumed")->disable_flag_override();
}

std::string graph_command(const GraphWords& words) {
    RecordedGraph recorded = read_nsight(words.file);
    recorded.graph.name = words.name.empty() ? std::filesystem::path(words.file).stem().string() : words.name;
    std::string text = graph_json(recorded.graph).dump(1) + "\n";
    if (!words.quiet)
        for (const std::string& note : recorded.notes) fmt::print(stderr, "numavp: {}\n", escaped(note));
    if (words.out.empty()) return text;
    WholeFile file(words.out, "--out");
    file.out() << text;
    file.keep();
    return "";
}

} // namespace numavp
