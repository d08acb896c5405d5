/// Writes kernels as Accel-Sim traces (tracer version 5): pattern programs can be run as traces of the same
/// shape, by numavp or by Accel-Sim, and streams can be recorded and replayed.
///
/// What a trace can't say is lost: `repeat` becomes that many lines (only the last has the destination, so that
/// they stay independent), a latency becomes the opcode of the nearest class at or above it (the SM's default
/// becomes FFMA), a cookie is dropped.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "sw/kernels/workload.h"

namespace numavp {

struct TraceWriterOptions {
    /// 0: all addresses; 1: base and stride where it fits, else all; 2: base and stride, else differences.
    unsigned address_mode = 2;
    bool compress = false; ///< write .traceg.xz
};

/// Writes one kernel. `id` and `stream` go to the header.
void write_trace(Kernel& kernel, std::ostream& out, const TraceWriterOptions& options = {}, std::uint64_t id = 1,
                 std::uint64_t stream = 0);

/// Writes kernelslist.g and kernel-<n>.traceg[.xz] for each launch into `folder`, which is made if it isn't
/// there. Throws ConfigError if a file can't be written. Returns the path of the list.
std::string write_trace_folder(const Workload& workload, const std::string& folder,
                               const TraceWriterOptions& options = {});

} // namespace numavp
