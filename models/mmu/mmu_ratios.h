/// Hit rates of a socket's TLBs.
#pragma once

#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

/// `walks`: pages are translated by TLBs and walks.
inline std::vector<Ratio> mmu_ratios(bool walks) {
    if (!walks) return {};
    return {by_interval(share_of("mmu.l1_hit_rate", {"mmu.l1_hits", "-mmu.l1_misses"}, {"mmu.l1_hits"},
                                 "Line accesses that did not wait for a translation, of all."),
                        {"mmu.l1_hits", "-mmu.l1_misses"}, {"mmu.l1_hits"}),
            by_interval(share_of("mmu.l2_hit_rate", {"mmu.l2_hits"}, {"mmu.l2_hits", "mmu.l2_misses"},
                                 "Hits, of the requests that reached the L2 TLB."),
                        {"mmu.l2_hits"}, {"mmu.l2_hits", "mmu.l2_misses"})};
}

} // namespace numavp
