/// Block devices and network interfaces of Linux below the PCI devices of an hwloc file: vertices of Table 3.1 of
/// C. Pearson's thesis (University of Illinois, 2018), and the SATA links of its Table 3.2.
#pragma once

#include <cstddef>
#include <map>

#include "communication/import/found_machine.h"
#include "communication/import/hwloc_objects.h"

namespace numavp {

/// Adds a part for each such device, called "sda@00:17.0", and a link to it from its PCI device: `sata` to the disk of
/// a SATA controller, else `os`. `parts` has the parts of the file's objects; a device below none of them is left out
/// with a note. ConfigError if a PCI device has one name twice.
void add_os_devices(FoundMachine& machine, const HwlocObjects& objects, bool version_3,
                    const std::map<std::size_t, std::size_t>& parts);

/// Generation of the NVLinks that a link consists of, from the models of its GPUs; 0 if the link is none, or no model
/// is known.
unsigned nvlink_generation(const FoundMachine& machine, const FoundLink& link);

} // namespace numavp
