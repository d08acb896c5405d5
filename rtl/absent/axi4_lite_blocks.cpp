#include "rtl/axi4_lite_blocks.h"

#include "rtl/absent/refuse.h"

namespace numavp::rtl {

struct FaultPollerBlock::Model {
    AxiLiteManagerPins pins;
};
FaultPollerBlock::FaultPollerBlock(const FaultPollerPins&) { refuse("fault_poller.sv"); }
FaultPollerBlock::~FaultPollerBlock() = default;
void FaultPollerBlock::edge() {}
void FaultPollerBlock::settle(const AxiLiteSubordinatePins&) {}
const AxiLiteManagerPins& FaultPollerBlock::pins() const { return model_->pins; }
bool FaultPollerBlock::idle() const { return true; }
void FaultPollerBlock::interrupt(bool) {}
bool FaultPollerBlock::failed() const { return false; }

struct AxiLiteRegistersBlock::Model {
    AxiLiteSubordinatePins pins;
};
AxiLiteRegistersBlock::AxiLiteRegistersBlock(unsigned) { refuse("axi4_lite_registers.sv"); }
AxiLiteRegistersBlock::~AxiLiteRegistersBlock() = default;
void AxiLiteRegistersBlock::edge() {}
void AxiLiteRegistersBlock::settle(const AxiLiteManagerPins&) {}
const AxiLiteSubordinatePins& AxiLiteRegistersBlock::pins() const { return model_->pins; }

} // namespace numavp::rtl
