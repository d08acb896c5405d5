/// Models of GPUs by what files have in the place of a name: PCI devices and architectures.
#pragma once

#include <string_view>

#include "communication/import/part_facts.h"

namespace numavp {

/// The row of a PCI device by its vendor and device; null if it is not known.
const GpuFacts* gpu_of_pci(unsigned vendor, unsigned device);
/// A GPU of an architecture: NVIDIA's compute capability times ten ("90"), or the target of AMD's compilers ("gfx942").
/// Several have the same; the row is that of the one which is most in servers. Null if it is not known.
const GpuFacts* gpu_of_architecture(std::string_view name);

} // namespace numavp
