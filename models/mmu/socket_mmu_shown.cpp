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
    g.counter("behind", sms.behind, "instructions", "Instructions that waited behind another of their warp.");
    g.counter("full", sms.full, "events", "Times that the head of a load-store unit found no place to wait.");
    g.histogram("wait_ps", sms.wait_ps, "ps", "Time that an instruction waited for a page.");
    g.counter("l2_hits", c.l2_hits, "requests", "Requests found in the L2 TLB.");
    g.counter("l2_misses", c.l2_misses, "requests", "Requests not found in the L2 TLB.");
    g.counter("merged", c.merged, "requests", "Requests that joined a walk or a fault for their page.");
    g.counter("walks", c.walks, "walks", "Walks begun; after a fault once more.");
    g.counter("walk_reads", c.walk_reads, "words", "Words of page tables read by walks.");
    g.counter("restarts", c.restarts, "walks", "Walks started over since their page moved.");
    g.counter("most_walks", c.most_walks, "walks", "Largest number of walks at once.", Growth::level);
    g.histogram("walk_ps", c.walk_ps, "ps", "Time of a walk, to its translation or its fault.");
    g.counter("faults", c.faults, "faults", "Faults taken by the server of faults.");
    g.counter("held", c.held, "faults", "Faults held by a walker for want of room at the server.");
    g.counter("invalidations", c.invalidations, "pages", "Pages forgotten because they moved.");
    g.counter("notes", c.notes, "notes", "Notes of many accesses to a remote page.");
    owner.all_ratios(mmu_ratios(config_.mode == TranslationMode::full));
    if (config_.replicates) g.counter("read_only", c.read_only, "faults", "Faults of stores to a page with replicas.");
}

void SocketMmu::add_series(SeriesGroup& owner) const {
    owner.increase("mmu.l1_hits", counts.l1_hits, "lines", "Line accesses whose page an SM knew.");
    owner.increase("mmu.l1_misses", counts.l1_misses, "pages", "Memory instructions that waited for a page.");
    owner.increase("mmu.l2_hits", counts_.l2_hits, "requests", "Requests found in the L2 TLB.");
    owner.increase("mmu.l2_misses", counts_.l2_misses, "requests", "Requests not found in the L2 TLB.");
    owner.increase("mmu.walks", counts_.walks, "walks", "Walks begun.");
    owner.increase("mmu.faults", counts_.faults, "faults", "Faults taken by the server of faults.");
}

std::string SocketMmu::waiting_for() const {
    if (drained()) return "";
    if (!invalidator_.idle()) return "the end of an invalidation of a page";
    if (way_ && !way_->idle()) return "messages between the sockets and the MMU of all of them";
    return fmt::format("{} look-ups in the L2 TLB, {} walks, {} of its {} pages to be resolved", looking_, active_,
                       faulted_, by_page_.size());
}

} // namespace numavp
