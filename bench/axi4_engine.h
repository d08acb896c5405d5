/// A Verilated AXI4 manager that is kept busy through the bridge to TLM, and the same manager alone.
///
/// Traffic: its own, random bursts of up to four beats, some unaligned, some with missing strobes. Alone, its pins get
/// what the bridge drove in a run before. The target is a block of bytes that completes every request at once.
#pragma once

#include <nlohmann/json.hpp>

namespace numavp {

/// "pairs": ns of processor time a cycle of the raw model, with the bridge, of the raw model; "bytes_per_cycle": beats'
/// bytes that were answered, of both.
nlohmann::ordered_json measure_axi4_engine(unsigned pairs);

} // namespace numavp
