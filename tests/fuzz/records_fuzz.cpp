/// Fuzz target of recordings: any bytes are refused by a sentence, or become a graph whose file can be read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "models/appgraph/graph_file.h"
#include "models/base/error.h"
#include "platform/records/chakra_graph.h"
#include "platform/records/cprof_reader.h"

namespace {

using namespace numavp;

void read_all(const std::string& input) {
    RecordedGraph made;
    if (!input.empty() && input[0] == '{') {
        std::istringstream in(input);
        made = read_cprof(in, "fuzz");
    } else {
        const ChakraTrace trace = read_chakra(input, "fuzz");
        made = chakra_graph({trace, trace}, 1.0); // two ranks: collectives become rings
    }
    if (made.graph.steps.empty()) std::abort();
    const ordered_json written = graph_json(made.graph);
    const AppGraph read = make_graph(read_config<AppGraphFile>(parse_json(written.dump(), "fuzz"), "fuzz"), "fuzz");
    if (graph_json(read) != written) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        read_all(std::string(reinterpret_cast<const char*>(data), size));
    } catch (const ConfigError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) std::abort(); // one sentence, one line
    }
    return 0;
}
