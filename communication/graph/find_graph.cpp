#include "communication/graph/find_graph.h"

#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "base/config/config_file.h"
#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/document_kind.h"

namespace numavp {

namespace fs = std::filesystem;

namespace {
/// Files by name.
std::map<std::string, std::string> graph_files() {
    std::map<std::string, std::string> files;
    for (const std::string& folder : config_folders()) {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / "graphs", ignored))
            if (entry.path().extension() == ".json") files.emplace(entry.path().stem().string(), entry.path().string());
    }
    return files;
}
} // namespace

std::vector<NamedFile> list_graphs() {
    std::vector<NamedFile> all;
    for (const auto& [name, path] : graph_files()) {
        const json value = load_with_extends(path);
        const bool said = value.is_object() && value.contains("description") && value["description"].is_string();
        all.push_back({name, said ? value["description"].get<std::string>() : "", path, false});
    }
    return all;
}

std::string find_graph(const std::string& name_or_path) {
    if (fs::path(name_or_path).extension() == ".json" || name_or_path.find('/') != std::string::npos) {
        std::string path = shipped_path(name_or_path);
        refuse_other_kind(load_document(path), DocumentKind::graph);
        return path;
    }
    const std::map<std::string, std::string> files = graph_files();
    if (const auto found = files.find(name_or_path); found != files.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& file : files) names.push_back(file.first);
    throw ConfigError("graph", unknown_name("graph", name_or_path, names));
}

} // namespace numavp
