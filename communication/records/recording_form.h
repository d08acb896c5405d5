/// Kind of a recording of an application, recognised by its content.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>

namespace numavp {

enum class RecordingForm : std::uint8_t { database, records, chakra, workload, graph };

/// Reads as little as tells it: the first MiB of a recording, of JSON up to the first member that only one form has.
/// Nothing if none of that is found, or JSON is larger than a graph may be; of JSON, what it extends may tell then.
std::optional<RecordingForm> recording_form(std::istream& in);

} // namespace numavp
