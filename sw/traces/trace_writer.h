/// Writes kernels as Accel-Sim traces (tracer version 5): pattern programs can be run as traces of the same shape, by
/// numavp or by Accel-Sim, and streams can be recorded and replayed.
///
/// The format has no `repeat`, which becomes that many lines (only the last has the destination, so that they stay
/// independent); a latency becomes the opcode of the nearest class at or above it (the SM's default becomes FFMA); a
/// cookie is lost.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "sw/work/workload.h"

namespace numavp {

struct TraceWriterOptions {
    /// 0: lists all addresses; 1: base and stride where they fit, else all; 2: base and stride, else differences.
    unsigned address_mode = 2;
    bool compress = false; ///< write .traceg.xz
};

/// Writes one kernel; `id` and `stream` are those of the header.
void write_trace(Kernel& kernel, std::ostream& out, const TraceWriterOptions& options = {}, std::uint64_t id = 1,
                 std::uint64_t stream = 0);

/// Writes kernelslist.g and kernel-<n>.traceg[.xz] for each launch into `folder`, which is created if it does not
/// exist. Throws ConfigError if a file can't be written. Returns the path of the list.
std::string write_trace_folder(const Workload& workload, const std::string& folder,
                               const TraceWriterOptions& options = {});

} // namespace numavp
