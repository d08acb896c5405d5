/// Joins several topology files to one machine: each adds what the others lack; contradictions are refused.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "communication/import/any_network.h"
#include "communication/import/found_machine.h"
#include "communication/import/nccl_topology.h"
#include "communication/import/numa_table.h"
#include "communication/import/rocm_table.h"
#include "communication/import/topo_matrix.h"

namespace numavp {

/// Content of one file.
using ImportSource = std::variant<FoundMachine, NcclTopology, RocmTable, TopoMatrix, NumaTable, AnyNetwork>;

/// Parses `text`, the content of `file`; detects its format. ConfigError with file and line.
ImportSource read_source(const std::string& text, const std::string& file);
/// Reads a file and parses it.
ImportSource read_source_file(const std::string& path);

/// Models to assume for parts for which no file names one; empty: none.
struct AssumedModels {
    std::string gpu, cpu;
};

/// Joins the sources, at least one and no AnyNetwork, which is none of a machine's. ConfigError that names both files
/// where two contradict each other.
FoundMachine join_sources(const std::vector<ImportSource>& sources, const AssumedModels& models = {});

} // namespace numavp
