#include <Vaxi4_ram.h>
#include <Vaxi4_ram___024root.h>

#include "rtl/blocks.h"
#include "rtl/verilated/axi4_subordinate_pins.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

struct Axi4RamBlock::Model : Clocked<Vaxi4_ram> {
    AxiSubordinatePins out;
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
    drive(in, model_->pins);
    model_->pins.clk = 0;
    model_->pins.eval();
    if (model_->waves) model_->waves->settle();
    read(model_->pins, model_->out);
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
