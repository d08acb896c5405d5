/// The channels of a memory as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>

#include "base/values/name_table.h"
#include "base/values/types.h"
#include "base/values/units.h"

namespace numavp {

enum class MemoryModel : std::uint8_t { channel, axi4_rtl, timed };

inline constexpr NameTable<MemoryModel> kMemoryModels{
    "memory model",
    {{MemoryModel::channel, "channel", "A bandwidth, a latency and queues, in C++."},
     {MemoryModel::axi4_rtl, "axi4_rtl",
      "Bandwidth and latency of channel in Verilated RTL behind AXI4, a bridge each."},
     {MemoryModel::timed, "timed", "DRAM with banks, rows and a scheduler: the device that `device` describes."}}};

struct ChannelConfig {
    unsigned channels = 32;
    double bandwidth_gbps = 768.0;
    double latency_ns = 100.0;
    unsigned capacity_gib = 16, queue_depth = 64;
    MemoryModel model = MemoryModel::channel;

    unsigned ports = 1; ///< follows from the machine: of each channel

    /// Bandwidth of each channel.
    std::uint64_t channel_bytes_per_s() const { return bytes_per_s(bandwidth_gbps) / channels; }
    /// Cycles from the end of a request's transfer slot to its response.
    unsigned latency_cycles(std::uint64_t khz) const { return static_cast<unsigned>(cycles_of(latency_ns, khz)); }
    /// Bound on the time of an access if nothing else is under way.
    double idle_ns(double packet_bytes) const { return latency_ns + packet_bytes * channels / bandwidth_gbps; }
    /// Number of responses of a port that may be on the wire.
    unsigned wire_depth() const { return queue_depth * 4; }
};

template <class V> void describe(V& v, ChannelConfig& c) {
    v.integer("channels", c.channels, 1, 1024, "channels", "Number of memory channels (4 HBM2 stacks of 8).");
    v.real("bandwidth_gbps", c.bandwidth_gbps, 0.001, 1e6, "GB/s",
           "Bandwidth of all channels together (NUMA-aware GPUs, Table 1: 768).");
    v.real("latency_ns", c.latency_ns, 1.0, 1e6, "ns", "Latency of an access (NUMA-aware GPUs, Table 1: 100).");
    v.integer("capacity_gib", c.capacity_gib, 0, 1024, "GiB",
              "Capacity of the memory of a socket (Pascal: 16); 0: the socket has no memory, and its pages lie in "
              "those of other sockets.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "requests",
              "Requests that a channel's port holds (NUBA, Table 1: 64).");
    v.choice("model", c.model, kMemoryModels, "Model of a channel.");
}

} // namespace numavp
