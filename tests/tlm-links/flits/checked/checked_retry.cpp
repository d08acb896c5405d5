#include "tests/tlm-links/flits/checked/checked_retry.h"

#include <Vflit_retry_receiver_bench.h>
#include <Vflit_retry_sender_bench.h>

#include "rtl/verilated/clocked.h"
#include "rtl/verilated/flit_retry_pins.h"

namespace numavp::test {

namespace {
/// A broken assertion is printed, and the run goes on.
template <class Model> void choose(Model& model, unsigned mutant) {
    model.context.fatalOnError(false);
    model.context.errorLimit(1'000'000'000);
    model.pins.mutant = static_cast<CData>(mutant);
}
} // namespace

struct CheckedRetrySender::Model : rtl::Clocked<Vflit_retry_sender_bench> {
    rtl::FlitRetrySenderPins outside;
};

CheckedRetrySender::CheckedRetrySender(unsigned mutant, unsigned buffer_flits) : model_(std::make_unique<Model>()) {
    choose(*model_, mutant);
    model_->pins.buffer_flits = static_cast<CData>(buffer_flits);
    model_->reset();
}
CheckedRetrySender::~CheckedRetrySender() = default;
void CheckedRetrySender::settle(const rtl::CxsTransmitterPins& above, const rtl::RetryAnswerPins& answer) {
    rtl::FlitRetrySenderPins::write(model_->pins, above, answer);
}
void CheckedRetrySender::edge() {
    model_->edge();
    model_->outside.read(model_->pins);
}
const rtl::CxsReceiverPins& CheckedRetrySender::to_above() const { return model_->outside.above; }
const rtl::RetryFlitPins& CheckedRetrySender::to_line() const { return model_->outside.line; }

struct CheckedRetryReceiver::Model : rtl::Clocked<Vflit_retry_receiver_bench> {
    rtl::FlitRetryReceiverPins outside;
};

CheckedRetryReceiver::CheckedRetryReceiver(unsigned mutant, unsigned round_trip) : model_(std::make_unique<Model>()) {
    choose(*model_, mutant);
    model_->pins.round_trip = static_cast<SData>(round_trip);
    model_->reset();
}
CheckedRetryReceiver::~CheckedRetryReceiver() = default;
void CheckedRetryReceiver::settle(const rtl::RetryFlitPins& line, const rtl::CxsReceiverPins& below) {
    rtl::FlitRetryReceiverPins::write(model_->pins, line, below);
}
void CheckedRetryReceiver::edge() {
    model_->edge();
    model_->outside.read(model_->pins);
}
const rtl::RetryAnswerPins& CheckedRetryReceiver::to_line() const { return model_->outside.line; }
const rtl::CxsTransmitterPins& CheckedRetryReceiver::to_below() const { return model_->outside.below; }

} // namespace numavp::test
