/// A memory channel in RTL: rtl/axi4_channel.sv behind an edge adapter and a bridge to AXI4.
///
/// Bandwidth and latency are those of Channel. In an idle system a read is answered `kReadCycles` later than there, a
/// write `kWriteCycles`: one cycle into the adapter, one into the bridge, one for the address handshake, for a write
/// one for its second beat; back, one cycle into the adapter and one out of it. At most 64 bytes a cycle pass each way.
/// Addresses in the RTL memory are compacted: lines of other slices leave no gaps.
#pragma once

#include "base/time/bandwidth_server.h"
#include "models/memory/channel/memory_channel.h"
#include "rtl/axi4_channel_block.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/edge/edge_target_adapter.h"
#include "tlm-links/protocol/address_map.h"

namespace numavp {

class Axi4Channel final : public sc_core::sc_module, public MemoryChannel {
  public:
    static constexpr unsigned kReadCycles = 5;
    static constexpr unsigned kWriteCycles = 6;

    /// A channel with one port. `slicing` is that of the socket's slices. It stores data if the pool is
    /// functional.
    Axi4Channel(sc_core::sc_module_name name, const ChannelConfig& config, const EdgeResources& resources,
                Slicing slicing);

    tlm::tlm_target_socket<>& port(unsigned) override { return adapter_.port.socket; }
    const ChannelCounts& counts() const override { return adapter_.counts(); }
    std::uint64_t busy_bytes() const override { return memory_.busy_bytes(); }
    std::uint64_t capacity_bytes(Cycle cycles) const override { return capacity_.capacity_bytes(cycles); }
    unsigned held() const override { return adapter_.held(); }
    const Txn* sample_held() const override { return adapter_.sample_held(); }
    void debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override;

    TlmToAxi4& bridge() { return bridge_; }

  private:
    BandwidthServer capacity_;
    rtl::Axi4ChannelBlock memory_;
    TlmToAxi4 bridge_;
    EdgeTargetAdapter adapter_;
};

} // namespace numavp
