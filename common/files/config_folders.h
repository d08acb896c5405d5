/// Finds configuration files.
///
/// Searched folders, in this order: those of NUMAVP_CONFIGS (separated by ':'), then the first `configs` that exists
/// beside the installed program or library, around the program's own folder (a build tree inside the checkout) or
/// around the current one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace numavp {

/// True if `path` is a folder; false also if that can't be determined.
bool is_folder(const std::filesystem::path& path);

/// A configuration that has a name.
struct NamedFile {
    std::string name;
    std::string description;
    std::string path;
    bool network = false; ///< a system of which routers join the sockets, as `numavp network` takes it
};

/// True if a configuration is asked for by the path of its file, not by a name.
bool is_path(const std::string& name_or_path);

/// Folders that hold `systems` and `workloads`; empty if there are none.
std::vector<std::string> config_folders();
/// The subfolders `kind` ("systems", "workloads") of these. ConfigError if there is no configuration folder at all.
std::vector<std::string> config_folders(const std::string& kind);

/// Resolves a path: itself if it exists; else, if it begins with `configs/` as in examples, the file in the
/// configuration folders (NUMAVP_CONFIGS too). If there is neither, returns `path`.
std::string shipped_path(const std::string& path);

/// Searches `name` in the folders around the program (a build tree in the checkout), then in those around the current
/// one, and returns the nearest that is `sound`; empty if there is none.
std::filesystem::path in_checkout(const std::filesystem::path& name,
                                  const std::function<bool(const std::filesystem::path&)>& sound);

} // namespace numavp
