/// What makes two runs the same: the key of a point, and the version of all that its results depend on.
#pragma once

#include <string>

#include "models/base/config_file.h"

namespace numavp {

/// Version of the program and a hash of the sources that results depend on: a change of the command line or of the
/// reports keeps earlier runs, a change of the models does not.
std::string model_version();

/// A name of 36 characters for a text: equal texts, equal names.
std::string content_key(const std::string& text);

/// A workload's text without what people only read (description, notes, source, budget), keys in order.
std::string canonical_workload(json workload);
/// A resolved system's text without its name and description.
std::string canonical_system(ordered_json system);
/// The same of a trace: the content of its files.
std::string canonical_trace(const std::string& path);

} // namespace numavp
