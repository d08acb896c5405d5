#include "platform/host_stats.h"

#include <fmt/format.h>

namespace numavp {

namespace {
using Count = std::uint64_t;

void register_faults(StatGroup& g, const FaultUnit& unit) {
    const FaultLedger& ledger = unit.ledger();
    const FaultCounts& c = ledger.counts;
    g.counter("raised", c.raised, "faults", "Of a page each, taken by the page-fault unit.");
    g.counter("merged", c.merged, "faults", "Of other sockets on a page that waited already.");
    g.counter("refused", c.refused, "events", "A walker found the queue full and waited.");
    g.counter("done", c.done, "faults", "Completed by the driver.");
    g.counter("most_queued", c.most_queued, "faults", "In the queue at once.");
    g.counter("invalidations", c.invalidations, "pages", "Taken out of all TLBs and caches.");
    g.counter("notes", c.notes, "notes", "Of sockets that keep accessing a remote page.");
    g.counter("notes_lost", c.notes_lost, "notes", "Of these dropped, since their queue was full.");
    const Histogram& h = ledger.latency();
    const auto read = [&h](auto pick) { return [&h, pick] { return static_cast<Count>(pick(h)); }; };
    g.value("latency.total_ps", read([](const Histogram& l) { return l.sum(); }), "ps", "Sum over faults.");
    g.value("latency.p50_ps", read([](const Histogram& l) { return l.percentile(50); }), "ps",
            "Half are at most this long.");
    g.value("latency.p99_ps", read([](const Histogram& l) { return l.percentile(99); }), "ps",
            "99 % are at most this long.");
    g.value("latency.max_ps", read([](const Histogram& l) { return l.max(); }), "ps", "Longest.");
    for (unsigned p = 0; p < kFaultParts; ++p)
        g.value(
            fmt::format("latency.parts.{}_ps", kFaultPartNames[p]), [&ledger, p] { return ledger.part_ps(p); }, "ps",
            "Part of the total; the parts sum to it.");
}

void register_core(StatGroup& g, const Host& host) {
    const BusCounts& bus = host.devices().counts;
    g.value(
        "instructions", [&host] { return host.core().instructions(); }, "instructions",
        "Executed, or charged by the native execution.");
    g.counter("register_reads", bus.reads, "accesses", "Of devices.");
    g.counter("register_writes", bus.writes, "accesses", "Of devices.");
    g.counter("memory_reads", bus.memory_reads, "accesses", "Of the platform's memories.");
    g.counter("memory_writes", bus.memory_writes, "accesses", "Of the platform's memories.");
    g.counter("bus_errors", bus.errors, "accesses", "That nothing answered, or the register map does not allow.");
    g.counter("busy_ps", host.faults().ledger().counts.busy_ps, "ps",
              "With a fault that the driver has taken and not completed.");
    g.value(
        "watchdog_kicks", [&host] { return host.registers().kicks(); }, "kicks", "Of the driver.");
}
} // namespace

void register_host(StatGroup& group, const Host& host) {
    if (host.has_core()) {
        register_faults(group.group("faults"), host.faults());
        register_core(group.group("core"), host);
    }
    if (host.copies) {
        StatGroup& g = group.group("copy_engine");
        const CopyCounts& c = host.copies->counts();
        g.counter("copies", c.copies, "commands", "Of a range from one memory to another.");
        g.counter("fills", c.fills, "commands", "Of a range with zeros.");
        g.counter("copied_bytes", c.copied_bytes, "B", "Moved.");
        g.counter("filled_bytes", c.filled_bytes, "B", "Cleared.");
        g.counter("busy_ps", c.busy_ps, "ps", "With a command under way.");
    }
    if (host.memory) {
        StatGroup& g = group.group("memory");
        g.counter("read_bytes", host.memory->counts().read_bytes, "B", "Read.");
        g.counter("write_bytes", host.memory->counts().write_bytes, "B", "Written.");
    }
    if (host.link) {
        StatGroup& g = group.group("link");
        g.counter("out.bytes", host.link->out().bytes, "B", "Sent.");
        g.counter("in.bytes", host.link->in().bytes, "B", "Received.");
    }
}

void host_series(SeriesRecorder& series, const Host& host) {
    if (host.has_core()) {
        const FaultUnit& unit = host.faults();
        series.increase("host.faults.done", unit.ledger().counts.done, "faults", "Completed by the driver.");
        series.level(
            "host.faults.queued", [&unit] { return unit.queued(); }, "faults", "That the driver has not yet taken.");
    }
    if (host.copies)
        series.increase("host.copied_bytes", host.copies->counts().copied_bytes, "B", "Moved by the copy engines.");
    if (host.link) {
        series.increase("host.link.out_bytes", host.link->out().bytes, "B", "Sent.");
        series.increase("host.link.in_bytes", host.link->in().bytes, "B", "Received.");
    }
}

} // namespace numavp
