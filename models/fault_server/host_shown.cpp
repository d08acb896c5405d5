// Statistics, series and waveforms of the host and its parts.
#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "models/fault_server/host.h"

namespace numavp {

void FaultUnit::add_statistics(StatGroup& host) const {
    StatGroup& g = host.group("faults");
    const FaultLedger& ledger = ledger_;
    const FaultCounts& c = ledger.counts;
    g.counter("raised", c.raised, "faults", "Of a page each, taken by the page-fault unit.");
    g.counter("merged", c.merged, "faults", "Of other sockets on a page that waited already.");
    g.counter("refused", c.refused, "events", "A walker found the queue full and waited.");
    g.counter("done", c.done, "faults", "Completed by the driver.");
    g.counter("most_queued", c.most_queued, "faults", "In the queue at once.", Growth::level);
    g.counter("invalidations", c.invalidations, "pages", "Taken out of all TLBs and caches.");
    g.counter("notes", c.notes, "notes", "Of sockets that keep accessing a remote page.");
    g.counter("notes_lost", c.notes_lost, "notes", "Of these dropped, since their queue was full.");
    if (config_.replicates) {
        g.counter("replicas", c.replicas, "replicas", "Of pages, that the driver has made.");
        g.counter("replicas_dropped", c.replicas_dropped, "replicas", "Of these given up again.");
        g.counter("collapses", c.collapses, "pages",
                  "That gave up all their replicas: for a store, or the last for room.");
    }
    const Histogram& h = ledger.latency();
    g.figure("latency.total_ps", h, HistogramFigure::sum, "ps", "Sum over faults.");
    g.figure("latency.p50_ps", h, HistogramFigure::p50, "ps", "Half are at most this long.");
    g.figure("latency.p99_ps", h, HistogramFigure::p99, "ps", "99 % are at most this long.");
    g.figure("latency.max_ps", h, HistogramFigure::max, "ps", "Longest.");
    for (unsigned p = 0; p < kFaultParts; ++p)
        g.sum(
            fmt::format("latency.parts.{}_ps", kFaultPartNames[p]), [&ledger, p] { return ledger.part_ps(p); }, "ps",
            "Part of the total; the parts sum to it.");
}

void FaultUnit::add_series(SeriesGroup& host) const {
    host.increase("faults.done", ledger_.counts.done, "faults", "Completed by the driver.");
    host.level(
        "faults.queued", [this] { return queued(); }, "faults", "That the driver has not yet taken.");
}

void FaultUnit::add_waves(WaveSet& waves, const std::string& host) {
    waves.group(kQueueWaves).add(host + ".faults", "queued", kQueueWaveBits, [this] { return queued(); });
}

void CopyEngine::add_statistics(StatGroup& host) const {
    StatGroup& g = host.group("copy_engine");
    g.counter("copies", counts_.copies, "commands", "Of a range from one memory to another.");
    g.counter("fills", counts_.fills, "commands", "Of a range with zeros.");
    g.counter("copied_bytes", counts_.copied_bytes, "B", "Moved.");
    g.counter("filled_bytes", counts_.filled_bytes, "B", "Cleared.");
    g.counter("busy_ps", counts_.busy_ps, "ps", "With a command under way.");
}

void CopyEngine::add_series(SeriesGroup& host) const {
    host.increase("copied_bytes", counts_.copied_bytes, "B", "Moved by the copy engines.");
}

void Host::list_parts(PartList& parts) {
    const PartOwner owner{"host", {}};
    if (core_) parts.add(owner, "the page-fault unit", *faults_);
    parts.add(owner, "the driver's core", *this);
    if (copies) parts.add(owner, "the copy engine", *copies);
}

/// Of its memory and link only the bytes: nothing on a host has more than one of them.
void Host::add_statistics(StatGroup& host) const {
    if (core_) {
        StatGroup& g = host.group("core");
        const BusCounts& bus_counts = devices_.counts;
        g.sum(
            "instructions", [this] { return core_->instructions(); }, "instructions",
            "Executed, or charged by the native execution.");
        g.counter("register_reads", bus_counts.reads, "accesses", "Of devices.");
        g.counter("register_writes", bus_counts.writes, "accesses", "Of devices.");
        g.counter("memory_reads", bus_counts.memory_reads, "accesses", "Of the platform's memories.");
        g.counter("memory_writes", bus_counts.memory_writes, "accesses", "Of the platform's memories.");
        g.counter("bus_errors", bus_counts.errors, "accesses",
                  "That nothing answered, or the register map does not allow.");
        g.counter("busy_ps", faults_->ledger().counts.busy_ps, "ps",
                  "With a fault that the driver has taken and not completed.");
        g.sum(
            "watchdog_kicks", [this] { return registers_.kicks(); }, "kicks", "Of the driver.");
    }
    if (memory) {
        StatGroup& g = host.group("memory");
        g.counter("read_bytes", memory->counts().read_bytes, "B", "Read.");
        g.counter("write_bytes", memory->counts().write_bytes, "B", "Written.");
    }
    if (link) {
        StatGroup& g = host.group("link");
        g.counter("out.bytes", link->out().bytes, "B", "Sent.");
        g.counter("in.bytes", link->in().bytes, "B", "Received.");
    }
}

void Host::add_series(SeriesGroup& host) const {
    if (!link) return;
    host.increase("link.out_bytes", link->out().bytes, "B", "Sent.");
    host.increase("link.in_bytes", link->in().bytes, "B", "Received.");
}

void Host::add_waves(WaveSet& waves, const std::string& host) {
    if (link) link->add_waves(waves, host);
}

} // namespace numavp
