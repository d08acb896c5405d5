/// Words of what tools print on terminals.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// Without colours and underlines.
std::string without_colours(const std::string& text);
/// Parts of a line between blanks and tabs.
std::vector<std::string> words_in(const std::string& line);

} // namespace numavp
