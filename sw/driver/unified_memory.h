/* Unified memory: where the pages of managed allocations lie, and what moves when somebody touches them.
 *
 * The rules are those of NVIDIA's open driver (open-gpu-kernel-modules, kernel-open/nvidia-uvm: uvm_va_block.c, block_
 * select_residency; uvm_pmm_gpu.c), of which this is the part that decides. Memory comes in blocks of 2 MiB with 32
 * leaves of 64 KiB. A place is a memory with what computes beside it, a CPU or a GPU. In order:
 * 1. A leaf that lies with the toucher stays. A leaf that lies nowhere comes into being at its preferred place if the
 *    toucher reaches that, else with the toucher.
 * 2. Read mostly: a read copies leaves, with those around them by the tree rule; a write drops all other copies.
 * 3. CPUs access each other's memory in place.
 * 4. A toucher whom `accessed_by` names accesses what it reaches in place; so does who reaches the preferred place, if
 *    the leaf lies there.
 * 5. Leaves that thrash may keep the toucher waiting, or stay where they are pinned (thrashing.h), in blocks that are
 *    watched.
 * 6. Else leaves move to the toucher: what the tree rule adds, too.
 * A GPU's memory has a number of chunks of 2 MiB, one for each block of which it has a leaf. If none is free, the chunk
 * that was filled first is emptied to the GPU's home CPU: the order is that of allocation, not of use. */
#ifndef NUMAVP_SW_DRIVER_UNIFIED_MEMORY_H
#define NUMAVP_SW_DRIVER_UNIFIED_MEMORY_H

#include "sw/driver/c_types.h"
#include "sw/driver/thrashing.h"
#include "sw/driver/unified_place.h"

enum UnifiedKind {
    kUnifiedMove,  /* the leaves are at `to` alone then */
    kUnifiedCopy,  /* at both */
    kUnifiedEvict, /* moved, to make room at `from` */
    kUnifiedDrop,  /* copies at `from` are gone; others are left */
};

/* One thing that was done, in the order of the log. */
struct UnifiedWork {
    enum UnifiedKind kind;
    uint32_t block;
    uint32_t leaves; /* as bits */
    uint32_t from, to;
};

/* What a place's memory has of a block. */
struct UnifiedChunk {
    uint32_t resident;     /* leaves, as bits; 0: no chunk */
    uint32_t older, newer; /* blocks, in the order in which the place's chunks were filled */
};

struct UnifiedBlock {
    uint32_t all;         /* leaves that are allocated */
    uint32_t accessed_by; /* places, as bits */
    uint32_t preferred;   /* place, or UNIFIED_NONE */
    bool read_mostly;
    struct ThrashingBlock* watched; /* 0: its leaves go to and fro as they like */
};

struct UnifiedMemory {
    uint32_t blocks, places;
    uint32_t percent; /* of the tree rule */
    struct UnifiedBlock* block;
    struct UnifiedChunk* chunk; /* of block b in place p: [b * places + p] */
    struct UnifiedPlace place[kUnifiedMostPlaces];
    struct ThrashingRule thrashing;
    uint64_t now;    /* ns, more than 0: the caller's clock, for what is watched */
    uint64_t nap_ns; /* that the toucher of the last call slept before its pages came */
    /* What the last call did. One call never does more: a block has been in each place, and made room once in
     * one; leaves that are pinned may go to as many places before. */
    struct UnifiedWork log[8 * kUnifiedMostPlaces];
    uint32_t logged;
};

#ifdef __cplusplus
extern "C" {
#endif

/* `block` has `blocks` elements, `chunk` that times `places`; both stay the caller's. All places are CPUs that reach
 * nothing until they are set. */
void unified_init(struct UnifiedMemory* memory, uint32_t places, uint32_t percent, struct UnifiedBlock* block,
                  struct UnifiedChunk* chunk, uint32_t blocks);

/* Leaves of a block that are there from now on, resident at `place`, or nowhere (UNIFIED_NONE). */
void unified_allocate(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place);
void unified_free(struct UnifiedMemory* memory, uint32_t block);
/* From now on it is seen if the block's leaves go to and fro. `thrashing` stays the caller's. */
void unified_watch(struct UnifiedMemory* memory, uint32_t block, struct ThrashingBlock* thrashing);

/* Memory of a GPU that is not unified: makes room for `chunks`. False, and nothing has been taken, if even without
 * unified memory there would be too little. Logs what the last chunk took; the caller asks for one after the other. */
bool unified_reserve(struct UnifiedMemory* memory, uint32_t place);
void unified_release(struct UnifiedMemory* memory, uint32_t place);

/* Somebody at `place` touches these leaves of a block. Returns those that it accesses where they are, and where that
 * is says unified_place_of(). What is not allocated is left alone. */
uint32_t unified_touch(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place, bool write);
/* Brings leaves to a place, whatever is advised, but copies what is read mostly. Returns those that stay elsewhere: for
 * want of room, or with another CPU, since a prefetch knows the host alone (cudaCpuDeviceId). */
uint32_t unified_prefetch(struct UnifiedMemory* memory, uint32_t block, uint32_t leaves, uint32_t place);

/* A place that has the leaf: the first, or UNIFIED_NONE. */
uint32_t unified_place_of(const struct UnifiedMemory* memory, uint32_t block, uint32_t leaf);

#ifdef __cplusplus
}
#endif

#endif
