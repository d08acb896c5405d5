/// SHA-1 of a text or file, as `sha1sum` prints it: to name contents, not for security.
#pragma once

#include <string>

namespace numavp {

/// 40 hexadecimal digits.
std::string sha1_of(const std::string& text);
/// The same of a file's content; empty if it can't be read.
std::string sha1_of_file(const std::string& path);

} // namespace numavp
