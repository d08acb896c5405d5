/// Files of memory requests: a line for each, "R 0x1fc0" or "W 0x2000".
#pragma once

#include <string>

#include "models/memory/replay.h"

namespace numavp {

/// The requests of a file. ConfigError with file and line for what is no request, or no address of the device.
MemoryStream read_memory_stream(const std::string& path, const MemoryDeviceConfig& device);

/// Writes them to a file.
void write_memory_stream(const std::string& path, const MemoryStream& stream);

} // namespace numavp
