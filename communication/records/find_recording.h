/// Reads recordings of applications of any kind, which is detected by content.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "communication/records/program_graph.h"
#include "communication/records/recorded_graph.h"

namespace numavp {

struct RecordingOptions {
    ProgramTimes times;
    double tflops = 0; ///< as of chakra_graph
    std::string scale; ///< of a workload, as it was typed
};

/// Reads one file: an export of Nsight Systems, records of the thesis' tracer, a workload by name or file, or an
/// application graph. Or Chakra's traces, one per rank: "name.7.et" is rank 7; without such numbers the order counts.
/// The graph has a name, and `load_graph` can read its file. ConfigError if it is none of these, or has an error.
RecordedGraph read_recording(const std::vector<std::string>& files, const RecordingOptions& options);

/// Finds in one rank's trace of Chakra what read_recording() would refuse with the traces of the others beside it.
struct CheckedTrace {
    std::size_t nodes = 0;
    std::vector<std::string> notes;
};
CheckedTrace check_chakra_trace(const std::string& file);

} // namespace numavp
