/// `numavp list`.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// The list as text to print: a table, JSON, or bare names.
std::string list_text(const ListWords& words);

} // namespace numavp
