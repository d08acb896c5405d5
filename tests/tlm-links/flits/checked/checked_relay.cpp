#include "tests/tlm-links/flits/checked/checked_relay.h"

#include <Vflit_bench.h>

#include "rtl/verilated/clocked.h"
#include "rtl/verilated/flit_relay_pins.h"

namespace numavp::test {

struct CheckedRelay::Model : rtl::Clocked<Vflit_bench> {
    rtl::FlitRelayPins outside;
};

CheckedRelay::CheckedRelay(unsigned mutant, unsigned starve) : model_(std::make_unique<Model>()) {
    model_->context.fatalOnError(false); // a broken assertion is counted
    model_->context.errorLimit(1'000'000'000);
    model_->pins.mutant = static_cast<CData>(mutant);
    model_->pins.starve = static_cast<CData>(starve);
    model_->reset();
}
CheckedRelay::~CheckedRelay() = default;

void CheckedRelay::settle(const rtl::CxsTransmitterPins& above, const rtl::CxsReceiverPins& below) {
    rtl::FlitRelayPins::write(model_->pins, above, below);
}

void CheckedRelay::edge() {
    model_->edge();
    model_->outside.read(model_->pins);
}

const rtl::CxsReceiverPins& CheckedRelay::to_above() const { return model_->outside.above; }
const rtl::CxsTransmitterPins& CheckedRelay::to_below() const { return model_->outside.below; }
bool CheckedRelay::assertion_broken() const { return model_->context.errorCount() != 0; }

} // namespace numavp::test
