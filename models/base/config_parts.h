/// Schemas of files whose objects may use parts, which `load_document` puts in their place.
#pragma once

#include "models/base/config_file.h"

namespace numavp {

/// `schema` with a member "use" in each object that has a list of its members, at any depth; not in itself.
ordered_json with_parts(ordered_json schema);

} // namespace numavp
