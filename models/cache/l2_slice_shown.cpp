// Statistics and waveforms: a socket's L2 as totals over its slices, and each slice's work.
#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "models/cache/l2_ratios.h"
#include "models/cache/l2_slice.h"

namespace numavp {

namespace {
void add_class(StatGroup& g, const SliceCounts::Class& counts) {
    g.total("hits", counts.hits, "reads", "Reads that found their line.");
    g.total("misses", counts.misses, "reads", "Reads whose line had to be fetched.");
    g.total("merged", counts.merged, "requests", "Requests that waited for a line that was on its way.");
}
} // namespace

void L2Slice::add_statistics(StatGroup& owner) const {
    StatGroup& g = owner.group("l2");
    const SliceCounts& c = counts_;
    add_class(g.group("local"), c.local);
    add_class(g.group("remote"), c.remote);
    add_class(g.group("incoming"), c.incoming);
    g.total("writes", c.writes, "writes", "Stores and write-backs that were taken.");
    g.total("write_misses", c.write_misses, "writes", "Stores and write-backs to a line that was not held.");
    g.total("atomics", c.atomics, "atomics", "Atomics performed here, at their home.");
    g.total("forwarded_atomics", c.forwarded, "atomics", "Atomics passed on to another socket.");
    g.total("fills", c.fills, "lines", "Lines read from memory or over the link.");
    if (config_.sectored)
        g.total("fill_sectors", c.fill_sectors, "sectors", "Sectors of the lines read from memory or over the link.");
    g.total("outgoing_reads", c.outgoing_reads, "lines", "Lines read over the link.");
    g.total("written_local", c.written_local, "lines", "Lines written to the socket's memory.");
    g.total("written_remote", c.written_remote, "lines", "Lines written over the link.");
    g.total("flushes", c.flushes, "events", "Flushes of a slice.");
    g.total("invalidated", c.invalidated, "lines", "Lines dropped by flushes.");
    if (partial_)
        g.total("completed", c.completed, "lines",
                "Lines that stores wrote in part, and whose rest was read to write them back.");
    g.total("stalls", c.stalls, "events", "Times that a request at the head of a queue had to wait.");
    if (config_.has_cache()) owner.all_ratios(l2_ratios());
    if (copies_) add_coherence(g.group("coherence"));
    StatGroup& own = g.group("slice", index_);
    own.sum(
        "reads", [&c] { return c.local.reads() + c.remote.reads() + c.incoming.reads(); }, "reads",
        "Reads that the slice served.");
    own.counter("fills", c.fills, "lines", "Lines read from memory or over the link.");
    own.counter("writes", c.writes, "writes", "Stores and write-backs that were taken.");
}

void L2Slice::add_coherence(StatGroup& g) const {
    const SliceCounts& c = counts_;
    g.total("recalls", c.recalls, "recalls",
            "Recalls sent to the other socket: a line was written, or lost its place in the directory.");
    g.total("evicted", copies_->directory().evicted(), "lines",
            "Recalls of lines that lost their place in the directory.");
    g.total("recalled", c.recalled, "lines", "Copies of lines dropped here at a recall from the other socket.");
    g.total("recalled_fills", c.recalled_fills, "lines", "Lines on their way that a recall met: not kept.");
    g.total("passing", c.passing, "lines",
            "Lines read by the other socket that it may not keep, for want of a place in the directory.");
    g.total("upgrades", c.upgrades, "writes",
            "Writes to a copy here, which stays, that were passed on to the line's home.");
}

void L2Slice::add_series(SeriesGroup& owner) const {
    const SliceCounts& c = counts_;
    for (const SliceCounts::Class* k : {&c.local, &c.remote, &c.incoming}) {
        owner.total(
            "l2.reads", [k] { return k->reads(); }, "reads", "Reads: found, fetched, or on their way.");
        owner.total("l2.hits", k->hits, "reads", "Reads that found their line.");
    }
}

void L2Slice::add_waves(WaveSet& waves, const std::string& owner) {
    waves.group(kQueueWaves).add(fmt::format("{}.l2.slice{}", owner, index_), "entries_in_use", kQueueWaveBits, [this] {
        return entries_in_use();
    });
}

} // namespace numavp
