/// Counters of one phase of a run, and the packets and bytes that follow from them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "models/socket/socket_config.h"
#include "platform/results/channel_use.h"
#include "platform/verdict/kernel_rows.h"

namespace numavp {

/// Counters summed over the rows of a phase. A counter that the run lacks is none, which makes every sum with it none.
class PhaseCounts {
  public:
    using Number = std::optional<double>;
    /// Both must outlive this object.
    PhaseCounts(const KernelRows& kernels, const KernelPhase& phase) : kernels_(kernels), phase_(phase) {}

    double cycles() const { return static_cast<double>(phase_.cycles); } ///< of the core clock
    Number of(const std::string& path) const { return kernels_.sum(path, phase_.rows); }
    Number of(unsigned socket, const char* path) const;
    Number sum(unsigned socket, std::initializer_list<const char*> paths) const;

  private:
    const KernelRows& kernels_;
    const KernelPhase& phase_;
};

/// Packets of a socket's L1s in a phase.
struct L1Packets {
    double reads = 0.0, stores = 0.0, atomics = 0.0; ///< of lines
    double sectors = 0.0;                            ///< that an access touches of a line, in the mean
};
std::optional<L1Packets> l1_packets(unsigned socket, const PhaseCounts& counts);

/// Reads that a socket's L2 answered: to its own SMs, and to other sockets.
struct L2Reads {
    double mine = 0.0, theirs = 0.0;
};
std::optional<L2Reads> l2_reads(unsigned socket, const PhaseCounts& counts);

/// Bytes of the packet with which the L2 answers a read of `sectors` of a line.
double l2_answer_bytes(const GpuSocketConfig& own, double sectors);

/// Bytes that each channel of a socket's memory carried, in the order of the channels. Of timed DRAM whole columns
/// count. None if the run did not count those of a channel.
std::optional<std::vector<double>> memory_channel_bytes(const GpuSocketConfig& own, unsigned socket,
                                                        const PhaseCounts& counts);

/// Bytes that a direction of a socket's link carried, with those that were sent again; none without a link. `way` is
/// "out" or "in".
std::optional<double> link_bytes(unsigned socket, const char* way, const PhaseCounts& counts);

/// Use of each channel of the routers' network; empty if the run did not count them.
std::vector<ChannelUse> phase_channel_uses(const SystemConfig& config, const NetworkSystem& network,
                                           const PhaseCounts& counts);

} // namespace numavp
