/// Systems by name, and loading them.
#pragma once

#include <string>
#include <vector>

#include "base/config/config.h"
#include "common/files/config_folders.h"
#include "common/system/system_config.h"

namespace numavp {

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

} // namespace numavp
