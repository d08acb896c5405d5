// Barriers and fences of an SM's warps.
#include "models/sm/sm.h"

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

} // namespace numavp
