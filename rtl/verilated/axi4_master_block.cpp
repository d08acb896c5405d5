#include "rtl/axi4_master_block.h"

#include <Vaxi4_master.h>
#include <cstring>

#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

// Verilator keeps wide signals as 32-bit words, lowest first: byte lane i is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct Axi4MasterBlock::Model : Clocked<Vaxi4_master> {
    AxiManagerPins out;
    void read_pins() {
        out.aw.valid = pins.awvalid;
        out.aw.id = pins.awid;
        out.aw.addr = pins.awaddr;
        out.aw.len = pins.awlen;
        out.w.valid = pins.wvalid;
        if (out.w.valid) {
            out.w.last = pins.wlast;
            out.w.strb = pins.wstrb;
            std::memcpy(out.w.data.data(), pins.wdata.data(), kAxiBytes);
        }
        out.bready = pins.bready;
        out.ar.valid = pins.arvalid;
        out.ar.id = pins.arid;
        out.ar.addr = pins.araddr;
        out.ar.len = pins.arlen;
        out.rready = pins.rready;
    }
};

Axi4MasterBlock::Axi4MasterBlock(const Controls& controls) : model_(std::make_unique<Model>()) {
    model_->pins.seed = controls.seed;
    control(controls);
    model_->reset();
    settle({});
}
Axi4MasterBlock::~Axi4MasterBlock() = default;

void Axi4MasterBlock::control(const Controls& controls) {
    Vaxi4_master& pins = model_->pins;
    pins.base = controls.base;
    pins.bursts = controls.bursts;
    pins.rate = static_cast<SData>(controls.rate);
    pins.stall = static_cast<CData>(controls.stall);
    pins.most_beats = static_cast<CData>(controls.most_beats);
    pins.eval();
}
unsigned Axi4MasterBlock::answered() const { return model_->pins.answered; }
unsigned Axi4MasterBlock::wrong() const { return model_->pins.wrong; }

void Axi4MasterBlock::edge() {
    model_->pins.clk = 1;
    model_->pins.eval();
}

void Axi4MasterBlock::settle(const AxiSubordinatePins& in) {
    Vaxi4_master& pins = model_->pins;
    pins.awready = in.awready;
    pins.wready = in.wready;
    pins.bvalid = in.b.valid;
    pins.bid = static_cast<CData>(in.b.id);
    pins.bresp = static_cast<CData>(in.b.resp);
    pins.arready = in.arready;
    pins.rvalid = in.r.valid;
    if (in.r.valid) {
        pins.rid = static_cast<CData>(in.r.id);
        pins.rresp = static_cast<CData>(in.r.resp);
        pins.rlast = in.r.last;
        std::memcpy(pins.rdata.data(), in.r.data.data(), kAxiBytes);
    }
    pins.clk = 0;
    pins.eval();
    model_->read_pins();
}

const AxiManagerPins& Axi4MasterBlock::pins() const { return model_->out; }
bool Axi4MasterBlock::idle() const { return model_->pins.idle; }

} // namespace numavp::rtl
