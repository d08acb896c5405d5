/// One machine of several files: each completes the others, and what they contradict is refused.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "platform/import/found_machine.h"
#include "platform/import/numa_table.h"
#include "platform/import/topo_matrix.h"

namespace numavp {

/// What one file says.
using ImportSource = std::variant<FoundMachine, TopoMatrix, NumaTable>;

/// Reads `text`, the content of `file`, in the format that it has. ConfigError with file and line.
ImportSource read_source(const std::string& text, const std::string& file);
/// The same of a file.
ImportSource read_source_file(const std::string& path);

/// Models to take where no file names one; empty: none.
struct AssumedModels {
    std::string gpu, cpu;
};

/// At least one source is expected. ConfigError that names both files where two contradict each other.
FoundMachine join_sources(const std::vector<ImportSource>& sources, const AssumedModels& models = {});

} // namespace numavp
