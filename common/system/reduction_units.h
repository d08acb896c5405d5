/// Reduction units of a machine: parts of the kind `reduction`, and the multicast arrays of a workload on it.
#pragma once

#include "common/system/system_config.h"
#include "models/paging/multicast_map.h"
#include "sw/work/workload.h"

namespace numavp {

/// Number of reduction units, of all names.
unsigned reduction_units(const SystemConfig& config);
/// Number of the first among the ends of the network; also its memory's in physical addresses.
unsigned first_reduction_unit(const SystemConfig& config);
/// ConfigError if a machine with reduction units has what they do not work with, or units without settings.
void check_reduction(const SystemConfig& config, const Place& place);
/// ConfigError unless each unit hangs on one router alone, to which all sockets with SMs are wired: so no packet
/// towards a unit can wait for one that the unit sends.
void check_reduction_wires(const WiredParts& parts, const SystemConfig& config, const NetworkGraph& graph,
                           const Place& place);
/// Places of the workload's multicast arrays on the machine; ConfigError if it has no unit, or a member no GPU.
MulticastMap multicast_map(const SystemConfig& config, const Workload& workload);

} // namespace numavp
