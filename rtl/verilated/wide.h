/// A Verilated beat of AXI4 data and the bytes of its lanes.
#pragma once

#include <cstring>
#include <verilated.h>

#include "rtl/axi4_pins.h"

namespace numavp::rtl {

// Verilator keeps wide signals as 32-bit words, lowest first: byte lane i is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
using Wide = VlWide<kAxiBytes / 4>;
inline void to_pins(const AxiData& data, Wide& wide) { std::memcpy(wide.data(), data.data(), kAxiBytes); }
inline void from_pins(const Wide& wide, AxiData& data) { std::memcpy(data.data(), wide.data(), kAxiBytes); }

} // namespace numavp::rtl
