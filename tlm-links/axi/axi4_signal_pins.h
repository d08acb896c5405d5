/// Converts the plain-struct pins of an AXI4 port to and from SystemC signals or ports of the same names.
///
/// Types are those that `verilator --sc` gives its ports: bool, uint32_t, uint64_t, and for data sc_bv<512>, which is
/// also cheaper than sc_biguint: no model computes with data, and its words can be copied. P is any type with members
/// `awvalid` to `rlast` that can be read or written: Axi4Signals, or a module with such ports.
#pragma once

#include <cstring>

#include <systemc>

#include "rtl/axi4_pins.h"

namespace numavp {

using Axi4DataSignal = sc_dt::sc_bv<8 * rtl::kAxiBytes>;

inline constexpr int kAxi4DataWords = rtl::kAxiBytes / sizeof(sc_dt::sc_digit);
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__); // byte lane i is byte i of the words

inline Axi4DataSignal to_signal(const rtl::AxiData& data) {
    Axi4DataSignal value;
    for (int i = 0; i < kAxi4DataWords; ++i) {
        sc_dt::sc_digit word = 0;
        std::memcpy(&word, &data[static_cast<unsigned>(i) * sizeof word], sizeof word);
        value.set_word(i, word);
    }
    return value;
}

inline void from_signal(const Axi4DataSignal& value, rtl::AxiData& data) {
    for (int i = 0; i < kAxi4DataWords; ++i) {
        const sc_dt::sc_digit word = value.get_word(i);
        std::memcpy(&data[static_cast<unsigned>(i) * sizeof word], &word, sizeof word);
    }
}

/// Payload signals are written and read only while valid is set; otherwise they keep their last values.
template <class P> void write_pins(const rtl::AxiManagerPins& from, P& to) {
    to.awvalid.write(from.aw.valid);
    if (from.aw.valid) {
        to.awid.write(from.aw.id);
        to.awaddr.write(from.aw.addr);
        to.awlen.write(from.aw.len);
        to.awsize.write(from.aw.size);
        to.awburst.write(from.aw.burst);
    }
    to.wvalid.write(from.w.valid);
    if (from.w.valid) {
        to.wdata.write(to_signal(from.w.data));
        to.wstrb.write(from.w.strb);
        to.wlast.write(from.w.last);
    }
    to.bready.write(from.bready);
    to.arvalid.write(from.ar.valid);
    if (from.ar.valid) {
        to.arid.write(from.ar.id);
        to.araddr.write(from.ar.addr);
        to.arlen.write(from.ar.len);
        to.arsize.write(from.ar.size);
        to.arburst.write(from.ar.burst);
    }
    to.rready.write(from.rready);
}

template <class P> void read_pins(const P& from, rtl::AxiManagerPins& to) {
    to.aw.valid = from.awvalid.read();
    if (to.aw.valid)
        to.aw = {
            true, from.awid.read(), from.awaddr.read(), from.awlen.read(), from.awsize.read(), from.awburst.read()};
    to.w.valid = from.wvalid.read();
    if (to.w.valid) {
        from_signal(from.wdata.read(), to.w.data);
        to.w.strb = from.wstrb.read();
        to.w.last = from.wlast.read();
    }
    to.bready = from.bready.read();
    to.ar.valid = from.arvalid.read();
    if (to.ar.valid)
        to.ar = {
            true, from.arid.read(), from.araddr.read(), from.arlen.read(), from.arsize.read(), from.arburst.read()};
    to.rready = from.rready.read();
}

template <class P> void write_pins(const rtl::AxiSubordinatePins& from, P& to) {
    to.awready.write(from.awready);
    to.wready.write(from.wready);
    to.bvalid.write(from.b.valid);
    if (from.b.valid) {
        to.bid.write(from.b.id);
        to.bresp.write(from.b.resp);
    }
    to.arready.write(from.arready);
    to.rvalid.write(from.r.valid);
    if (from.r.valid) {
        to.rid.write(from.r.id);
        to.rresp.write(from.r.resp);
        to.rlast.write(from.r.last);
        to.rdata.write(to_signal(from.r.data));
    }
}

template <class P> void read_pins(const P& from, rtl::AxiSubordinatePins& to) {
    to.awready = from.awready.read();
    to.wready = from.wready.read();
    to.b.valid = from.bvalid.read();
    if (to.b.valid) to.b = {true, from.bid.read(), from.bresp.read()};
    to.arready = from.arready.read();
    to.r.valid = from.rvalid.read();
    if (to.r.valid) {
        to.r.id = from.rid.read();
        to.r.resp = from.rresp.read();
        to.r.last = from.rlast.read();
        from_signal(from.rdata.read(), to.r.data);
    }
}

} // namespace numavp
