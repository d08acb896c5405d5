#include "sw/driver/prefetch_tree.h"

static uint32_t count_bits(uint32_t word) {
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) ++count;
    return count;
}

/* `leaves` leaves from `first`. */
static uint32_t range_of(uint32_t first, uint32_t leaves) {
    const uint32_t low = leaves == 32 ? ~(uint32_t)0 : ((uint32_t)1 << leaves) - 1;
    return low << first;
}

/* The largest range around `leaf` that is occupied enough; the leaf alone if there is none. */
static uint32_t grown(uint32_t leaf, uint32_t occupied, uint32_t all, uint32_t percent) {
    uint32_t best = (uint32_t)1 << leaf;
    for (uint32_t leaves = 2; leaves <= kPrefetchLeaves; leaves *= 2) {
        const uint32_t range = range_of(leaf / leaves * leaves, leaves) & all;
        if (count_bits(occupied & range) * 100 > count_bits(range) * percent) best = range;
    }
    return best;
}

uint32_t prefetch_leaves(uint32_t resident, uint32_t faulted, uint32_t all, uint32_t percent) {
    const uint32_t occupied = (resident | faulted) & all;
    uint32_t moved = 0;
    for (uint32_t leaf = 0; leaf < kPrefetchLeaves; ++leaf)
        if ((faulted & all) >> leaf & 1) moved |= grown(leaf, occupied, all, percent);
    return moved & ~resident;
}
