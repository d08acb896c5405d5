/* What else is moved when pages of a block fault: the tree rule of NVIDIA's driver for unified memory
 * (open-gpu-kernel-modules, kernel-open/nvidia-uvm/uvm_perf_prefetch.c; its first release is of 2022).
 *
 * A block of 2 MiB has 32 leaves of 64 KiB. A page that faults is grown to its leaf; then to the largest aligned
 * range, of a power of two of leaves, of which more than 51 % are resident or fault now. A leaf is a bit of a word, so
 * that the rule needs no memory. */
#ifndef NUMAVP_SW_DRIVER_PREFETCH_TREE_H
#define NUMAVP_SW_DRIVER_PREFETCH_TREE_H

#include "sw/driver/c_types.h"

enum {
    kPrefetchLeaves = 32,           /* of a block */
    kPrefetchLeafBytes = 64 * 1024, /* a big page */
    kPrefetchBlockBytes = kPrefetchLeaves * kPrefetchLeafBytes,
    kPrefetchPercent = 51, /* more than this (uvm_perf_prefetch_threshold) */
    kPrefetchBatch = 256   /* faults that are served together (uvm_perf_fault_batch_count) */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Leaves to move, as bits: those of `faulted` that are not in `resident`, and what the rule adds. `all` has the leaves
 * that the allocation has in this block; no other is moved. */
uint32_t prefetch_leaves(uint32_t resident, uint32_t faulted, uint32_t all, uint32_t percent);

#ifdef __cplusplus
}
#endif

#endif
