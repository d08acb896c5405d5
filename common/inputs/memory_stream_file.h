/// Files of memory requests, one a line, in the forms of several simulators.
///
/// | line | of |
/// |---|---|
/// | `R 0x1fc0`, `W 0x2000` | numavp |
/// | `LD 0x1fc0`, `ST 8192` | Ramulator 2, LoadStoreTrace |
/// | `0x1fc0 R` | Ramulator |
/// | `0x1fc0 READ 10`, `0x2000 P_MEM_WR 20` | DRAMsim3 and DRAMSim2, with the cycle |
/// | `10 0x1fc0 READ` | CasHMC, with the cycle |
/// | `10: (64) read 0x1fc0` | DRAMSys (.stl), with the cycle, and bytes where it has them |
///
/// Lines that begin with `#` are comments. The name may end with .xz.
#pragma once

#include <string>
#include <vector>

#include "models/memory/replay/replay.h"

namespace numavp {

struct MemoryStreamFile {
    MemoryStream requests;
    ArrivalTimes arrivals;          ///< of each request; empty if the file has none
    std::vector<std::string> notes; ///< sentences about what was changed
};

/// Reads requests from a file. Addresses that are not aligned become their block's, those beyond the device wrap around
/// it, as in the simulators whose files these are; notes say so. ConfigError with file and line for a malformed one.
MemoryStreamFile read_memory_stream(const std::string& path, const MemoryDeviceConfig& device);

/// Writes a stream of requests to a file; with the times of `arrivals`, unless it is empty, as DRAMsim3's.
void write_memory_stream(const std::string& path, const MemoryStream& stream, const ArrivalTimes& arrivals = {});

} // namespace numavp
