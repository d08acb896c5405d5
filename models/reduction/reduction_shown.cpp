// What a reduction unit shows: statistics, its column of the series, its signal, and what it waits for.
#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "models/reduction/reduction_unit.h"

namespace numavp {

void ReductionUnit::add_statistics(StatGroup& owner) const {
    owner.counter("reads", counts_.reads, "requests", "Reads of multicast lines, each a sum of the members' lines.");
    owner.counter("writes", counts_.writes, "requests", "Writes of multicast lines, each replicated to all members.");
    owner.counter("atomics", counts_.atomics, "requests", "Atomics on multicast lines, performed at each member.");
    owner.counter("asked", counts_.asked, "records", "Reads, writes and atomics sent to members.");
    owner.counter("read_bytes", counts_.read_bytes, "B", "Data bytes of members' answers that were added up.");
    owner.counter("written_bytes", counts_.written_bytes, "B", "Data bytes sent to members, of all copies.");
    owner.counter("additions", counts_.additions, "additions", "Additions of two elements.");
    owner.counter("stalls", counts_.stalls, "edges", "Edges at which a request found no free entry.");
    owner.histogram("latency_cycles", latency_, "cycles", "Time from a request's entry to its answer.");
    owner.sum(
        "energy_pj", [this] { return energy_pj(); }, "pJ", "Energy of the additions.");
}

void ReductionUnit::add_series(SeriesGroup& owner) const {
    owner.total("reads", counts_.reads, "requests", "Reads of multicast lines.");
    owner.total("writes", counts_.writes, "requests", "Writes of multicast lines.");
}

void ReductionUnit::add_waves(WaveSet& waves, const std::string& owner) {
    waves.group(kQueueWaves).add(owner, "entries_in_use", kQueueWaveBits, [this] { return entries_in_use(); });
}

std::string ReductionUnit::waiting_for() const {
    unsigned missing = 0;
    for (const Entry& e : entries_)
        if (e.parent != nullptr) missing += e.missing;
    if (entries_in_use() == 0 && inlet_.empty() && done_.empty()) return "";
    return fmt::format("{} answers of members for {} requests, with {} requests queued", missing, entries_in_use(),
                       inlet_.size());
}

std::string ReductionUnit::disagreement() {
    const std::uint64_t taken = counts_.reads + counts_.writes + counts_.atomics;
    if (latency_.count() == taken) return "";
    return fmt::format("{} requests were taken, {} answered", taken, latency_.count());
}

} // namespace numavp
