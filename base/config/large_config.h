/// Configuration files that programs write, and that may be larger than what people do.
#pragma once

#include <cstddef>
#include <string>

#include "base/config/config_file.h"

namespace numavp {

/// `load_document` of files of at most `most_bytes` each.
ConfigDocument load_large_document(const std::string& path, std::size_t most_bytes);

} // namespace numavp
