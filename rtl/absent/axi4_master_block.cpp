#include "rtl/axi4_master_block.h"

#include "rtl/absent/refuse.h"

namespace numavp::rtl {

struct Axi4MasterBlock::Model {
    AxiManagerPins pins;
};
Axi4MasterBlock::Axi4MasterBlock(const Controls&) { refuse("axi4_master.sv"); }
Axi4MasterBlock::~Axi4MasterBlock() = default;
void Axi4MasterBlock::control(const Controls&) {}
unsigned Axi4MasterBlock::answered() const { return 0; }
unsigned Axi4MasterBlock::wrong() const { return 0; }
void Axi4MasterBlock::edge() {}
void Axi4MasterBlock::settle(const AxiSubordinatePins&) {}
const AxiManagerPins& Axi4MasterBlock::pins() const { return model_->pins; }
bool Axi4MasterBlock::idle() const { return true; }

} // namespace numavp::rtl
