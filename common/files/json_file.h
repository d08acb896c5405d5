/// JSON that numavp wrote and writes: members in their order, one layout of the text.
#pragma once

#include <string>

#include "base/config/config_file.h"

namespace numavp {

/// Reads a JSON file, members in the order of the file. ConfigError if it can't be read.
ordered_json read_ordered_json(const std::string& path);

/// Text of a JSON value: indented, with lists of plain values on one line. Equal values give equal texts.
std::string json_text(const ordered_json& value);

/// `text` with invalid UTF-8 replaced, since JSON can't hold it.
std::string printable(const std::string& text);

} // namespace numavp
