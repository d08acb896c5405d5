/// What became of the reads of a socket's memory-side cache; the three shares sum to 1.
#pragma once

#include <string>
#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

inline std::vector<Ratio> side_cache_ratios() {
    const std::string at = "memory.cache.";
    const std::vector<std::string> reads = {at + "hits", at + "misses", at + "merged"};
    return {by_interval(share_of(at + "hit_rate", {at + "hits"}, reads, "Hits, of the reads of memory-side caches."),
                        {at + "hits"}, {at + "reads"}),
            share_of(at + "merged_share", {at + "merged"}, reads,
                     "Hits on lines on their way, of the reads of memory-side caches."),
            share_of(at + "miss_rate", {at + "misses"}, reads, "Misses, of the reads of memory-side caches.")};
}

} // namespace numavp
