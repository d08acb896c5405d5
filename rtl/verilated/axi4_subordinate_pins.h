/// Copies the plain-struct pins of an AXI4 port to and from those of a Verilated subordinate, with the same names.
#pragma once

#include <cstring>
#include <type_traits>
#include <verilated.h>

#include "rtl/axi4_pins.h"

namespace numavp::rtl {

// Verilator keeps wide signals as 32-bit words, lowest first: byte lane i is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
using WideBeat = VlWide<kAxiBytes / 4>;

/// Payload pins are set only while valid is set.
template <class V> void drive(const AxiManagerPins& in, V& v) {
    v.awvalid = in.aw.valid;
    if (in.aw.valid) {
        v.awid = static_cast<std::decay_t<decltype(v.awid)>>(in.aw.id);
        v.awaddr = in.aw.addr;
        v.awlen = static_cast<CData>(in.aw.len);
    }
    v.wvalid = in.w.valid;
    if (in.w.valid) {
        std::memcpy(v.wdata.data(), in.w.data.data(), kAxiBytes);
        v.wstrb = in.w.strb;
        v.wlast = in.w.last;
    }
    v.bready = in.bready;
    v.arvalid = in.ar.valid;
    if (in.ar.valid) {
        v.arid = static_cast<std::decay_t<decltype(v.arid)>>(in.ar.id);
        v.araddr = in.ar.addr;
        v.arlen = static_cast<CData>(in.ar.len);
    }
    v.rready = in.rready;
}

template <class V> void read(const V& v, AxiSubordinatePins& out) {
    out.awready = v.awready;
    out.wready = v.wready;
    out.b = {v.bvalid != 0, v.bid, v.bresp};
    out.arready = v.arready;
    out.r.valid = v.rvalid;
    if (!out.r.valid) return;
    out.r.last = v.rlast;
    out.r.id = v.rid;
    out.r.resp = v.rresp;
    std::memcpy(out.r.data.data(), v.rdata.data(), kAxiBytes);
}

} // namespace numavp::rtl
