#include "platform/cli/cli_import.h"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/error.h"
#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/words/text.h"
#include "communication/import/any_network.h"
#include "communication/import/found_paths.h"
#include "communication/import/join_sources.h"
#include "communication/import/machine_writer.h"
#include "communication/import/os_devices.h"
#include "communication/import/this_machine.h"
#include "platform/cli/json_output.h"

namespace numavp {

namespace {

void say(const ImportNotes& notes) {
    for (const std::string& sentence : notes) fmt::print(stderr, "numavp: {}\n", escaped(sentence));
}

ordered_json part_json(const FoundPart& part) {
    ordered_json json{{"type", kPartTypes.name(part.type)}, {"name", part.name}};
    if (!part.bus.empty()) json["bus"] = part.bus;
    if (!part.model.empty()) json["model"] = part.model;
    if (part.cuda) json["cuda"] = *part.cuda;
    if (part.memory_bytes != 0) json["memory_bytes"] = part.memory_bytes;
    if (part.cores != 0) json["cores"] = part.cores;
    if (part.sms != 0) json["sms"] = part.sms;
    if (!part.cpus.empty()) json["cpus"] = part.cpus.text();
    return json;
}

ordered_json graph_json(const FoundMachine& machine, const ImportNotes& notes) {
    ordered_json json{{"name", machine.name},           {"parts", ordered_json::array()},
                      {"links", ordered_json::array()}, {"nodes", ordered_json::array()},
                      {"paths", ordered_json::array()}, {"assumed", notes}};
    for (const FoundPart& part : machine.parts) json["parts"].push_back(part_json(part));
    for (const FoundLink& link : machine.links) {
        const unsigned generation = nvlink_generation(machine, link);
        json["links"].push_back({{"type", kLinkTypes.name(link.type)},
                                 {"from", machine.parts[link.a].name},
                                 {"to", machine.parts[link.b].name},
                                 {"gbytes_per_s", link.gbytes_per_s},
                                 {"lanes", link.type == LinkType::nv ? ordered_json(link.lanes) : ordered_json()},
                                 {"generation", generation != 0 ? ordered_json(generation) : ordered_json()}});
    }
    for (const FoundNode& node : machine.nodes)
        json["nodes"].push_back({{"id", node.id},
                                 {"part", machine.parts[node.part].name},
                                 {"memory_bytes", node.memory_bytes},
                                 {"cpus", node.cpus.text()}});
    for (const FoundPath& path : found_paths(machine)) {
        ordered_json parts = ordered_json::array();
        for (const std::size_t part : path.parts) parts.push_back(machine.parts[part].name);
        json["paths"].push_back({{"from", path.from.name},
                                 {"to", path.to.name},
                                 {"parts", path.links.empty() ? ordered_json::array() : parts},
                                 {"gbytes_per_s", path.gbytes_per_s}});
    }
    return json;
}

/// Name of the machine: as asked for, by its firmware, or by the first file.
std::string name_of(const ImportWords& words, const std::string& found) {
    if (!words.name.empty()) return words.name;
    if (!found.empty()) return found;
    return words.files.empty() ? "here" : std::filesystem::path(words.files.front()).stem().string();
}

struct Imported {
    std::string text;
    ImportNotes notes;
};

Imported import_machine(const ImportWords& words, const FoundMachine& machine) {
    if (words.json) return {json_line("import", graph_json(machine, machine.notes)), machine.notes};
    if (words.graph || words.paths)
        return {escaped(words.graph ? edge_list(machine) : paths_text(machine), true), machine.notes};
    const MachineText made = make_machine_file(machine, name_of(words, machine.name));
    Imported out{machine_text(made.system), machine.notes};
    out.notes.insert(out.notes.end(), made.notes.begin(), made.notes.end());
    return out;
}

Imported import_network(const ImportWords& words, const AnyNetwork& network) {
    if (words.paths || words.json)
        throw ConfigError(words.paths ? "--paths" : "--json",
                          "a network file of BookSim has no NUMA nodes and devices; --graph or none is expected");
    if (!words.gpu.empty() || !words.cpu.empty())
        throw ConfigError(words.gpu.empty() ? "--cpu" : "--gpu", "a network file of BookSim has no GPUs and no CPUs");
    if (words.graph) return {edge_list(network), {}};
    MachineText made = make_network_file(network, name_of(words, ""));
    return {machine_text(made.system), std::move(made.notes)};
}

} // namespace

void add_import(CLI::App& app, ImportWords& words) {
    CLI::App* import = app.add_subcommand(
        "import", "A machine file from topology files of hwloc, NCCL, nvidia-smi, rocm-smi, numactl, one or several");
    import
        ->add_option(
            "FILE", words.files,
            "hwloc XML (lstopo machine.xml), NCCL's topology XML, what nvidia-smi topo -m, rocm-smi --showtopo or "
            "numactl -H prints, or one network file of BookSim's anynet")
        ->type_name("");
    import->add_flag("--here", words.here, "The machine that this runs on, as hwloc finds it")->disable_flag_override();
    const auto add = [&](const char* name, std::string& word, const char* type, const char* doc) {
        return import->add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--out", words.out, "FILE", "Write it there instead of printing it");
    add("--name", words.name, "NAME", "Name of the machine; as its firmware says unless given");
    add("--gpu", words.gpu, "MODEL", "The GPUs, where no file names them: P100, V100, A100, ...");
    add("--cpu", words.cpu, "MODEL", "The CPUs, where no file names them: POWER8, POWER9, ...");
    const auto instead = [import](const char* name, bool& word, const char* doc) {
        import->add_flag(name, word, doc)->disable_flag_override();
    };
    instead("--graph", words.graph, "Print the parts' links as they were found, an edge a line, not a machine file");
    instead("--paths", words.paths, "Print the way of each two NUMA nodes and CUDA devices over these links");
    instead("--json", words.json, "Print parts, links and paths as they were found, as JSON");
    import->add_flag("--quiet", words.quiet, "Do not say what was assumed")->disable_flag_override();
}

std::string import_command(const ImportWords& words) {
    if (words.files.empty() && !words.here)
        throw ConfigError(
            "command line",
            "import names no file; files of hwloc, NCCL, nvidia-smi, rocm-smi or numactl are expected, or --here");
    if (int{words.graph} + int{words.paths} + int{words.json} > 1)
        throw ConfigError("command line", "--graph, --paths and --json do not go together; one of them is allowed");
    refuse_outputs({{"--out", words.out}}, words.files);
    std::vector<ImportSource> sources;
    if (words.here) sources.emplace_back(this_machine());
    for (const std::string& file : words.files) sources.push_back(read_source_file(file));
    Imported made;
    if (const auto* network = std::get_if<AnyNetwork>(&sources.front()); network && sources.size() == 1)
        made = import_network(words, *network);
    else
        made = import_machine(words, join_sources(sources, {words.gpu, words.cpu}));
    if (!words.out.empty()) {
        WholeFile file(words.out, "--out");
        file.out() << made.text;
        file.keep();
    }
    if (!words.quiet) say(made.notes);
    return words.out.empty() ? made.text : std::string();
}

} // namespace numavp
