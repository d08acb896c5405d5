#include "sw/workloads/workload_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "sw/traces/kernelslist.h"
#include "sw/traces/mem_trace.h"
#include "sw/workloads/pattern_table.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_kernelslist(const std::string& path) {
    return fs::path(path).filename().string().compare(0, 11, "kernelslist") == 0;
}

Workload load_file(const std::string& path, const WorkloadOptions& options) {
    const ConfigDocument document = load_document(path);
    Workload workload = read_workload(document.value, document.place(), options);
    if (workload.name.empty()) workload.name = fs::path(path).stem().string();
    return workload;
}

/// The .json files in `folder` and in the folders therein: suites have folders of their own. The nearest come first.
std::vector<fs::path> workload_paths(const std::string& folder) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json") found.push_back(entry.path());
    const auto depth = [](const fs::path& path) { return std::distance(path.begin(), path.end()); };
    std::sort(found.begin(), found.end(),
              [&](const fs::path& a, const fs::path& b) { return depth(a) != depth(b) ? depth(a) < depth(b) : a < b; });
    return found;
}

} // namespace

Workload load_workload(const std::string& name_or_path, const std::vector<std::string>& folders,
                       const WorkloadOptions& options) {
    const bool single = ends_with(name_or_path, ".traceg") || ends_with(name_or_path, ".traceg.xz") ||
                        ends_with(name_or_path, ".tracez");
    const bool memory = is_mem_trace(name_or_path);
    if (single || memory || is_kernelslist(name_or_path)) {
        if (options.scale != 1.0) throw ConfigError(name_or_path, "a trace has no scale; only 1 is allowed");
        if (memory) return read_mem_trace(name_or_path);
        return single ? read_single_trace(name_or_path) : read_kernelslist(name_or_path);
    }
    if (ends_with(name_or_path, ".json") || name_or_path.find('/') != std::string::npos)
        return load_file(name_or_path, options);
    const std::string path = find_workload(name_or_path, folders);
    if (!path.empty()) return load_file(path, options);
    std::vector<std::string> names;
    for (const WorkloadName& workload : list_workloads(folders)) names.push_back(workload.name);
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw ConfigError(
        "workload",
        unknown_name("workload", name_or_path, known) +
            " (numavp list workloads), the path of a JSON file, a .traceg, .tracez, .memtrace or kernelslist.g");
}

std::string find_workload(const std::string& name, const std::vector<std::string>& folders) {
    for (const std::string& folder : folders)
        for (const fs::path& path : workload_paths(folder))
            if (path.stem() == name) return path.string();
    return "";
}

std::vector<WorkloadName> list_workloads(const std::vector<std::string>& folders) {
    std::vector<WorkloadName> found;
    for (const std::string& folder : folders) {
        for (const fs::path& file : workload_paths(folder)) {
            const std::string path = file.string();
            const std::string name = file.stem().string();
            const bool known = std::any_of(found.begin(), found.end(), [&](const auto& w) { return w.name == name; });
            if (known) continue; // an earlier folder has it
            const json value = load_with_extends(path);
            const bool described =
                value.is_object() && value.contains("description") && value["description"].is_string();
            found.push_back({name, described ? value["description"].get<std::string>() : "", path});
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
}

ordered_json workload_schema() {
    ordered_json schema = file_schema_of<WorkloadFile>("numavp workload");
    ordered_json names = ordered_json::array();
    ordered_json cases = ordered_json::array();
    for (const PatternEntry& row : patterns()) {
        const std::string name(row.name);
        names.push_back(name);
        cases.push_back({{"if", {{"properties", {{"pattern", {{"const", name}}}}}}},
                         {"then", {{"properties", {{"parameters", row.schema()}}}}}});
    }
    const auto refine = [&](ordered_json& entry) {
        entry["properties"]["pattern"] = {{"enum", names}, {"description", "Name of the pattern program."}};
        entry["anyOf"] = {{{"required", {"pattern"}}}, {{"required", {"copy", "array"}}}, {{"required", {"host"}}}};
        entry["allOf"] = cases;
    };
    refine(schema["properties"]["kernels"]["items"]);
    refine(schema["properties"]["phases"]["items"]["properties"]["kernels"]["items"]);
    return schema;
}

} // namespace numavp
