#include <Vretry_sender.h>

#include "rtl/retry_block.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

struct RetrySenderBlock::Model : Clocked<Vretry_sender> {};

RetrySenderBlock::RetrySenderBlock(unsigned largest_units, unsigned buffer_units) : model_(std::make_unique<Model>()) {
    model_->pins.largest_units = static_cast<CData>(largest_units);
    model_->pins.buffer_units = buffer_units;
    model_->pins.item_units = 1;
    model_->reset();
}
RetrySenderBlock::~RetrySenderBlock() = default;

RetrySenderBlock::Outputs RetrySenderBlock::edge(const Inputs& in) {
    Vretry_sender& pins = model_->pins;
    pins.item = in.item;
    pins.item_units = static_cast<CData>(in.item_units);
    pins.acknowledge = in.acknowledge;
    pins.again = in.again;
    model_->edge();
    return {pins.taken != 0, pins.valid != 0, pins.last != 0, pins.sequence_number};
}

} // namespace numavp::rtl
