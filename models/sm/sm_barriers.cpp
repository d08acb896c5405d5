// Barriers, fences and waits for flags of an SM's warps.
#include "models/sm/sm.h"
#include "tlm-links/protocol/flag_board.h"

namespace numavp {

/// Operations that wait for translations are overtaken by other warps': what a barrier orders must be made before it.
void Sm::barrier(unsigned w) {
    ++counts_.barriers;
    at_barrier_ |= bit(w);
    if (warps_[w].unmade == 0)
        arrive(w);
    else
        warps_[w].arriving = true;
}

void Sm::arrive(unsigned w) {
    Block& block = blocks_[warps_[w].block];
    block.arrived |= bit(w);
    if (block.arrived == block.warps) release_barrier(block);
}

void Sm::release_barrier(Block& block) {
    const std::uint64_t all = block.arrived;
    block.arrived = 0;
    at_barrier_ &= ~all;
    for (std::uint64_t bits = all; bits; bits &= bits - 1)
        advance(static_cast<unsigned>(__builtin_ctzll(bits)), domain_.now() + 1);
}

void Sm::fence(unsigned w) {
    ++counts_.fences;
    warps_[w].fencing = true;
    at_barrier_ |= bit(w);
    if (outstanding_[w].stores == 0 && warps_[w].unmade == 0) start_flush(w);
}

void Sm::start_flush(unsigned w) {
    client_.flush_socket(socket_, [this, w] {
        account(domain_.now());
        unit_.invalidate();
        warps_[w].fencing = false;
        at_barrier_ &= ~bit(w);
        advance(w, domain_.now() + 1);
    });
}

/// Reads a flag. The warp issues nothing until the answer has come; without enough signals it issues the load again.
void Sm::poll(unsigned w) {
    flags_->begin({socket_, index_, w});
    ++counts_.polls;
    polling_ |= bit(w);
    dependent_ &= ~bit(w); // it waits for memory
    unit_.push(warps_[w].inst, {w, outstanding_[w].generation, warps_[w].run});
    warps_[w].unmade += may_wait_;
    unit_full_ = !unit_.has_room();
    unit_active_ = true;
}

void Sm::polled(unsigned w, Cycle edge) {
    Warp& warp = warps_[w];
    const Cycle now = domain_.now();
    account(now);
    polling_ &= ~bit(w);
    const bool later = edge > now;
    if (!flags_->take({socket_, index_, w}, warp.inst.awaits)) return settle(w, later ? edge : now, later);
    write_register(warp, warp.inst.dst, edge, true);
    advance(w, later ? edge : now, later);
}

} // namespace numavp
