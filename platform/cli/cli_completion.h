/// Completion scripts for shells, generated from the parser, so that they have all its commands and options.
#pragma once

#include <string>

namespace numavp {

/// Script for `shell`, which is bash, zsh or fish; ConfigError for another.
std::string completion_script(const std::string& shell);

} // namespace numavp
