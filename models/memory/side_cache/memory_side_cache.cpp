#include "models/memory/side_cache/memory_side_cache.h"

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "models/memory/side_cache/side_cache_ratios.h"

namespace numavp {

namespace {
L2Slice::Resources bank_resources(const MemorySideCache::Resources& r) {
    L2Slice::Resources bank{r.domain, r.pool, r.map, r.socket, r.index, false, r.rank};
    bank.part = Part::memory;
    return bank;
}
} // namespace

MemorySideCache::MemorySideCache(sc_core::sc_module_name name, const SideCacheConfig& config, const Resources& r)
    : sc_module(name), config_(config), index_(r.index), sectored_(r.sectored),
      bank_("bank", config.bank(r.slices, r.sectored), bank_resources(r)) {}

double MemorySideCache::energy_pj() const {
    const SliceCounts& n = counts();
    const std::uint64_t filled = sectored_ ? n.fill_sectors : n.fills * kLineSectors;
    return config_.read_pj * static_cast<double>(n.hit_sectors) + config_.fill_pj * static_cast<double>(filled) +
           config_.write_pj * static_cast<double>(n.write_sectors);
}

void MemorySideCache::add_statistics(StatGroup& owner) const {
    StatGroup& g = owner.group("memory.cache");
    const SliceCounts& n = counts();
    g.total("hits", n.local.hits, "reads", "Reads that found their line in the memory-side cache.");
    g.total("misses", n.local.misses, "reads", "Reads whose line the memory-side cache had to fetch.");
    g.total("merged", n.local.merged, "requests", "Requests that waited for a line on its way from memory.");
    g.total("writes", n.writes, "writes", "Writes that the memory-side cache took.");
    g.total("write_misses", n.write_misses, "writes", "Writes to a line that the memory-side cache did not hold.");
    g.total("fills", n.fills, "lines", "Lines, or sets of sectors, that the memory-side cache read from memory.");
    g.total("written", n.written_local, "lines", "Lines that the memory-side cache wrote to memory.");
    g.total("stalls", n.stalls, "events", "Times that a request at the head of a bank's queue had to wait.");
    owner.all_ratios(side_cache_ratios());
    StatGroup& own = g.group("bank", index_);
    own.sum(
        "reads", [&n] { return n.local.reads(); }, "reads", "Reads that the bank served.");
    own.counter("fills", n.fills, "lines", "Lines, or sets of sectors, read from memory.");
    own.counter("writes", n.writes, "writes", "Writes that the bank took.");
}

void MemorySideCache::add_series(SeriesGroup& owner) const {
    const SliceCounts& n = counts();
    owner.total(
        "memory.cache.reads", [&n] { return n.local.reads(); }, "reads", "Reads: found, fetched, or on their way.");
    owner.total("memory.cache.hits", n.local.hits, "reads", "Reads that found their line.");
}

void MemorySideCache::add_waves(WaveSet& waves, const std::string& owner) {
    waves.group(kQueueWaves)
        .add(fmt::format("{}.memory.cache.bank{}", owner, index_), "entries_in_use", kQueueWaveBits,
             [this] { return bank_.entries_in_use(); });
}

} // namespace numavp
