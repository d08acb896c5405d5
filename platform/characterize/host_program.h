/// Operations of a host program on a machine, and how long they take: copies, prefetches, faults of unified memory.
///
/// Times are what CUDA events around a call measure, in nanoseconds. CPUs and GPUs are given by their index.
#pragma once

#include <cstdint>

#include "platform/characterize/host_machine.h"

namespace numavp {

/// One end of a transfer.
struct TransferEnd {
    bool gpu = false;
    unsigned index = 0;
};

class HostProgram {
  public:
    explicit HostProgram(const HostMachine& machine) : machine_(machine), c_(machine.calibration()) {}

    /// Pinned or write-combined memory and a GPU.
    double pinned_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Pageable memory and a GPU: staged by a thread on the CPU that has the memory.
    double pageable_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Pageable memory of a CPU to pinned memory of one.
    double host_ns(unsigned from, unsigned to, std::uint64_t bytes) const;
    /// Between GPUs that access each other.
    double peer_ns(unsigned from, unsigned to, std::uint64_t bytes) const;
    /// Between GPUs through buffers in the memory of the CPU on which the thread runs.
    double staged_ns(unsigned from, unsigned to, unsigned thread, std::uint64_t bytes) const;
    /// Unified memory, moved by a prefetch.
    double prefetch_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Unified memory, moved since each page is touched: by a kernel, or in order by a thread of a CPU.
    double demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// A pointer chase through pages that fault one after the other.
    double chase_ns(TransferEnd from, TransferEnd to, unsigned strides) const;

    /// What a byte of unified memory uses on its way, and GB/s of that alone.
    std::vector<FluidNetwork::Use> moved_uses(TransferEnd from, TransferEnd to) const;
    double moved_gbytes_per_s(TransferEnd from, TransferEnd to) const;
    /// Nanoseconds of one fault in a chase.
    double fault_ns(TransferEnd from, TransferEnd to) const;

  private:
    struct Dma {
        std::vector<FluidNetwork::Use> uses;
        double latency_ns = 0;
    };
    Dma dma(TransferEnd from, TransferEnd to) const;
    unsigned part(TransferEnd end) const {
        return end.gpu ? machine_.gpu_part(end.index) : machine_.cpu_part(end.index);
    }
    bool remote(TransferEnd from, TransferEnd to) const;
    double gpu_demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    double host_demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Of a flow alone, and of the lines of it that caches hold.
    double dma_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    double cached_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    double within_call_ns(double call_us, double transfer_ns) const;

    const HostMachine& machine_;
    const Calibration& c_;
};

} // namespace numavp
