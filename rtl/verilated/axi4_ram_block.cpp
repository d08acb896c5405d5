#include <Vaxi4_ram.h>
#include <Vaxi4_ram___024root.h>
#include <algorithm>
#include <cstring>

#include "rtl/blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

namespace {
// Verilator keeps wide signals as 32-bit words, lowest first: byte lane i is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
using Wide = VlWide<kAxiBytes / 4>;
void to_pins(const AxiData& data, Wide& wide) { std::memcpy(wide.data(), data.data(), kAxiBytes); }
void from_pins(const Wide& wide, AxiData& data) { std::memcpy(data.data(), wide.data(), kAxiBytes); }
} // namespace

struct Axi4RamBlock::Model : Clocked<Vaxi4_ram> {
    AxiSubordinatePins out;
    void read_pins() {
        out.awready = pins.awready;
        out.wready = pins.wready;
        out.b = {pins.bvalid != 0, pins.bid, pins.bresp};
        out.arready = pins.arready;
        out.r.valid = pins.rvalid;
        out.r.last = pins.rlast;
        out.r.id = pins.rid;
        out.r.resp = pins.rresp;
        if (out.r.valid) from_pins(pins.rdata, out.r.data);
    }
};

Axi4RamBlock::Axi4RamBlock(unsigned stall) : model_(std::make_unique<Model>()) {
    model_->pins.stall = static_cast<CData>(stall);
    model_->reset();
    settle({});
}
Axi4RamBlock::~Axi4RamBlock() = default;

void Axi4RamBlock::edge() {
    model_->pins.clk = 1;
    model_->pins.eval();
    if (model_->waves) model_->waves->rise();
}

void Axi4RamBlock::settle(const AxiManagerPins& in) {
    Vaxi4_ram& pins = model_->pins;
    pins.awvalid = in.aw.valid;
    pins.awid = static_cast<CData>(in.aw.id);
    pins.awaddr = in.aw.addr;
    pins.awlen = static_cast<CData>(in.aw.len);
    pins.wvalid = in.w.valid;
    if (in.w.valid) {
        to_pins(in.w.data, pins.wdata);
        pins.wstrb = in.w.strb;
        pins.wlast = in.w.last;
    }
    pins.bready = in.bready;
    pins.arvalid = in.ar.valid;
    pins.arid = static_cast<CData>(in.ar.id);
    pins.araddr = in.ar.addr;
    pins.arlen = static_cast<CData>(in.ar.len);
    pins.rready = in.rready;
    pins.clk = 0;
    pins.eval();
    if (model_->waves) model_->waves->settle();
    model_->read_pins();
}

const AxiSubordinatePins& Axi4RamBlock::pins() const { return model_->out; }

unsigned Axi4RamBlock::debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) {
    auto& words = model_->pins.rootp->axi4_ram__DOT__words;
    unsigned done = 0;
    for (; done < count && address + done < kBytes; ++done) {
        const std::uint64_t at = address + done;
        auto* lanes = reinterpret_cast<unsigned char*>(words[at / kAxiBytes].data());
        if (write)
            lanes[at % kAxiBytes] = bytes[done];
        else
            bytes[done] = lanes[at % kAxiBytes];
    }
    return done;
}

void Axi4RamBlock::watch(Waves& waves, const std::string& scope, const WaveClock& clock) {
    model_->watch(waves, scope, clock, WaveRadix::hexadecimal);
}

} // namespace numavp::rtl
