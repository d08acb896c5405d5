/// A GPU socket as data: the configurations of its modules.
#pragma once

#include "models/base/address_layout.h"
#include "models/cache/l2_config.h"
#include "models/cache/way_partition_kind.h"
#include "models/memory/memory_config.h"
#include "models/mmu/mmu_config.h"
#include "models/sm/sm_config.h"
#include "tlm-links/address_map.h"
#include "tlm-links/crossbar_config.h"
#include "tlm-links/link_config.h"

namespace numavp {

struct SocketConfig {
    unsigned sms = 64;
    SmConfig sm;
    NocConfig noc;
    L2Config l2;
    WayPartitionConfig partition;
    MemoryConfig memory;

    bool has_memory() const { return memory.capacity_gib != 0; }
    Slicing slicing(unsigned scale) const { return {l2.slices * scale, bits_for(l2.interleave_lines)}; }
    /// A socket with so many times the SMs, L2, memory bandwidth and capacity.
    SocketConfig scaled(unsigned times) const {
        SocketConfig larger = *this;
        larger.sms *= times;
        larger.l2.slices *= times;
        larger.l2.size_kib *= times;
        larger.memory.channels *= times;
        larger.memory.bandwidth_gbps *= times;
        larger.memory.capacity_gib *= times;
        return larger;
    }
};

template <class V> void describe(V& v, SocketConfig& c) {
    v.integer("sms", c.sms, 0, 1024, "SMs",
              "Streaming multiprocessors (NUMA-aware GPUs, Table 1: 64); 0: a memory with its L2 alone.");
    v.object("sm", c.sm, "Each SM.");
    v.object("noc", c.noc, "The crossbar between SMs and L2.");
    v.object("l2", c.l2, "The L2.");
    v.object("partition", c.partition, "The way-partition controller.");
    v.object("memory", c.memory, "The socket's memory.");
}

/// What a socket is built from: its own configuration, and what it has from the machine.
struct GpuSocketConfig : SocketConfig {
    LinkConfig link;
    MmuConfig mmu;
    PacketSizes packets;
    unsigned core_ports = 0;
    unsigned device_ports = 0; ///< of the crossbar, for others that use memory, such as a copy engine
    bool has_link = true;
    unsigned device_ingress() const { return sms + core_ports + (mmu.on() ? 1 : 0); }
    unsigned link_ingress() const { return device_ingress() + device_ports; }
};

} // namespace numavp
