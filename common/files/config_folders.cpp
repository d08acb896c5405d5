#include "common/files/config_folders.h"

#include <algorithm>
#include <cstdlib>

#include "base/values/error.h"
#include "common/files/program.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

bool holds_configs(const fs::path& folder) { return is_folder(folder / "systems") && is_folder(folder / "workloads"); }

/// `name` in `start` or in a folder around it, the nearest that is sound; empty if there is none.
fs::path around(fs::path start, const fs::path& name, const std::function<bool(const fs::path&)>& sound) {
    for (; !start.empty(); start = start.parent_path()) {
        if (sound(start / name)) return start / name;
        if (start == start.root_path()) break;
    }
    return {};
}

fs::path own_configs() {
    const fs::path installed = fs::path(program_path()).parent_path() / NUMAVP_INSTALLED_CONFIG_DIR;
    return holds_configs(installed) ? installed.lexically_normal() : in_checkout("configs", holds_configs);
}

} // namespace

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool is_path(const std::string& name) {
    return name.find('/') != std::string::npos || fs::path(name).extension() == ".json";
}

fs::path in_checkout(const fs::path& name, const std::function<bool(const fs::path&)>& sound) {
    std::error_code ignored;
    const fs::path found = around(fs::path(program_path()).parent_path(), name, sound);
    return found.empty() ? around(fs::current_path(ignored), name, sound) : found;
}

std::vector<std::string> config_folders() {
    std::vector<std::string> found;
    const char* named = std::getenv("NUMAVP_CONFIGS");
    std::string rest = named == nullptr ? "" : named;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string folder = rest.substr(0, colon);
        rest.erase(0, colon + 1);
        if (folder.empty()) continue;
        if (!is_folder(folder))
            throw ConfigError("NUMAVP_CONFIGS", "there is no folder " + folder +
                                                    "; folders like "
                                                    "the configs of numavp are expected");
        found.push_back(folder);
    }
    if (const fs::path own = own_configs(); !own.empty()) found.push_back(own.string());
    return found;
}

std::vector<std::string> config_folders(const std::string& kind) {
    std::vector<std::string> found;
    for (const std::string& folder : config_folders())
        if (const fs::path inside = fs::path(folder) / kind; is_folder(inside)) found.push_back(inside.string());
    if (found.empty())
        throw ConfigError("configuration", "there is no folder of " + kind +
                                               " near the program or the current folder; "
                                               "run inside the checkout or name its configs in NUMAVP_CONFIGS");
    return found;
}

std::string shipped_path(const std::string& path) {
    std::error_code ignored;
    const fs::path asked = fs::path(path).lexically_normal();
    if (asked.empty() || *asked.begin() != "configs" || fs::exists(asked, ignored)) return path;
    const fs::path inside = asked.lexically_relative("configs");
    for (const std::string& folder : config_folders())
        if (const fs::path found = fs::path(folder) / inside; fs::exists(found, ignored)) return found.string();
    return path;
}

} // namespace numavp
