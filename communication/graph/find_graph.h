/// Application graphs by name.
#pragma once

#include <string>
#include <vector>

#include "common/files/config_folders.h"

namespace numavp {

/// The graphs in the folders `graphs` of the configurations, by name; of equal names that of the first folder.
std::vector<NamedFile> list_graphs();

/// The JSON file of a path (it ends in .json or has a '/'), or of a name. ConfigError with the existing names.
std::string find_graph(const std::string& name_or_path);

} // namespace numavp
