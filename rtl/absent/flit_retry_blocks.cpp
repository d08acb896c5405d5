#include "rtl/flit_retry_blocks.h"

#include "rtl/absent/refuse.h"

namespace numavp::rtl {

struct FlitRetrySenderBlock::Model {
    CxsReceiverPins above;
    RetryFlitPins line;
};
FlitRetrySenderBlock::FlitRetrySenderBlock(unsigned) { refuse("flit_retry_sender.sv"); }
FlitRetrySenderBlock::~FlitRetrySenderBlock() = default;
void FlitRetrySenderBlock::settle(const CxsTransmitterPins&, const RetryAnswerPins&) {}
void FlitRetrySenderBlock::edge() {}
const CxsReceiverPins& FlitRetrySenderBlock::to_above() const { return model_->above; }
const RetryFlitPins& FlitRetrySenderBlock::to_line() const { return model_->line; }

struct FlitRetryReceiverBlock::Model {
    RetryAnswerPins line;
    CxsTransmitterPins below;
};
FlitRetryReceiverBlock::FlitRetryReceiverBlock(unsigned) { refuse("flit_retry_receiver.sv"); }
FlitRetryReceiverBlock::~FlitRetryReceiverBlock() = default;
void FlitRetryReceiverBlock::settle(const RetryFlitPins&, const CxsReceiverPins&) {}
void FlitRetryReceiverBlock::edge() {}
const RetryAnswerPins& FlitRetryReceiverBlock::to_line() const { return model_->line; }
const CxsTransmitterPins& FlitRetryReceiverBlock::to_below() const { return model_->below; }

} // namespace numavp::rtl
