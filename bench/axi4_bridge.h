/// A Verilated memory kept busy through its pins, and the same traffic through the bridge from TLM.
///
/// Traffic: lines of 128 bytes, a read and a write in turn, as many as the memory (64 bytes a cycle, 100 cycles) takes.
/// The driver of the pins is the least that does it: it looks at handshakes and counts answers. So is the initiator: it
/// sends whenever the bridge has a place, from the call that says so, and has no process of its own.
#pragma once

#include <cstdint>

#include <nlohmann/json.hpp>

namespace numavp {

/// "pairs": ns of processor time a memory cycle of the raw model, the bridge, the raw model; "bytes_per_cycle": of
/// both.
nlohmann::ordered_json measure_axi4_bridge(unsigned pairs);

} // namespace numavp
