#include "rtl/axi4_channel_block.h"

#include "rtl/absent/refuse.h"

namespace numavp::rtl {

struct Axi4ChannelBlock::Model {
    AxiSubordinatePins pins;
};
Axi4ChannelBlock::Axi4ChannelBlock(const Axi4ChannelConfig&) { refuse("axi4_channel.sv"); }
Axi4ChannelBlock::~Axi4ChannelBlock() = default;
void Axi4ChannelBlock::edge() {}
void Axi4ChannelBlock::settle(const AxiManagerPins&) {}
const AxiSubordinatePins& Axi4ChannelBlock::pins() const { return model_->pins; }
unsigned Axi4ChannelBlock::debug(std::uint64_t, unsigned char*, unsigned, bool) { return 0; }
std::uint64_t Axi4ChannelBlock::busy_bytes() const { return 0; }

} // namespace numavp::rtl
