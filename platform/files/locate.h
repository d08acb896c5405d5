/// Finds configuration files, and systems by name.
///
/// Searched folders, in this order: those of NUMAVP_CONFIGS (separated by ':'), then the first `configs` that exists
/// beside the installed program or library, around the program's own folder (a build tree inside the checkout) or
/// around the current one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/base/config.h"
#include "platform/machine/system_config.h"

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

/// Folders that hold `systems` and `workloads`; empty if there are none.
std::vector<std::string> config_folders();
/// The subfolders `kind` ("systems", "workloads") of these. ConfigError if there is no configuration folder at all.
std::vector<std::string> config_folders(const std::string& kind);

/// Resolves a path: itself if it exists; else, if it begins with `configs/` as in examples, the file in the
/// configuration folders (NUMAVP_CONFIGS too). If there is neither, returns `path`.
std::string shipped_path(const std::string& path);

/// The JSON files in `folders` and the folders inside them, by name; of equal names that of the first folder.
std::vector<NamedFile> list_systems(const std::vector<std::string>& folders);

/// The JSON file of `name_or_path`: a path if it ends in .json or has a '/', else a name in `folders`.
/// ConfigError with the existing names if there is none.
std::string find_system(const std::string& name_or_path, const std::vector<std::string>& folders);

/// The JSON file of a system's name, or of a part's ("parts/memory/hmc-vault"); empty if none, or if `name` is a path.
std::string system_file(const std::string& name);
/// The JSON file of a system's name or path, in the configuration folders. ConfigError with the existing names.
std::string system_path(const std::string& name_or_path);

/// A system, and the document in which its settings have their places.
struct LoadedSystem {
    ConfigDocument document;
    SystemConfig config;
};
/// Loads a system by name or file and applies `assignments` ("socket.l2.ways=8"). A file that sets no name gets the
/// file's name; it may extend a system by name.
SystemConfig load_system(const std::string& name_or_path, const std::vector<std::string>& assignments = {});
LoadedSystem load_system_document(const std::string& name_or_path, const std::vector<std::string>& assignments);

/// True if the name is that of a trace: .traceg, .traceg.xz, .tracez, .memtrace[.xz] or kernelslist.g.
bool is_trace(const std::string& path);
/// The folders in which `name` is searched; empty for a path.
std::vector<std::string> workload_folders(const std::string& name_or_path);
/// The JSON file that load_workload() reads for `name_or_path`; empty if it is a trace.
std::string workload_json(const std::string& name_or_path, const std::vector<std::string>& folders);

/// Searches `name` in the folders around the program (a build tree in the checkout), then in those around the current
/// one, and returns the nearest that is `sound`; empty if there is none.
std::filesystem::path in_checkout(const std::filesystem::path& name,
                                  const std::function<bool(const std::filesystem::path&)>& sound);

/// Path of the running program, or of the shared library that contains this code.
std::string program_path();

} // namespace numavp
