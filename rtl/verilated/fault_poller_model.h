/// A Verilated model with the ports of rtl/fault_poller.sv, driven by plain-struct pins.
#pragma once

#include "rtl/axi4_lite_blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

template <class V> struct FaultPollerModel : Clocked<V> {
    AxiLiteManagerPins out;
    bool irq = false;

    /// Sets the constant pins and ends the reset.
    void start(const FaultPollerPins& constants) {
        V& v = this->pins;
        v.sockets = static_cast<SData>(constants.sockets);
        v.socket_shift = static_cast<CData>(constants.socket_shift);
        v.page_shift = static_cast<CData>(constants.page_shift);
        v.leaf_table = constants.leaf_table;
        this->reset();
        settle({});
    }
    void rise() {
        this->pins.clk = 1;
        this->pins.eval();
    }
    void settle(const AxiLiteSubordinatePins& in) {
        V& v = this->pins;
        v.irq = irq;
        v.awready = in.awready;
        v.wready = in.wready;
        v.bvalid = in.b.valid;
        v.bresp = static_cast<CData>(in.b.resp);
        v.arready = in.arready;
        v.rvalid = in.r.valid;
        v.rresp = static_cast<CData>(in.r.resp);
        v.rdata = in.r.data;
        v.clk = 0;
        v.eval();
        out.aw = {v.awvalid != 0, v.awaddr};
        out.w = {v.wvalid != 0, v.wstrb, v.wdata};
        out.bready = v.bready;
        out.ar = {v.arvalid != 0, v.araddr};
        out.rready = v.rready;
    }
};

} // namespace numavp::rtl
