/// Page faults as a file, which a run records and a replay feeds to the page-fault unit.
///
/// CSV with the header `ps,page,socket,write`: the time in ps at which a socket's walker raised the fault, ascending;
/// the virtual page number; the socket; 1 for a store or an atomic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mmu/fault_port.h"

namespace numavp {

struct TimedFault {
    std::uint64_t ps = 0;
    PageFault fault;
};

/// Reads such a file. ConfigError with file and line if it is malformed, or names a socket that is not below `sockets`.
std::vector<TimedFault> read_faults(const std::string& file, unsigned sockets);
std::string faults_csv(const std::vector<TimedFault>& faults);

} // namespace numavp
