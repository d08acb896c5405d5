#include <Vflit_retry_receiver.h>
#include <string>

#include "base/values/error.h"
#include "rtl/flit_retry_blocks.h"
#include "rtl/verilated/clocked.h"
#include "rtl/verilated/flit_retry_pins.h"

namespace numavp::rtl {

struct FlitRetryReceiverBlock::Model : Clocked<Vflit_retry_receiver> {
    FlitRetryReceiverPins outside;
};

FlitRetryReceiverBlock::FlitRetryReceiverBlock(unsigned round_trip) : model_(std::make_unique<Model>()) {
    if (round_trip < 3 || round_trip > 1023)
        throw ModelError("the round trip of a line with errors is 3 to 1023 cycles, not " + std::to_string(round_trip));
    model_->pins.round_trip = static_cast<SData>(round_trip);
    model_->reset();
}
FlitRetryReceiverBlock::~FlitRetryReceiverBlock() = default;

void FlitRetryReceiverBlock::settle(const RetryFlitPins& line, const CxsReceiverPins& below) {
    FlitRetryReceiverPins::write(model_->pins, line, below);
}

void FlitRetryReceiverBlock::edge() {
    model_->edge();
    model_->outside.read(model_->pins);
}

const RetryAnswerPins& FlitRetryReceiverBlock::to_line() const { return model_->outside.line; }
const CxsTransmitterPins& FlitRetryReceiverBlock::to_below() const { return model_->outside.below; }

} // namespace numavp::rtl
