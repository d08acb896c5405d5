/// A socket's memory as data: its channels, the device of the model timed, the cache before the channels.
#pragma once

#include "models/memory/channel/channel_config.h"
#include "models/memory/dram/device.h"
#include "models/memory/side_cache/side_cache_config.h"

namespace numavp {

struct MemoryConfig : ChannelConfig {
    MemoryDeviceConfig device;
    SideCacheConfig cache;

    /// Bound on the time of an access if nothing else is under way.
    double idle_ns(double packet_bytes) const {
        return model == MemoryModel::timed ? device.idle_ns() : ChannelConfig::idle_ns(packet_bytes);
    }
};

template <class V> void describe(V& v, MemoryConfig& c) {
    describe(v, static_cast<ChannelConfig&>(c));
    v.object("device", c.device,
             "Device of each channel, with the model timed, as in configs/parts/memory; bandwidth_gbps and latency_ns "
             "are not used then.");
    v.optional("cache", c.cache, "Cache between the L2's slices and the channels; without one they are joined.");
}

} // namespace numavp
