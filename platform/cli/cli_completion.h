/// Completion scripts, generated from the parser, so that they know what it knows.
#pragma once

#include <string>

namespace numavp {

/// `shell` is bash or zsh; ConfigError for another.
std::string completion_script(const std::string& shell);

} // namespace numavp
