// Blocks of an SM: what one needs, its start, the end of its warps.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/sm/sm.h"

namespace numavp {

namespace {
unsigned registers_of(const KernelShape& shape) { return shape.registers * shape.warps() * kWarpLanes; }
} // namespace

std::string Sm::why_never(const SmConfig& config, const KernelShape& shape) {
    if (shape.warps() > config.warps)
        return fmt::format("a block of {} threads needs {} warps, an SM has {}", shape.threads, shape.warps(),
                           config.warps);
    if (registers_of(shape) > config.registers)
        return fmt::format("a block of {} threads with {} registers each needs {} registers, an SM has {}",
                           shape.threads, shape.registers, registers_of(shape), config.registers);
    if (shape.shared_bytes > config.shared_bytes())
        return fmt::format("a block needs {} bytes of shared memory, an SM has {}", shape.shared_bytes,
                           config.shared_bytes());
    return "";
}

bool Sm::fits(const KernelShape& shape) const {
    return free_blocks_ != 0 && config_.warps - resident_warps() >= shape.warps() &&
           free_registers_ >= registers_of(shape) && free_shared_ >= shape.shared_bytes;
}

void Sm::start(KernelRun& run, std::unique_ptr<BlockStreams> streams) {
    account(domain_.now());
    const auto slot = static_cast<unsigned>(
        std::find_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.run == nullptr; }) -
        blocks_.begin());
    Block& block = blocks_[slot];
    block.streams = std::move(streams);
    block.run = &run;
    block.warps = block.arrived = 0;
    --free_blocks_;
    free_registers_ -= registers_of(*run.shape);
    free_shared_ -= run.shape->shared_bytes;
    ++counts_.blocks;
    Cycle ready = domain_.now();
    if (config_.first_block_cycles != 0) {
        Cycle& arguments = run.arguments_at[socket_.value][index_];
        if (arguments == 0) arguments = ready + 1 + config_.first_block_cycles;
        ready = std::max(ready, arguments);
    }
    for (unsigned i = 0; i < run.shape->warps(); ++i) {
        const auto w = static_cast<unsigned>(__builtin_ctzll(~occupied_));
        occupied_ |= bit(w);
        block.warps |= bit(w);
        Warp& warp = warps_[w];
        warp.stream = &block.streams->warp(i);
        std::fill_n(warp.ready.begin(), warp.top + 1, 0);
        warp.top = 0;
        warp.base = ready;
        warp.run = &run;
        ++outstanding_[w].generation;
        outstanding_[w].stores = 0;
        warp.unmade = 0;
        warp.arriving = false;
        warp.age = next_age_++;
        warp.block = slot;
        warp.fencing = false;
        // The starter's clock may act before this one at an edge that both have.
        advance(w, domain_.now() + 1, own_clock_);
    }
    slots_.resident(occupied_);
}

void Sm::end_warp(unsigned w) {
    Warp& warp = warps_[w];
    Block& block = blocks_[warp.block];
    block.warps &= ~bit(w);
    occupied_ &= ~bit(w);
    memory_next_ &= ~bit(w);
    dependent_ &= ~bit(w);
    slots_.resident(occupied_);
    warp.stream = nullptr;
    ++outstanding_[w].generation; // what is still on its way finds nobody
    if (block.warps == 0) {
        KernelRun& run = *block.run;
        ++free_blocks_;
        free_registers_ += registers_of(*run.shape);
        free_shared_ += run.shape->shared_bytes;
        block.streams.reset();
        block.run = nullptr;
        client_.block_done(socket_, index_, run);
    } else if (block.arrived == block.warps) {
        release_barrier(block);
    }
}

} // namespace numavp
