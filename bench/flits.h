/// Credited flits beside the bare Verilated relay that they pass through.
#pragma once

#include <cstdint>

namespace numavp {

struct FlitRun {
    std::uint64_t cycles = 0;
    std::uint64_t flits = 0; ///< that came out
    double seconds = 0.0;    ///< of processor time
};

/// The relay alone: a flit in and a flit out each cycle, by two counters of credits.
FlitRun run_bare_relay(std::uint64_t cycles);
/// Lines written as packets through sender, relay and receiver, without monitors; each is looked at.
FlitRun run_flit_channel(std::uint64_t cycles);

} // namespace numavp
