/* Pages that go to and fro: when the driver keeps a toucher waiting, and when it leaves pages where they are.
 *
 * The rules and their numbers are those of NVIDIA's open driver (open-gpu-kernel-modules, kernel-open/nvidia-uvm/
 * uvm_perf_thrashing.c; its first release is of 2022), for leaves of 64 KiB in the place of pages:
 * 1. A leaf that moves again within a lapse has one event more. Leaves of a block are watched once two places had parts
 *    of the block within a lapse. A leaf with `threshold` events thrashes: other leaves' faults no longer bring it.
 * 2. Who faults on a leaf that thrashes: if all its places have fast access to where it lies, it is pinned there. Else
 *    one place goes on and the others nap until the period ends; in the next period another place goes on.
 * 3. After `naps` naps the place that goes on has the leaf pinned. A place that can't reach it naps once more; then it
 *    is pinned where all reach it.
 * 4. A pin ends after a time. So does all that is known of a block if nothing of it thrashed for an epoch.
 * Not modelled: rights that atomics of the whole system take away, and access counters (Volta). */
#ifndef NUMAVP_SW_DRIVER_THRASHING_H
#define NUMAVP_SW_DRIVER_THRASHING_H

#include "sw/driver/c_types.h"
#include "sw/driver/unified_place.h"

enum {
    kThrashingThreshold = 3, /* events (uvm_perf_thrashing_threshold) */
    kThrashingLapse = 500,   /* us (uvm_perf_thrashing_lapse_usec) */
    kThrashingNap = 1,       /* lapses (uvm_perf_thrashing_nap) */
    kThrashingNaps = 10,     /* until it is pinned (uvm_perf_thrashing_pin_threshold) */
    kThrashingPin = 300,     /* lapses (uvm_perf_thrashing_pin) */
    kThrashingEpoch = 2000,  /* lapses (uvm_perf_thrashing_epoch) */
    kThrashingResets = 4,    /* of a block (uvm_perf_thrashing_max_resets) */
    kThrashingLeaves = 32
};

struct ThrashingRule {
    uint64_t lapse, nap, pin, epoch; /* ns */
    uint32_t threshold;              /* events */
    uint32_t naps, resets;
};

struct ThrashingLeaf {
    uint64_t last;    /* event, ns; 0: none yet */
    uint64_t nap_end; /* of the period in which one place goes on; 0: there is none */
    uint64_t pin_end; /* if it is pinned */
    uint32_t places;  /* that had it, or asked for it while it thrashed, as bits */
    uint32_t napping; /* places, as bits */
    uint32_t pinned;  /* the place, or UNIFIED_NONE */
    uint32_t awake;   /* the place that goes on, or UNIFIED_NONE */
    uint32_t events, naps;
};

struct ThrashingBlock {
    uint64_t last;           /* move of a part of it, ns; 0: none yet */
    uint64_t last_thrashing; /* move of a leaf that thrashed; 0: none yet */
    uint32_t last_place;
    uint32_t resets;
    bool watched, ever_pinned;
    struct ThrashingLeaf leaf[kThrashingLeaves];
};

/* A fault on a leaf, which lies `at`. Times are more than 0. Of one block they
   may go back by a nap, which counts as no time. */
struct ThrashingFault {
    uint32_t leaf, by, at;
    uint32_t preferred; /* place, or UNIFIED_NONE */
    uint64_t now;
};

enum ThrashingWord {
    kThrashingGoOn, /* as ever */
    kThrashingWait, /* it naps, and faults again at `until` */
    kThrashingStay  /* the leaf is pinned at `place` */
};
struct ThrashingHint {
    enum ThrashingWord word;
    uint32_t place;
    uint64_t until;
};

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers above. */
void thrashing_defaults(struct ThrashingRule* rule);

/* Nothing is known of the block. */
void thrashing_start(struct ThrashingBlock* block);

/* Leaves, as bits, went to a place that faulted on the block. */
void thrashing_moved(const struct ThrashingRule* rule, struct ThrashingBlock* block, uint32_t leaves, uint32_t place,
                     uint64_t now);
/* They moved since somebody asked for that, were copied, or are gone: what was known of them counts no more. */
void thrashing_forget(struct ThrashingBlock* block, uint32_t leaves);

/* What becomes of a fault. `place` has the `places` places. */
struct ThrashingHint thrashing_hint(const struct ThrashingRule* rule, struct ThrashingBlock* block,
                                    const struct UnifiedPlace* place, uint32_t places,
                                    const struct ThrashingFault* fault);

/* Leaves that thrash, as bits. */
uint32_t thrashing_leaves(const struct ThrashingRule* rule, const struct ThrashingBlock* block);

#ifdef __cplusplus
}
#endif

#endif
