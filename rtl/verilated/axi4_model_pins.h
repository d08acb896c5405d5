/// The pins of a Verilated block with those of axi4_ram.sv, to and from structs.
#pragma once

#include <cstring>
#include <verilated.h>

#include "rtl/axi4_pins.h"

namespace numavp::rtl {

// Verilator keeps wide signals as 32-bit words, lowest first: byte lane i is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
using AxiWide = VlWide<kAxiBytes / 4>;
inline void to_wide(const AxiData& data, AxiWide& wide) { std::memcpy(wide.data(), data.data(), kAxiBytes); }
inline void from_wide(const AxiWide& wide, AxiData& data) { std::memcpy(data.data(), wide.data(), kAxiBytes); }

/// Data that are not valid keep what they were.
template <class V> void drive_manager_side(const AxiManagerPins& from, V& pins) {
    pins.awvalid = from.aw.valid;
    pins.awid = static_cast<CData>(from.aw.id);
    pins.awaddr = from.aw.addr;
    pins.awlen = static_cast<CData>(from.aw.len);
    pins.wvalid = from.w.valid;
    if (from.w.valid) {
        to_wide(from.w.data, pins.wdata);
        pins.wstrb = from.w.strb;
        pins.wlast = from.w.last;
    }
    pins.bready = from.bready;
    pins.arvalid = from.ar.valid;
    pins.arid = static_cast<CData>(from.ar.id);
    pins.araddr = from.ar.addr;
    pins.arlen = static_cast<CData>(from.ar.len);
    pins.rready = from.rready;
}

template <class V> void read_subordinate_side(const V& pins, AxiSubordinatePins& to) {
    to.awready = pins.awready;
    to.wready = pins.wready;
    to.b = {pins.bvalid != 0, pins.bid, pins.bresp};
    to.arready = pins.arready;
    to.r.valid = pins.rvalid;
    to.r.last = pins.rlast;
    to.r.id = pins.rid;
    to.r.resp = pins.rresp;
    if (to.r.valid) from_wide(pins.rdata, to.r.data);
}

} // namespace numavp::rtl
