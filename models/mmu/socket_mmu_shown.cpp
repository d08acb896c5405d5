// What an MMU shows: its own work, and what the SMs of its socket count.
#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "models/mmu/mmu_ratios.h"
#include "models/mmu/socket_mmu.h"

namespace numavp {

void SocketMmu::add_statistics(StatGroup& owner) const {
    StatGroup& g = owner.group("mmu");
    const TranslationCounts& sms = counts;
    const MmuCounts& c = counts_;
    g.counter("l1_hits", sms.l1_hits, "lines", "Line accesses whose page an SM knew.");
    g.counter("l1_misses", sms.l1_misses, "pages", "Memory instructions that waited for a page, once for each.");
    g.counter("behind", sms.behind, "instructions", "Waited behind another of their warp.");
    g.counter("full", sms.full, "events", "The head of a load-store unit found no place to wait.");
    g.histogram("wait_ps", sms.wait_ps, "ps", "Of an instruction for a page.");
    g.counter("l2_hits", c.l2_hits, "requests", "Found in the L2 TLB.");
    g.counter("l2_misses", c.l2_misses, "requests", "Not found there.");
    g.counter("merged", c.merged, "requests", "Joined a walk or a fault for their page.");
    g.counter("walks", c.walks, "walks", "Begun; after a fault again.");
    g.counter("walk_reads", c.walk_reads, "words", "Read by walks.");
    g.counter("restarts", c.restarts, "walks", "Started over since their page moved.");
    g.counter("most_walks", c.most_walks, "walks", "At once.", Growth::level);
    g.histogram("walk_ps", c.walk_ps, "ps", "Of a walk, to its translation or its fault.");
    g.counter("faults", c.faults, "faults", "Taken by who serves them.");
    g.counter("held", c.held, "faults", "Held by a walker for want of room.");
    g.counter("invalidations", c.invalidations, "pages", "Forgotten because they moved.");
    g.counter("notes", c.notes, "notes", "Of many accesses to a remote page.");
    owner.all_ratios(mmu_ratios(config_.mode == TranslationMode::full));
    if (config_.replicates) g.counter("read_only", c.read_only, "faults", "Of stores to a page with replicas.");
}

void SocketMmu::add_series(SeriesGroup& owner) const {
    owner.increase("mmu.l1_hits", counts.l1_hits, "lines", "Line accesses whose page an SM knew.");
    owner.increase("mmu.l1_misses", counts.l1_misses, "pages", "Memory instructions that waited for a page.");
    owner.increase("mmu.l2_hits", counts_.l2_hits, "requests", "Found in the L2 TLB.");
    owner.increase("mmu.l2_misses", counts_.l2_misses, "requests", "Not found there.");
    owner.increase("mmu.walks", counts_.walks, "walks", "Begun.");
    owner.increase("mmu.faults", counts_.faults, "faults", "Taken by who serves them.");
}

std::string SocketMmu::waiting_for() const {
    if (drained()) return "";
    if (!invalidator_.idle()) return "the end of an invalidation of a page";
    if (way_ && !way_->idle()) return "messages between the sockets and the MMU of all of them";
    return fmt::format("{} look-ups in the L2 TLB, {} walks, {} of its {} pages to be resolved", looking_, active_,
                       faulted_, by_page_.size());
}

} // namespace numavp
