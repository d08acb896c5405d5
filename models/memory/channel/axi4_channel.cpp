#include "models/memory/channel/axi4_channel.h"

namespace numavp {

namespace {
rtl::Axi4ChannelConfig memory_config(const ChannelConfig& c, const EdgeResources& r) {
    rtl::Axi4ChannelConfig m;
    m.bytes_per_s = c.channel_bytes_per_s();
    m.clock_khz = r.clock.khz();
    m.latency_cycles = c.latency_cycles(m.clock_khz);
    m.stores = r.pool.functional;
    return m;
}

TlmToAxi4Config bridge_config() {
    TlmToAxi4Config b;
    b.manager.ids = rtl::Axi4ChannelBlock::kIds;
    return b;
}

/// A slice has one line of each round over the slices (AddressMap::slice_of): the rounds number its lines.
EdgeTargetConfig adapter_config(const ChannelConfig& c, Slicing slicing) {
    EdgeTargetConfig a;
    a.outstanding = c.queue_depth + c.wire_depth(); // as many as Channel has inside
    a.translate = [slicing](std::uint64_t line) { return slicing.round_of(line) << kLineShift; };
    return a;
}
} // namespace

Axi4Channel::Axi4Channel(sc_core::sc_module_name name, const ChannelConfig& config, const EdgeResources& resources,
                         Slicing slicing)
    : sc_module(name), MemoryChannel(resources.rank.index),
      capacity_(config.channel_bytes_per_s(), resources.clock.khz()), memory_(memory_config(config, resources)),
      bridge_("bridge", bridge_config(), resources.clock, memory_),
      adapter_("adapter", adapter_config(config, slicing), resources) {
    adapter_.socket.bind(bridge_.socket);
}

void Axi4Channel::debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(bytes);
    payload.set_data_length(count);
    payload.set_streaming_width(count);
    adapter_.port.transport_dbg(payload);
}

} // namespace numavp
