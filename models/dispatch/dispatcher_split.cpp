/// Which blocks sockets get of a kernel: of each that is launched, and of those that have not begun when that changes.

#include "models/dispatch/block_dispatch.h"
#include "models/dispatch/block_order.h"
#include "models/dispatch/dispatcher.h"

namespace numavp {

void Dispatcher::split_blocks(Active& run) const {
    run.split = config_.split;
    run.queue = make_block_queue(config_.split, run.shape->blocks, takers_);
    run.order = make_block_order(config_.order, *run.shape, sockets_with_sms_);
}

void Dispatcher::change(const DispatchConfig& config) {
    config_.split = config.split;
    config_.order = config.order;
    for (const auto& run : active_)
        if (run->phase == Phase::launching) split_blocks(*run);
}

} // namespace numavp
