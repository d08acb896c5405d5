/// Memory devices by name: the files of configs/parts/memory.
#pragma once

#include <string>
#include <vector>

#include "models/memory/device.h"
#include "platform/files/locate.h"

namespace numavp {

/// Those that can be named.
std::vector<NamedFile> list_memory_devices();

/// The device of a name or JSON file, with `assignments` ("timing.faw=16") applied. ConfigError if there is none.
MemoryDeviceConfig load_memory_device(const std::string& name_or_path,
                                      const std::vector<std::string>& assignments = {});

} // namespace numavp
