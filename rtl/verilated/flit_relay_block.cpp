#include <Vflit_relay.h>
#include <cstring>

#include "rtl/flit_blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

// Verilator keeps wide signals as 32-bit words, lowest first: byte i of a flit is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct FlitRelayBlock::Model : Clocked<Vflit_relay> {
    CxsReceiverPins above;
    CxsTransmitterPins below;
};

FlitRelayBlock::FlitRelayBlock(unsigned starve) : model_(std::make_unique<Model>()) {
    model_->pins.starve = static_cast<CData>(starve);
    model_->reset();
}
FlitRelayBlock::~FlitRelayBlock() = default;

void FlitRelayBlock::settle(const CxsTransmitterPins& above, const CxsReceiverPins& below) {
    Vflit_relay& pins = model_->pins;
    pins.rx_activereq = above.activereq;
    pins.rx_valid = above.valid;
    if (above.valid) {
        pins.rx_cntl = static_cast<SData>(above.cntl);
        std::memcpy(pins.rx_data.data(), above.data.data(), kCxsBytes);
    }
    pins.rx_crdrtn = above.crdrtn;
    pins.tx_activeack = below.activeack;
    pins.tx_crdgnt = below.crdgnt;
}

void FlitRelayBlock::edge() {
    model_->edge();
    const Vflit_relay& pins = model_->pins;
    model_->above = {pins.rx_crdgnt != 0, pins.rx_activeack != 0};
    CxsTransmitterPins& below = model_->below;
    below.valid = pins.tx_valid;
    if (below.valid) {
        below.cntl = pins.tx_cntl;
        std::memcpy(below.data.data(), pins.tx_data.data(), kCxsBytes);
    }
    below.crdrtn = pins.tx_crdrtn;
    below.activereq = pins.tx_activereq;
}

const CxsReceiverPins& FlitRelayBlock::to_above() const { return model_->above; }
const CxsTransmitterPins& FlitRelayBlock::to_below() const { return model_->below; }

} // namespace numavp::rtl
