#include "common/inputs/workload_names.h"

#include <filesystem>

#include "common/files/config_folders.h"
#include "sw/traces/mem_trace.h"
#include "sw/workloads/workload_file.h"

namespace numavp {

namespace fs = std::filesystem;

bool is_trace(const std::string& name) {
    const fs::path path(name);
    const fs::path inner = path.extension() == ".xz" ? path.stem() : path;
    return inner.extension() == ".traceg" || path.extension() == ".tracez" || is_mem_trace(name) ||
           path.filename().string().compare(0, 11, "kernelslist") == 0;
}

std::vector<std::string> workload_folders(const std::string& name_or_path) {
    return is_path(name_or_path) || is_trace(name_or_path) ? std::vector<std::string>() : config_folders("workloads");
}

std::string workload_json(const std::string& name_or_path, const std::vector<std::string>& folders) {
    if (is_trace(name_or_path)) return "";
    return is_path(name_or_path) ? shipped_path(name_or_path) : find_workload(name_or_path, folders);
}

} // namespace numavp
