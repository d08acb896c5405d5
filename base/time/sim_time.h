/// Simulated time as picoseconds, which are SystemC's resolution here.
#pragma once

#include <cstdint>

#include <systemc>

namespace numavp {

inline sc_core::sc_time ps_time(std::uint64_t ps) { return sc_core::sc_time::from_value(ps); }
inline std::uint64_t sc_now_ps() { return sc_core::sc_time_stamp().value(); }

} // namespace numavp
