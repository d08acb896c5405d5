/// Thread-block dispatch as data: one struct, one field list (base/config/config.h).
#pragma once

#include "models/dispatch/block_order_config.h"
#include "models/dispatch/block_split.h"

namespace numavp {

/// What starts thread blocks at `blocks_per_cycle`.
enum class StartRate : std::uint8_t { socket, sm, machine };

inline constexpr NameTable<StartRate> kStartRates{
    "start rate",
    {{StartRate::socket, "socket", "each socket by itself, however many SMs it has"},
     {StartRate::sm, "sm", "each SM by itself, as GPGPU-Sim, where each cluster issues one block a cycle"},
     {StartRate::machine, "machine", "all sockets together, one block for each in turn"}}};

struct DispatchConfig {
    BlockSplit split = BlockSplit::contiguous;
    BlockOrderConfig order;
    unsigned launch_cycles = 5000;
    unsigned blocks_per_cycle = 1; ///< of each `starts`
    StartRate starts = StartRate::socket;
    double block_interval_cycles = 0.0;
    bool one_block_an_sm = false; ///< an SM starts at most one of them
    unsigned message_cycles = 0;  ///< each way, between the dispatcher and a socket

    /// Bound on the cycles between a kernel's last block and the next one's first if nothing else is under way: with
    /// two flushes a kernel takes 8 ways of messages.
    double idle_cycles() const { return launch_cycles + block_interval_cycles + 8.0 * message_cycles; }
};

template <class V> void describe(V& v, DispatchConfig& c) {
    v.choice("split", c.split, kBlockSplits, "Policy that gives thread blocks to sockets, or SMs.");
    v.optional("order", c.order, "Order of a kernel's blocks; without one they go by their numbers.");
    v.integer("launch_cycles", c.launch_cycles, 0, 10000000, "cycles",
              "Time from a launch to its first block (about 5 us on NVIDIA GPUs).");
    v.integer("blocks_per_cycle", c.blocks_per_cycle, 1, 1024, "blocks",
              "Thread blocks that a socket (or what `starts` names) starts a cycle, of all kernels, the first launched "
              "first; of a larger "
              "hypothetical GPU, `scale` times as many. Of a kernel "
              "that does one part in N of its work N times as many: a start costs what it costs in the application.");
    v.choice("starts", c.starts, kStartRates,
             "Part of the machine that blocks_per_cycle is a rate of. Systems that are compared need the same: a "
             "machine of 32 sockets starts 32 times the blocks of one with a single socket otherwise.");
    v.real("block_interval_cycles", c.block_interval_cycles, 0.0, 1e6, "cycles",
           "Mean time from the start of a block to that of the socket's next, beside blocks_per_cycle (H200: 1.19, "
           "measured); for a larger GPU and for samples divided as that is multiplied. 0: no such limit.");
    v.boolean("one_block_an_sm", c.one_block_an_sm,
              "Whether an SM starts at most one block a cycle (Accel-Sim, with as many blocks_per_cycle as SMs).");
    v.integer(
        "message_cycles", c.message_cycles, 0, 1000000, "cycles",
        "Latency of a message between the dispatcher and a socket, one way: a launch, the end of a kernel's work, a "
        "flush, an invalidation, their answers, and a block of a queue that sockets share. 0: control takes no time.");
}

} // namespace numavp
