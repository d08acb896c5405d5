/// Memory devices by name: the files of configs/parts/memory.
#pragma once

#include <string>
#include <vector>

#include "common/files/config_folders.h"
#include "models/memory/dram/device.h"

namespace numavp {

/// All devices that have a name.
std::vector<NamedFile> list_memory_devices();

/// Loads a device by name or JSON file and applies `assignments` ("timing.faw=16"). ConfigError if there is none.
MemoryDeviceConfig load_memory_device(const std::string& name_or_path,
                                      const std::vector<std::string>& assignments = {});

} // namespace numavp
