/// Fuzz target of recordings: any bytes are told to be of a form or none, and are refused by a sentence or become a
/// graph whose file can be read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "communication/graph/graph_file.h"
#include "communication/records/chakra_graph.h"
#include "communication/records/cprof_reader.h"
#include "communication/records/nsight_reader.h"
#include "communication/records/recording_form.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

std::optional<RecordedGraph> graph_of(const std::string& input) {
    std::istringstream in(input);
    const std::optional<RecordingForm> form = recording_form(in);
    if (!form) return {};
    switch (*form) {
    case RecordingForm::database: return read_nsight(test::input_file("app.sqlite", input)); // SQLite opens files alone
    case RecordingForm::records: {
        std::istringstream again(input);
        return read_cprof(again, "fuzz");
    }
    case RecordingForm::chakra: {
        const ChakraTrace trace = read_chakra(input, "fuzz");
        return chakra_graph({trace, trace}, 1.0); // two ranks: collectives become rings
    }
    case RecordingForm::graph:
        return RecordedGraph{make_graph(read_config<AppGraphFile>(parse_json(input, "fuzz"), "fuzz"), "fuzz"), {}};
    case RecordingForm::workload: break; // told, and no more: what makes graphs of workloads runs their kernels
    }
    return {};
}

void read_records(const std::string& input) {
    const std::optional<RecordedGraph> made = graph_of(input);
    if (!made) return;
    if (made->graph.steps.empty()) std::abort();
    const ordered_json written = graph_json(made->graph);
    const AppGraph read = make_graph(read_config<AppGraphFile>(parse_json(written.dump(), "fuzz"), "fuzz"), "fuzz");
    if (graph_json(read) != written) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, read_records);
}
