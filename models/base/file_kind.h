/// What lies at a path: for those who open a file by a name that a user gave.
#pragma once

#include <string>

namespace numavp {

/// "folder", "pipe", "socket" or "device"; empty for a regular file and for what is not there. Links are followed.
std::string odd_file_kind(const std::string& path);
/// ConfigError, with the path as place, if something else than a regular file lies there: opening a pipe would wait for
/// its writer. `expected` is such as "a JSON file".
void refuse_odd_file(const std::string& path, const std::string& expected);

} // namespace numavp
