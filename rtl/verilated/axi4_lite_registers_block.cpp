#include <Vaxi4_lite_registers.h>

#include "rtl/axi4_lite_blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

struct AxiLiteRegistersBlock::Model : Clocked<Vaxi4_lite_registers> {
    AxiLiteSubordinatePins out;
};

AxiLiteRegistersBlock::AxiLiteRegistersBlock(unsigned stall) : model_(std::make_unique<Model>()) {
    model_->pins.stall = static_cast<CData>(stall);
    model_->reset();
    settle({});
}
AxiLiteRegistersBlock::~AxiLiteRegistersBlock() = default;

void AxiLiteRegistersBlock::edge() {
    model_->pins.clk = 1;
    model_->pins.eval();
}

void AxiLiteRegistersBlock::settle(const AxiLiteManagerPins& in) {
    Vaxi4_lite_registers& v = model_->pins;
    v.awvalid = in.aw.valid;
    v.awaddr = in.aw.addr;
    v.wvalid = in.w.valid;
    v.wdata = in.w.data;
    v.wstrb = static_cast<CData>(in.w.strb);
    v.bready = in.bready;
    v.arvalid = in.ar.valid;
    v.araddr = in.ar.addr;
    v.rready = in.rready;
    v.clk = 0;
    v.eval();
    AxiLiteSubordinatePins& out = model_->out;
    out.awready = v.awready;
    out.wready = v.wready;
    out.b = {v.bvalid != 0, v.bresp};
    out.arready = v.arready;
    out.r = {v.rvalid != 0, v.rresp, v.rdata};
}

const AxiLiteSubordinatePins& AxiLiteRegistersBlock::pins() const { return model_->out; }

} // namespace numavp::rtl
