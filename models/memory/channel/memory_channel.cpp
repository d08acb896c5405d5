#include "models/memory/channel/memory_channel.h"

#include <utility>

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "models/memory/channel/memory_ratios.h"
#include "tlm-links/protocol/held.h"

namespace numavp {

void add_memory_totals(StatGroup& owner, const ChannelCounts& counts) {
    StatGroup& g = owner.group("memory");
    g.total("reads", counts.reads, "lines", "Lines read from memory.");
    g.total("writes", counts.writes, "writes", "Writes to memory.");
    g.total("read_bytes", counts.read_bytes, "B", "Bytes read from memory.");
    g.total("write_bytes", counts.write_bytes, "B", "Bytes written to memory.");
    owner.all_ratios(memory_ratios());
}

void add_memory_columns(SeriesGroup& owner, std::function<std::uint64_t()> busy_bytes) {
    owner.total("memory.bytes", std::move(busy_bytes), "B",
                "Bytes moved on the data buses, read and written; of timed memory in whole columns.");
}

void MemoryChannel::add_statistics(StatGroup& owner) const {
    add_memory_totals(owner, counts());
    StatGroup& own = owner.group("memory").group("channel", index_);
    own.counter("read_bytes", counts().read_bytes, "B", "Bytes read from memory.");
    own.counter("write_bytes", counts().write_bytes, "B", "Bytes written to memory.");
}

void MemoryChannel::add_series(SeriesGroup& owner) const {
    add_memory_columns(owner, [this] { return busy_bytes(); });
}

void MemoryChannel::add_waves(WaveSet& waves, const std::string& owner) {
    waves.group(kQueueWaves).add(fmt::format("{}.memory.channel{}", owner, index_), "held", kQueueWaveBits, [this] {
        return held();
    });
}

std::string MemoryChannel::holding() const { return held_packets(held(), sample_held()); }

} // namespace numavp
