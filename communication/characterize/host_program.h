/// Operations of a host program on a machine, and their times: copies, prefetches, faults of unified memory.
///
/// Times are those that CUDA events around a call measure, in ns. CPUs and GPUs are given by their index.
#pragma once

#include <cstdint>
#include <vector>

#include "communication/characterize/host_machine.h"
#include "communication/transfer/staged_copy.h"

namespace numavp {

/// One end of a transfer.
struct TransferEnd {
    bool gpu = false;
    unsigned index = 0;
};

/// Steps of a copy, so that several copies can share a network: the call, then a flow or a staged copy, then the rest.
struct CopyPlan {
    double before_ns = 0;
    std::vector<FluidNetwork::Use> uses; ///< of the flow; empty: none
    double latency_ns = 0;
    StagedCopy staged; ///< in the flow's place, if it has stages
    double after_ns = 0;
    double least_ns = 0; ///< of all of it: a thread's work that goes on beside

    /// Uses of resources per byte of the copy; for a staged copy those of all stages.
    std::vector<FluidNetwork::Use> all_uses() const;
};

/// Starts a copy now on `network`, whose first resources must be the machine's links; `done` is called at its end.
void start_copy(FluidNetwork& network, const CopyPlan& plan, std::uint64_t bytes, FluidNetwork::Action done);

class HostProgram {
  public:
    explicit HostProgram(const HostMachine& machine) : machine_(machine), c_(machine.calibration()) {}

    /// Copy between pinned or write-combined memory and a GPU.
    CopyPlan pinned(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Copy between pageable memory and a GPU, staged by a thread on the CPU that has the memory.
    CopyPlan pageable(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Copy from pageable memory of a CPU to pinned memory of the same or another one.
    CopyPlan host(unsigned from, unsigned to, std::uint64_t bytes) const;
    /// Copy between GPUs that access each other.
    CopyPlan peer(unsigned from, unsigned to) const;
    /// Copy between GPUs through buffers in the memory of the CPU on which the thread runs.
    CopyPlan staged(unsigned from, unsigned to, unsigned thread) const;
    /// Move of unified memory by faults, without the time of the code that touches it; shares links as a copy does.
    CopyPlan demanded(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Move of unified memory by a prefetch.
    CopyPlan prefetched(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Eviction of unified memory from a full GPU memory: the driver's work on blocks, then a flow; without a call.
    CopyPlan evicted(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Uses of resources per byte that one end accesses in the other's memory.
    std::vector<FluidNetwork::Use> accessed_uses(TransferEnd by, TransferEnd at, bool writes) const;
    /// Time in ns of such a copy while no other is under way.
    double alone_ns(const CopyPlan& plan, std::uint64_t bytes) const;

    double pinned_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
        return alone_ns(pinned(from, to, bytes), bytes);
    }
    double pageable_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
        return alone_ns(pageable(from, to, bytes), bytes);
    }
    double host_ns(unsigned from, unsigned to, std::uint64_t bytes) const {
        return alone_ns(host(from, to, bytes), bytes);
    }
    double peer_ns(unsigned from, unsigned to, std::uint64_t bytes) const { return alone_ns(peer(from, to), bytes); }
    double staged_ns(unsigned from, unsigned to, unsigned thread, std::uint64_t bytes) const {
        return alone_ns(staged(from, to, thread), bytes);
    }
    /// Time to move unified memory by a prefetch.
    double prefetch_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Time to move unified memory by touching each page: by a kernel, or by a CPU's threads, each in order.
    double demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Time of a pointer chase through pages that fault one after the other.
    double chase_ns(TransferEnd from, TransferEnd to, unsigned strides) const;

    /// Uses of resources per byte of unified memory that moves; and the bandwidth in GB/s of such a move alone.
    std::vector<FluidNetwork::Use> moved_uses(TransferEnd from, TransferEnd to) const;
    double moved_gbytes_per_s(TransferEnd from, TransferEnd to) const;
    /// Time in ns of one fault in a chase.
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
    /// Time in ns of the faults of one thread of a CPU, which touches these bytes in order.
    double served_to_host_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Time in ns of the code that touches pages, without faults.
    double touching_ns(TransferEnd from, TransferEnd to) const;
    /// Uses of resources per byte of a prefetch of this size.
    std::vector<FluidNetwork::Use> prefetched_uses(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Time in ns of a prefetch besides its flow.
    double prefetch_work_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Pages that the host takes out of its TLBs one by one when a prefetch moves them to a GPU.
    double flushed_pages(std::uint64_t bytes) const;
    /// What lines that caches hold take longer.
    double cached_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Plan of a call that hides the begin of its transfer.
    CopyPlan within_call(double call_us) const;

    const HostMachine& machine_;
    const Calibration& c_;
};

} // namespace numavp
