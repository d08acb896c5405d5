#include "rtl/flit_blocks.h"

#include "rtl/absent/refuse.h"

namespace numavp::rtl {

struct FlitRelayBlock::Model {
    CxsReceiverPins above;
    CxsTransmitterPins below;
};
FlitRelayBlock::FlitRelayBlock(unsigned) { refuse("flit_relay.sv"); }
FlitRelayBlock::~FlitRelayBlock() = default;
void FlitRelayBlock::settle(const CxsTransmitterPins&, const CxsReceiverPins&) {}
void FlitRelayBlock::edge() {}
const CxsReceiverPins& FlitRelayBlock::to_above() const { return model_->above; }
const CxsTransmitterPins& FlitRelayBlock::to_below() const { return model_->below; }

} // namespace numavp::rtl
