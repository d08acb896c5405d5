/// JSON Schema of files in which an object may "use" a part's file; `load_document` replaces it by the file's content.
#pragma once

#include "base/config/config_file.h"

namespace numavp {

/// Returns `schema` with a property "use" in each object that has properties, at any depth but the top level.
ordered_json with_parts(ordered_json schema);

} // namespace numavp
