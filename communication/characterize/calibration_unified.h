/// Constants of unified memory, as a part of a machine's calibration (calibration.h): prefetches, faults, and pages
/// that go to and fro.
#pragma once

#include <vector>

#include "base/config/config.h"
#include "sw/driver/prefetch_tree.h"
#include "sw/driver/thrashing.h"

namespace numavp {

/// Prefetches in one direction. Their parts add up; the link's time comes on top.
struct CalibrationPrefetchWay {
    double call_us = 45, first_us = 0;
    unsigned first_kib = 2048, step_kib = 0;
    double step_us = 0, block_us = 0;
    unsigned late_mib = 0;
    double late_gbytes_per_s = 20;
};
template <class V> void describe(V& v, CalibrationPrefetchWay& c) {
    const auto us = [&v](const char* name, double& field, const char* doc) {
        v.real(name, field, 0.0, 1e6, "us", doc);
    };
    us("call_us", c.call_us, "Time of a prefetch of no bytes.");
    us("first_us", c.first_us, "Additional time of the first `first_kib`, in proportion to their bytes.");
    v.integer("first_kib", c.first_kib, 1, 1U << 20, "KiB", "Size of the first part.");
    v.integer("step_kib", c.step_kib, 0, 1U << 20, "KiB",
              "Size from which a prefetch takes `step_us` more; 0: no size does.");
    us("step_us", c.step_us, "Additional time of a prefetch from `step_kib` on, once.");
    us("block_us", c.block_us, "Time of the driver's work for 2 MiB, during which nothing is copied.");
    v.integer("late_mib", c.late_mib, 0, 1U << 20, "MiB",
              "Size beyond which the data comes at `late_gbytes_per_s` at most; 0: all data comes alike.");
    v.real("late_gbytes_per_s", c.late_gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Upper bound of the rate beyond `late_mib`.");
}

struct CalibrationPrefetch {
    CalibrationPrefetchWay to_gpu, to_host, between_gpus;
    unsigned flush_pages = 0;
    double flush_us = 0;
    unsigned large_between_gpus_mib = 0;
    double large_between_gpus_share = 1;
};
template <class V> void describe(V& v, CalibrationPrefetch& c) {
    v.object("to_gpu", c.to_gpu, "Prefetches from the host to a GPU.");
    v.object("to_host", c.to_host, "Prefetches from a GPU to the host.");
    v.object("between_gpus", c.between_gpus, "Prefetches from a GPU to another.");
    v.integer("flush_pages", c.flush_pages, 0, 1U << 20, "pages",
              "Pages of a block that the host takes out of its TLBs one by one at a prefetch to a GPU; more of them at "
              "once.");
    v.real("flush_us", c.flush_us, 0.0, 1e6, "us", "Time for each page that is taken out of the TLBs alone.");
    v.integer(
        "large_between_gpus_mib", c.large_between_gpus_mib, 0, 1U << 20, "MiB",
        "Size from which prefetches between GPUs that access each other need less of their link; 0: no size does.");
    v.real("large_between_gpus_share", c.large_between_gpus_share, 0.01, 1.0, "",
           "Share of the usual packets that such large prefetches need.");
}

/// A GPU whose faults take another time than those of the machine's others.
struct CalibrationFaultsOf {
    unsigned gpu = 0;
    double to_gpu_us = 20, to_host_us = 20;
};
template <class V> void describe(V& v, CalibrationFaultsOf& c) {
    v.integer("gpu", c.gpu, 0, 1023, "", "Number of the GPU.");
    v.real("to_gpu_us", c.to_gpu_us, 0.0, 1e6, "us", "Time of the faults of this GPU on pages of the host.");
    v.real("to_host_us", c.to_host_us, 0.0, 1e6, "us", "Time of the faults of a CPU on pages of this GPU.");
}

/// Pages that go to and fro, as sw/driver/thrashing.h has it: parameters of NVIDIA's open driver.
struct CalibrationThrashing {
    unsigned threshold = kThrashingThreshold, nap_lapses = kThrashingNap, naps = kThrashingNaps;
    unsigned pin_lapses = kThrashingPin, epoch_lapses = kThrashingEpoch, resets = kThrashingResets;
    double lapse_us = kThrashingLapse;
};
template <class V> void describe(V& v, CalibrationThrashing& c) {
    const auto of = [&v](const char* name, unsigned& field, unsigned most, const char* unit, const char* doc) {
        v.integer(name, field, 0, most, unit, doc);
    };
    of("threshold", c.threshold, 7, "moves",
       "Moves of a page, each within a lapse of the last, until it thrashes (uvm_perf_thrashing_threshold); 0: none "
       "does.");
    v.real("lapse_us", c.lapse_us, 1.0, 1e6, "us",
           "Longest time between two moves of a page that count as thrashing (uvm_perf_thrashing_lapse_usec).");
    of("nap_lapses", c.nap_lapses, 100, "lapses",
       "Longest wait of a place that faults on a page that thrashes (uvm_perf_thrashing_nap).");
    of("naps", c.naps, 255, "naps", "Naps until a page that thrashes is pinned (uvm_perf_thrashing_pin_threshold).");
    of("pin_lapses", c.pin_lapses, 1000000, "lapses", "Time for which a page stays pinned (uvm_perf_thrashing_pin).");
    of("epoch_lapses", c.epoch_lapses, 1000000, "lapses",
       "Time without thrashing after which the counts of a block are forgotten (uvm_perf_thrashing_epoch).");
    of("resets", c.resets, 1000000, "times",
       "Times that the counts of a block may be forgotten (uvm_perf_thrashing_max_resets).");
}

struct CalibrationFaults {
    double to_gpu_us = 20, to_host_us = 20, between_gpus_us = 30, between_remote_gpus_us = 40;
    double kernel_us = 25, write_kernel_us = 30, host_call_us = 1;
    double between_write_kernel_us = 30, block_us = 9, between_block_us = 9, gpu_leaf_us = 0.22, leaf_us = 0.58;
    unsigned late_mib = 0;
    double late_gbytes_per_s = 20;
    unsigned batch = kPrefetchBatch, percent = kPrefetchPercent, warps = 2048, host_threads = 1;
    std::vector<CalibrationFaultsOf> gpus;
    CalibrationThrashing thrashing;
};
template <class V> void describe(V& v, CalibrationFaults& c) {
    const auto us = [&v](const char* name, double& field, const char* doc) {
        v.real(name, field, 0.0, 1e6, "us", doc);
    };
    us("to_gpu_us", c.to_gpu_us, "Time of a fault of a GPU on a page of the host, one after the other, 64 KiB moved.");
    us("to_host_us", c.to_host_us, "Time of a fault of a CPU on a page of a GPU.");
    us("between_gpus_us", c.between_gpus_us, "Time of a fault of a GPU on a page of a GPU that is its peer.");
    us("between_remote_gpus_us", c.between_remote_gpus_us,
       "Time of a fault of a GPU on a page of a GPU that is not its peer.");
    us("kernel_us", c.kernel_us, "Time of the kernel that chases pointers, without faults.");
    us("write_kernel_us", c.write_kernel_us, "Time of the kernel that touches each page, without faults.");
    us("host_call_us", c.host_call_us, "Time of the loop that touches each page on a CPU, without faults.");
    us("between_write_kernel_us", c.between_write_kernel_us,
       "Time of the kernel that touches each page of another GPU, without faults.");
    us("block_us", c.block_us, "Time for each block of 2 MiB in a batch of a GPU's faults.");
    us("between_block_us", c.between_block_us,
       "Time for each block of 2 MiB of another GPU in a batch of a GPU's faults.");
    us("gpu_leaf_us", c.gpu_leaf_us, "Time for each 64 KiB that are moved in a batch of a GPU's faults.");
    us("leaf_us", c.leaf_us, "Time for each 64 KiB that are moved at a CPU's fault.");
    v.integer("late_mib", c.late_mib, 0, 1U << 20, "MiB",
              "Part of an allocation beyond which the data that a GPU touches comes at `late_gbytes_per_s` at most; 0: "
              "all data comes alike.");
    v.real("late_gbytes_per_s", c.late_gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Upper bound of the rate beyond `late_mib`, whatever the link.");
    v.integer("batch", c.batch, 1, 65536, "faults", "Faults that are served together (open-gpu-kernel-modules: 256).");
    v.integer("percent", c.percent, 0, 100, "%", "Threshold of the tree prefetcher (open-gpu-kernel-modules: 51).");
    v.integer("warps", c.warps, 1, 1U << 20, "warps",
              "Warps of the kernel that touches pages (Listing 5.2: 256 x 256 threads).");
    v.integer("host_threads", c.host_threads, 1, 1024, "threads",
              "Threads of a CPU that touch a GPU's pages, each a contiguous part of whole blocks of 2 MiB, as OpenMP's "
              "static schedule gives them out (Listing 5.1: one).");
    v.list("gpus", c.gpus, "GPUs whose faults, one after the other, take another time.");
    v.object("thrashing", c.thrashing, "Costs of pages that move back and forth.");
}

} // namespace numavp
