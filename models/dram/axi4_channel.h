/// A memory channel in RTL: rtl/axi4_channel.sv behind an edge adapter and a bridge to AXI4.
///
/// Bandwidth and latency are those of Channel. On an idle system a read is answered `kReadCycles` later than there, a
/// write `kWriteCycles`: a cycle into the adapter, one into the bridge, one for the handshake of the address and, of
/// a write, one for its second beat; a cycle back into the adapter, and one out of it. At most 64 bytes a cycle pass
/// either way. What its rows of addresses hold is its own: lines of other slices leave no gaps.
#pragma once

#include "models/base/bandwidth_server.h"
#include "models/dram/memory_channel.h"
#include "rtl/axi4_channel_block.h"
#include "tlm-links/address_map.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/edge_target_adapter.h"

namespace numavp {

class Axi4Channel final : public sc_core::sc_module, public MemoryChannel {
  public:
    static constexpr unsigned kReadCycles = 5;
    static constexpr unsigned kWriteCycles = 6;

    /// For one port. The slices of its socket share the lines as `slicing` says. It holds data if the pool is
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
