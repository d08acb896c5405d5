#include <Vflit_retry_sender.h>
#include <string>

#include "base/values/error.h"
#include "rtl/flit_retry_blocks.h"
#include "rtl/verilated/clocked.h"
#include "rtl/verilated/flit_retry_pins.h"

namespace numavp::rtl {

struct FlitRetrySenderBlock::Model : Clocked<Vflit_retry_sender> {
    FlitRetrySenderPins outside;
};

FlitRetrySenderBlock::FlitRetrySenderBlock(unsigned buffer_flits) : model_(std::make_unique<Model>()) {
    if (buffer_flits < 1 || buffer_flits > 255)
        throw ModelError("a retry buffer has 1 to 255 flits, not " + std::to_string(buffer_flits));
    model_->pins.buffer_flits = static_cast<CData>(buffer_flits);
    model_->reset();
}
FlitRetrySenderBlock::~FlitRetrySenderBlock() = default;

void FlitRetrySenderBlock::settle(const CxsTransmitterPins& above, const RetryAnswerPins& answer) {
    FlitRetrySenderPins::write(model_->pins, above, answer);
}

void FlitRetrySenderBlock::edge() {
    model_->edge();
    model_->outside.read(model_->pins);
}

const CxsReceiverPins& FlitRetrySenderBlock::to_above() const { return model_->outside.above; }
const RetryFlitPins& FlitRetrySenderBlock::to_line() const { return model_->outside.line; }

} // namespace numavp::rtl
