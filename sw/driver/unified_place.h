/* A memory with what computes beside it, a CPU or a GPU, as unified memory sees it. */
#ifndef NUMAVP_SW_DRIVER_UNIFIED_PLACE_H
#define NUMAVP_SW_DRIVER_UNIFIED_PLACE_H

#include "sw/driver/c_types.h"

#define UNIFIED_NONE (~(uint32_t)0) /* no block, no place */

enum { kUnifiedMostPlaces = 32 }; /* as wide as a mask */

struct UnifiedPlace {
    bool host;        /* a CPU: has room for all */
    uint32_t home;    /* of a GPU: the CPU that takes what is evicted */
    uint32_t reaches; /* places whose memory it can access in place, as bits */
    uint32_t fast;    /* those of them that it accesses by a coherent link of its own, with atomics */
    uint32_t room;    /* of a GPU: free chunks */
    uint32_t oldest, newest;
};

#endif
