/// Operations of a host program on a machine, and how long they take: copies, prefetches, faults of unified memory.
///
/// Times are what CUDA events around a call measure, in nanoseconds. CPUs and GPUs are given by their index.
#pragma once

#include <cstdint>
#include <vector>

#include "models/transfer/staged_copy.h"
#include "platform/characterize/host_machine.h"

namespace numavp {

/// One end of a transfer.
struct TransferEnd {
    bool gpu = false;
    unsigned index = 0;
};

/// How a copy is made, so that several can share a network: the call, then a flow or a staged copy, then the rest.
struct CopyPlan {
    double before_ns = 0;
    std::vector<FluidNetwork::Use> uses; ///< of the flow; empty: none
    double latency_ns = 0;
    StagedCopy staged; ///< in the flow's place, if it has stages
    double after_ns = 0;
    double least_ns = 0; ///< of all of it: a thread's work that goes on beside

    /// Bytes at each resource for a byte of the copy; of a staged copy those of all stages.
    std::vector<FluidNetwork::Use> all_uses() const;
};

/// Makes the copy on a network whose first resources are the machine's links, beginning now.
void start_copy(FluidNetwork& network, const CopyPlan& plan, std::uint64_t bytes, FluidNetwork::Action done);

class HostProgram {
  public:
    explicit HostProgram(const HostMachine& machine) : machine_(machine), c_(machine.calibration()) {}

    /// Pinned or write-combined memory and a GPU.
    CopyPlan pinned(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Pageable memory and a GPU: staged by a thread on the CPU that has the memory.
    CopyPlan pageable(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Pageable memory of a CPU to pinned memory of one.
    CopyPlan host(unsigned from, unsigned to, std::uint64_t bytes) const;
    /// Between GPUs that access each other.
    CopyPlan peer(unsigned from, unsigned to) const;
    /// Between GPUs through buffers in the memory of the CPU on which the thread runs.
    CopyPlan staged(unsigned from, unsigned to, unsigned thread) const;
    /// Unified memory that moves as its pages are touched, without what touches them; shares links as a copy does.
    CopyPlan demanded(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Unified memory that a prefetch moves.
    CopyPlan prefetched(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Unified memory that a GPU's memory has no room for: the driver's work on blocks, then a flow, without a call.
    CopyPlan evicted(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// What a byte uses that one end accesses in the other's memory.
    std::vector<FluidNetwork::Use> accessed_uses(TransferEnd by, TransferEnd at, bool writes) const;
    /// Nanoseconds of such a copy while nothing else is under way.
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
    /// Of what touches pages, without faults.
    double touching_ns(TransferEnd from, TransferEnd to) const;
    /// What a byte of a prefetch of this size uses.
    std::vector<FluidNetwork::Use> prefetched_uses(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// Of a prefetch, besides its flow.
    double prefetch_work_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// What lines that caches hold take longer.
    double cached_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const;
    /// A call that hides the begin of its transfer.
    CopyPlan within_call(double call_us) const;

    const HostMachine& machine_;
    const Calibration& c_;
};

} // namespace numavp
