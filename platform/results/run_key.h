/// Equality of runs: the key of a point, and the version of all sources that its results depend on.
#pragma once

#include <string>

#include "base/config/config_file.h"

namespace numavp {

/// Version of the program and a hash of the sources that results depend on: after a change of the command line or of
/// the reports earlier runs remain valid, after a change of the models they do not.
std::string model_version();

/// A name of 36 characters for a text; equal texts have equal names.
std::string content_key(const std::string& text);

/// Text of a workload for its key: without members for people (description, notes, source, budget), keys in order.
std::string canonical_workload(json workload);
/// Text of a resolved system for its key: without its name and description, with the content of firmware and of a
/// shared object with a policy.
std::string canonical_system(ordered_json system);
/// Text of a trace for its key: the content of its files.
std::string canonical_trace(const std::string& path);

} // namespace numavp
