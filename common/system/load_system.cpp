#include "common/system/load_system.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/values/name_table.h"
#include "base/values/natural_order.h"
#include "common/files/document_kind.h"
#include "common/system/assigned_settings.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

/// True of a system's file that says what joins the sockets in the place of the switch.
bool has_routers(const json& system) {
    const json::json_pointer topology("/network/topology");
    return system.is_object() && system.contains(topology) && system.at(topology) != kFabrics.name(FabricKind{});
}

NamedFile named(const fs::path& path) {
    const json value = load_with_extends(path.string(), system_file);
    const auto found = value.is_object() ? value.find("description") : value.end();
    const bool described = found != value.end() && found->is_string();
    return {path.stem().string(), described ? found->get<std::string>() : "", path.string(), has_routers(value)};
}

/// JSON files in a folder, then those in the folders inside it.
std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored)) folders.push_back(entry.path());
        if (entry.path().extension() == ".json" && entry.is_regular_file(ignored)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::sort(folders.begin(), folders.end());
    for (const fs::path& inside : folders)
        for (fs::path& file : json_files(inside)) files.push_back(std::move(file));
    return files;
}

/// The JSON file called `name` in `folder` or inside it; empty if there is none.
std::string file_in(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    if (fs::path path = folder / (name + ".json"); fs::is_regular_file(path, ignored)) return path.string();
    for (const fs::path& path : json_files(folder))
        if (path.stem() == name) return path.string();
    return "";
}

/// A file of that name where the user is.
std::string beside_text(const std::string& name) {
    std::error_code ignored;
    if (name.empty() || !fs::is_regular_file(name + ".json", ignored)) return "";
    return "; there is a file " + quotable(name) + ".json here: with .json it is read";
}

} // namespace

std::vector<NamedFile> list_systems(const std::vector<std::string>& folders) {
    std::vector<NamedFile> found;
    for (const std::string& folder : folders) {
        for (const fs::path& path : json_files(folder)) {
            const std::string name = path.stem().string();
            const bool known = std::any_of(found.begin(), found.end(), [&](const auto& f) { return f.name == name; });
            if (!known) found.push_back(named(path));
        }
    }
    std::sort(found.begin(), found.end(),
              [](const NamedFile& a, const NamedFile& b) { return compare_natural(a.name, b.name) < 0; });
    return found;
}

std::string find_system(const std::string& name_or_path, const std::vector<std::string>& folders) {
    if (is_path(name_or_path)) return shipped_path(name_or_path);
    for (const std::string& folder : folders)
        if (std::string path = file_in(folder, name_or_path); !path.empty()) return path;
    std::vector<NamedFile> systems = list_systems(folders);
    std::vector<std::string_view> names;
    for (const NamedFile& system : systems) names.emplace_back(system.name);
    const std::string said =
        unknown_name("system", name_or_path, names) + " (numavp list systems), and the path of a JSON file";
    throw ConfigError("system", said + beside_text(name_or_path));
}

std::string system_file(const std::string& name) {
    const bool part = name.rfind("parts/", 0) == 0;
    if (is_path(name) && !part) return "";
    std::error_code ignored;
    for (const std::string& folder : config_folders()) {
        const fs::path of_part = fs::path(folder) / (name + ".json");
        if (part && fs::is_regular_file(of_part, ignored)) return of_part.string();
        if (part) continue;
        if (std::string path = file_in(fs::path(folder) / "systems", name); !path.empty()) return path;
    }
    return "";
}

std::string system_path(const std::string& name_or_path) {
    return find_system(name_or_path, is_path(name_or_path) ? std::vector<std::string>() : config_folders("systems"));
}

namespace {
/// Names of parts, before what they name is read: else a part's members are taken for unknown keys.
std::vector<std::string> part_names(const ConfigDocument& document) {
    std::vector<std::string> names;
    const auto parts = document.value.find("parts");
    if (parts == document.value.end() || !parts->is_array()) return names;
    for (std::size_t i = 0; i < parts->size(); ++i) {
        const json& part = (*parts)[i];
        if (!part.is_object()) return {};
        const Place at = document.place().at("parts").at(i).at("name");
        const auto name = part.find("name");
        if (name == part.end()) throw ConfigError(at, "it is missing; the name of these parts is expected");
        if (!name->is_string()) return {};
        names.push_back(name->get<std::string>());
        check_part_name(names.back(), at);
        if (std::find(names.begin(), names.end() - 1, names.back()) != names.end() - 1)
            throw ConfigError(at, fmt::format("'{}' is there twice; names must differ", quotable(names.back())));
    }
    return names;
}

/// "gpu2" where parts are called gpu: "gpu[2]" is how one of them is named.
void check_part_members(const ConfigDocument& document) {
    const std::vector<std::string> names = part_names(document);
    for (const auto& [key, unused] : document.value.items()) {
        const std::size_t digits = key.find_last_not_of("0123456789") + 1;
        const std::string name = key.substr(0, digits);
        const auto is = [&names](const std::string& word) {
            return std::find(names.begin(), names.end(), word) != names.end();
        };
        if (digits < key.size() && !is(key) && is(name))
            throw ConfigError(document.place().at(key), fmt::format("unknown key '{}'; '{}[{}]' is meant?",
                                                                    quotable(key), name, key.substr(digits)));
        if (key.size() > 1 && key.back() == 's' && is(key.substr(0, key.size() - 1)) && !is(key) &&
            !dump_config(SystemConfig{}).contains(key))
            throw ConfigError(document.place().at(key),
                              fmt::format("unknown key '{}'; '{}' is what the parts are called", quotable(key),
                                          key.substr(0, key.size() - 1)));
    }
}
} // namespace

LoadedSystem load_system_document(const std::string& name_or_path, const std::vector<std::string>& assignments) {
    const std::string path = system_path(name_or_path);
    ConfigDocument document = load_document(path, system_file);
    refuse_other_kind(document, DocumentKind::system);
    if (document.value.is_object() && !load_json_file(path).contains("name")) document.value["name"] = "";
    std::vector<std::string> set;
    for (const std::string& assignment : assignments) set.push_back(set_path(document, assignment));
    if (document.value.is_object()) check_part_members(document);
    SystemConfig config = read_assigned_system(document, set);
    if (config.name.empty()) config.name = fs::path(path).stem().string();
    return {std::move(document), std::move(config)};
}

SystemConfig load_system(const std::string& name_or_path, const std::vector<std::string>& assignments) {
    return load_system_document(name_or_path, assignments).config;
}

} // namespace numavp
