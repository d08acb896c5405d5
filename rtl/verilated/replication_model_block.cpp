#include <Vreplication_model.h>

#include "rtl/blocks.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

namespace {
QData joined(const ReplicationModelBlock::Counts& counts) { return counts[0] | QData{counts[1]} << 24U; }
} // namespace

struct ReplicationModelBlock::Model : Clocked<Vreplication_model> {};

ReplicationModelBlock::ReplicationModelBlock() : model_(std::make_unique<Model>()) { model_->reset(); }
ReplicationModelBlock::~ReplicationModelBlock() = default;

ReplicationModelBlock::Outputs ReplicationModelBlock::edge(const Inputs& in) {
    Vreplication_model& pins = model_->pins;
    pins.start = in.start;
    pins.lookups = joined(in.lookups);
    pins.hits = joined(in.hits);
    pins.misses = joined(in.misses);
    pins.requests = joined(in.requests);
    pins.local_requests = joined(in.local_requests);
    pins.remote_requests = joined(in.remote_requests);
    pins.llc = in.llc;
    pins.memory = in.memory;
    pins.noc = in.noc;
    model_->edge();
    Outputs out;
    out.busy = pins.busy;
    out.done = pins.done;
    out.bandwidth_none = pins.bandwidth_none;
    out.bandwidth_full = pins.bandwidth_full;
    out.decided = pins.decided;
    out.replicate = pins.replicate;
    return out;
}

void ReplicationModelBlock::watch(Waves& waves, const std::string& scope, const WaveClock& clock) {
    model_->watch(waves, scope, clock, WaveRadix::decimal);
}

} // namespace numavp::rtl
