#include <Vflit_relay.h>

#include "rtl/flit_blocks.h"
#include "rtl/verilated/clocked.h"
#include "rtl/verilated/flit_relay_pins.h"

namespace numavp::rtl {

struct FlitRelayBlock::Model : Clocked<Vflit_relay> {
    FlitRelayPins outside;
};

FlitRelayBlock::FlitRelayBlock(unsigned starve) : model_(std::make_unique<Model>()) {
    model_->pins.starve = static_cast<CData>(starve);
    model_->reset();
}
FlitRelayBlock::~FlitRelayBlock() = default;

void FlitRelayBlock::settle(const CxsTransmitterPins& above, const CxsReceiverPins& below) {
    FlitRelayPins::write(model_->pins, above, below);
}

void FlitRelayBlock::edge() {
    model_->edge();
    model_->outside.read(model_->pins);
}

const CxsReceiverPins& FlitRelayBlock::to_above() const { return model_->outside.above; }
const CxsTransmitterPins& FlitRelayBlock::to_below() const { return model_->outside.below; }

} // namespace numavp::rtl
