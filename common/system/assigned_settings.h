/// Reads a system in which values were set one by one, and refuses those that change nothing.
#pragma once

#include <string>
#include <vector>

#include "base/config/config.h"
#include "common/system/system_config.h"

namespace numavp {

/// The system of a document in which values were set at `paths` ("$.socket.l2.ways"). ConfigError for a setting that
/// has moved, or that changes nothing:
///
/// - every socket that the path names has the value from another member, such as "partition", or lacks what it is for;
/// - it belongs to a mechanism that the system does not have (`why_idle()`).
///
/// Not looked at are objects, values inside lists, and values that a later assignment has replaced with all around
/// them.
SystemConfig read_assigned_system(const ConfigDocument& document, const std::vector<std::string>& paths);

} // namespace numavp
