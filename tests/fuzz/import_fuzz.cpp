/// Fuzz target of the topology files: any bytes are refused by a sentence, or make a machine whose graph, paths and
/// file can be written. Several files are parted by a line "%%".
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "communication/import/found_paths.h"
#include "communication/import/join_sources.h"
#include "communication/import/machine_writer.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

void import_all(const std::string& input) {
    std::vector<ImportSource> sources;
    for (std::size_t from = 0; from != std::string::npos;) {
        const std::size_t mark = input.find("\n%%\n", from);
        sources.push_back(read_source(input.substr(from, mark == std::string::npos ? mark : mark - from), "fuzz"));
        from = mark == std::string::npos ? mark : mark + 4;
    }
    if (const auto* network = std::get_if<AnyNetwork>(&sources.front()); network && sources.size() == 1) {
        parse_json(machine_text(make_network_file(*network, "fuzz").system), "file");
        return;
    }
    const FoundMachine machine = join_sources(sources);
    for (const FoundLink& link : machine.links)
        if (link.a >= machine.parts.size() || link.b >= machine.parts.size()) std::abort();
    for (const FoundNode& node : machine.nodes)
        if (node.part >= machine.parts.size()) std::abort();
    if (edge_list(machine).empty() && machine.parts.empty()) std::abort();
    paths_text(machine);
    parse_json(machine_text(make_machine_file(machine, "fuzz").system), "file");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, import_all);
}
