/// Kind of the file at a path (regular, folder, pipe), to be checked before a file that a user named is opened.
#pragma once

#include <string>

namespace numavp {

/// Returns "folder", "pipe", "socket" or "device"; empty if a regular file or nothing is at `path`. Follows links.
std::string odd_file_kind(const std::string& path);
/// Throws ConfigError, with the path as place, unless a regular file or nothing is at `path`: opening a pipe would wait
/// for its writer. `expected` is such as "a JSON file".
void refuse_odd_file(const std::string& path, const std::string& expected);

} // namespace numavp
