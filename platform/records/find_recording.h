/// What a file of an application is, found by its content.
#pragma once

#include <string>
#include <vector>

#include "platform/records/program_graph.h"
#include "platform/records/recorded_graph.h"

namespace numavp {

struct RecordingOptions {
    ProgramTimes times;
    double tflops = 0; ///< as of chakra_graph
    std::string scale; ///< of a workload, as it was typed
};

/// One file: an export of Nsight Systems, records of the thesis' tracer, a workload by name or file, an application
/// graph. Or Chakra's traces, one a rank: "name.7.et" is rank 7, and without such numbers they count as they stand.
/// The graph has a name, and `load_graph` takes its file. ConfigError if it is none of these, or a fault in it.
RecordedGraph read_recording(const std::vector<std::string>& files, const RecordingOptions& options);

} // namespace numavp
