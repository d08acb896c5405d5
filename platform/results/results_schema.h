/// JSON Schema (draft 2020-12) of results.json.
#pragma once

#include "base/config/config_file.h"

namespace numavp {

ordered_json results_schema();

} // namespace numavp
