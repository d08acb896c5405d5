/// Where configurations are found, and systems by name.
///
/// Folders, in this order: those of NUMAVP_CONFIGS (separated by ':'), then the first `configs` that exists beside the
/// installed program or library, around the program's own folder (a build tree inside the checkout) or around the
/// current one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/base/config.h"
#include "platform/machine/system_config.h"

namespace numavp {

/// False also if it can't be known.
bool is_folder(const std::filesystem::path& path);

/// A configuration that can be named.
struct NamedFile {
    std::string name;
    std::string description;
    std::string path;
    bool network = false; ///< a network alone, for `numavp network`
};

/// Folders that hold `systems` and `workloads`; empty if there are none.
std::vector<std::string> config_folders();
/// The folders `kind` ("systems", "workloads") in them. ConfigError if there is no configuration at all.
std::vector<std::string> config_folders(const std::string& kind);

/// The file or folder that a path means: itself, or, if there is none and it begins with `configs/`, as examples write
/// it, the one of numavp's own configurations (or of NUMAVP_CONFIGS). `path` where there is neither.
std::string shipped_path(const std::string& path);

/// The JSON files in `folders` and the folders inside them by name; of equal names the first folder's.
std::vector<NamedFile> list_systems(const std::vector<std::string>& folders);

/// The JSON file of `name_or_path`: a path if it ends in .json or has a '/', else a name in `folders`.
/// ConfigError with what exists if there is none.
std::string find_system(const std::string& name_or_path, const std::vector<std::string>& folders);

/// The JSON file of a system's name, or of a part's ("parts/memory/hmc-vault"); empty if there is none, and for a path.
std::string system_file(const std::string& name);
/// The JSON file of a system's name or path, in the folders of configurations. ConfigError with what exists.
std::string system_path(const std::string& name_or_path);

/// The system of a name or file, with `assignments` ("socket.l2.ways=8") applied. A file without a name of its own is
/// called after the file, and may extend a system by its name.
SystemConfig load_system(const std::string& name_or_path, const std::vector<std::string>& assignments = {});

/// True if the name is that of a trace: .traceg, .traceg.xz, .tracez, .memtrace[.xz] or kernelslist.g.
bool is_trace(const std::string& path);
/// The folders in which `name` is looked for; none is needed for a path.
std::vector<std::string> workload_folders(const std::string& name_or_path);
/// The JSON file that load_workload() reads for `name_or_path`; empty if it is a trace.
std::string workload_json(const std::string& name_or_path, const std::vector<std::string>& folders);

/// `name` in a folder around the program (a build tree in the checkout), then around the current one: the nearest that
/// is `sound`. Empty if there is none.
std::filesystem::path in_checkout(const std::filesystem::path& name,
                                  const std::function<bool(const std::filesystem::path&)>& sound);

/// The program that runs, or the shared library that this is part of.
std::string program_path();

} // namespace numavp
