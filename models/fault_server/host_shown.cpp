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
    g.counter("raised", c.raised, "faults", "Faults taken by the page-fault unit, each of a page.");
    g.counter("merged", c.merged, "faults", "Faults of other sockets on a page that waited already.");
    g.counter("refused", c.refused, "events", "Times that a walker found the queue full and waited.");
    g.counter("done", c.done, "faults", "Faults completed by the driver.");
    g.counter("most_queued", c.most_queued, "faults", "Largest number of faults in the queue at once.", Growth::level);
    g.counter("invalidations", c.invalidations, "pages", "Pages taken out of all TLBs and caches.");
    g.counter("notes", c.notes, "notes", "Notes of sockets that keep accessing a remote page.");
    g.counter("notes_lost", c.notes_lost, "notes", "Notes dropped, since their queue was full.");
    if (config_.replicates) {
        g.counter("replicas", c.replicas, "replicas", "Replicas of pages that the driver has made.");
        g.counter("replicas_dropped", c.replicas_dropped, "replicas", "Replicas of pages that were given up again.");
        g.counter("collapses", c.collapses, "pages",
                  "Pages that gave up all their replicas: for a store, or the last for room.");
    }
    const Histogram& h = ledger.latency();
    g.figure("latency.total_ps", h, HistogramFigure::sum, "ps", "Sum of the latencies of all faults.");
    g.figure("latency.p50_ps", h, HistogramFigure::p50, "ps", "Latency that half of the faults take at most.");
    g.figure("latency.p99_ps", h, HistogramFigure::p99, "ps", "Latency that 99 % of the faults take at most.");
    g.figure("latency.max_ps", h, HistogramFigure::max, "ps", "Longest latency of a fault.");
    for (unsigned p = 0; p < kFaultParts; ++p)
        g.sum(
            fmt::format("latency.parts.{}_ps", kFaultPartNames[p]), [&ledger, p] { return ledger.part_ps(p); }, "ps",
            "Part of the latency of all faults; the parts sum to the total.");
}

void FaultUnit::add_series(SeriesGroup& host) const {
    host.increase("faults.done", ledger_.counts.done, "faults", "Faults completed by the driver.");
    host.level(
        "faults.queued", [this] { return queued(); }, "faults", "Faults that the driver has not yet taken.");
}

void FaultUnit::add_waves(WaveSet& waves, const std::string& host) {
    waves.group(kQueueWaves).add(host + ".faults", "queued", kQueueWaveBits, [this] { return queued(); });
}

void CopyEngine::add_statistics(StatGroup& host) const {
    StatGroup& g = host.group("copy_engine");
    g.counter("copies", counts_.copies, "commands", "Commands that copy a range from one memory to another.");
    g.counter("fills", counts_.fills, "commands", "Commands that fill a range with zeros.");
    g.counter("copied_bytes", counts_.copied_bytes, "B", "Bytes copied by commands.");
    g.counter("filled_bytes", counts_.filled_bytes, "B", "Bytes filled with zeros.");
    g.counter("busy_ps", counts_.busy_ps, "ps", "Time with a command under way.");
}

void CopyEngine::add_series(SeriesGroup& host) const {
    host.increase("copied_bytes", counts_.copied_bytes, "B", "Bytes moved by the copy engines.");
}

void Host::list_parts(PartList& parts) {
    const PartOwner owner{"host", {}};
    if (core_ || driver_port) parts.add(owner, "the page-fault unit", *faults_);
    parts.add(owner, "the driver's core", *this);
    if (copies) parts.add(owner, "the copy engine", *copies);
}

/// Of its memory and link only the bytes: nothing on a host has more than one of them.
void Host::add_statistics(StatGroup& host) const {
    if (core_ || driver_port) {
        StatGroup& g = host.group("core");
        const BusCounts& bus_counts = devices_.counts;
        if (core_)
            g.sum(
                "instructions", [this] { return core_->instructions(); }, "instructions",
                "Instructions executed, or charged by the native execution.");
        g.counter("register_reads", bus_counts.reads, "accesses", "Reads of registers of devices.");
        g.counter("register_writes", bus_counts.writes, "accesses", "Writes of registers of devices.");
        g.counter("memory_reads", bus_counts.memory_reads, "accesses", "Reads of the platform's memories.");
        g.counter("memory_writes", bus_counts.memory_writes, "accesses", "Writes of the platform's memories.");
        g.counter("bus_errors", bus_counts.errors, "accesses",
                  "Accesses that nothing answered, or that the register map does not allow.");
        g.counter("busy_ps", faults_->ledger().counts.busy_ps, "ps",
                  "Time with a fault that the driver has taken and not completed.");
        g.sum(
            "watchdog_kicks", [this] { return registers_.kicks(); }, "kicks", "Kicks of the watchdog by the driver.");
    }
    if (memory) {
        StatGroup& g = host.group("memory");
        g.counter("read_bytes", memory->counts().read_bytes, "B", "Bytes read from the host's memory.");
        g.counter("write_bytes", memory->counts().write_bytes, "B", "Bytes written to the host's memory.");
    }
    if (link) {
        StatGroup& g = host.group("link");
        g.counter("out.bytes", link->out().bytes, "B", "Bytes sent by the host over its link.");
        g.counter("in.bytes", link->in().bytes, "B", "Bytes received by the host over its link.");
    }
}

void Host::add_series(SeriesGroup& host) const {
    if (!link) return;
    host.increase("link.out_bytes", link->out().bytes, "B", "Bytes sent by the host over its link.");
    host.increase("link.in_bytes", link->in().bytes, "B", "Bytes received by the host over its link.");
}

void Host::add_waves(WaveSet& waves, const std::string& host) {
    if (link) link->add_waves(waves, host);
}

} // namespace numavp
