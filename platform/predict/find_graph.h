/// Application graphs by name.
#pragma once

#include <string>
#include <vector>

#include "platform/files/locate.h"

namespace numavp {

/// Those in the folders `graphs` of configurations, by name; of equal names the first folder's.
std::vector<NamedFile> list_graphs();

/// The JSON file of a path (it ends in .json or has a '/'), or of a name. ConfigError with what exists.
std::string find_graph(const std::string& name_or_path);

} // namespace numavp
