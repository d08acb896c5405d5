#include <Vfault_poller.h>

#include "rtl/verilated/fault_poller_model.h"

namespace numavp::rtl {

struct FaultPollerBlock::Model : FaultPollerModel<Vfault_poller> {};

FaultPollerBlock::FaultPollerBlock(const FaultPollerPins& constants) : model_(std::make_unique<Model>()) {
    model_->start(constants);
}
FaultPollerBlock::~FaultPollerBlock() = default;

void FaultPollerBlock::edge() { model_->rise(); }
void FaultPollerBlock::settle(const AxiLiteSubordinatePins& pins) { model_->settle(pins); }
const AxiLiteManagerPins& FaultPollerBlock::pins() const { return model_->out; }
bool FaultPollerBlock::idle() const { return model_->pins.idle; }
void FaultPollerBlock::interrupt(bool level) { model_->irq = level; }
bool FaultPollerBlock::failed() const { return model_->pins.failed; }

} // namespace numavp::rtl
