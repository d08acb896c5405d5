#include "rtl/absent/refuse.h"
#include "rtl/retry_block.h"

namespace numavp::rtl {

struct RetrySenderBlock::Model {};
RetrySenderBlock::RetrySenderBlock(unsigned, unsigned) { refuse("retry_sender.sv"); }
RetrySenderBlock::~RetrySenderBlock() = default;
RetrySenderBlock::Outputs RetrySenderBlock::edge(const Inputs&) { return {}; }

} // namespace numavp::rtl
