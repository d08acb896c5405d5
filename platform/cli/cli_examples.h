/// Examples of each command: in its --help and in the man page, from one table.
#pragma once

#include <string>

namespace numavp {

/// "Examples:" and a line for each, without a line's end; empty for a command without examples.
std::string examples_of(const std::string& command);

/// The man page numavp(1) in roff, from the parser's descriptions and the examples.
std::string man_page();

} // namespace numavp
