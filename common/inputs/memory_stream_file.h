/// Files of memory requests: one request a line, "R 0x1fc0" or "W 0x2000".
#pragma once

#include <string>

#include "models/memory/replay/replay.h"

namespace numavp {

/// Reads requests from a file. ConfigError with file and line for a malformed one, or an address beyond the device.
MemoryStream read_memory_stream(const std::string& path, const MemoryDeviceConfig& device);

/// Writes a stream of requests to a file.
void write_memory_stream(const std::string& path, const MemoryStream& stream);

} // namespace numavp
