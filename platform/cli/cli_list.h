/// `numavp list`.
#pragma once

#include <string>

#include "platform/cli/cli_words.h"

namespace numavp {

/// What the command prints: a table, JSON, or bare names.
std::string list_text(const ListWords& words);

} // namespace numavp
