/// Files of workloads by name: traces, and JSON files in the folders of configurations.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// True if the name is that of a trace: .traceg, .traceg.xz, .tracez, .memtrace[.xz] or kernelslist.g.
bool is_trace(const std::string& path);
/// The folders in which `name` is searched; empty for a path.
std::vector<std::string> workload_folders(const std::string& name_or_path);
/// The JSON file that load_workload() reads for `name_or_path`; empty if it is a trace.
std::string workload_json(const std::string& name_or_path, const std::vector<std::string>& folders);

} // namespace numavp
