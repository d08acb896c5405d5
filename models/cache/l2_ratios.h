/// What became of the reads of a socket's L2: each hits, meets its line on the way, or misses. The three shares sum
/// to 1.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

/// Of all reads, then by whose they are and where their line lives: "l2.hit_rate", ..., "l2.local.hit_rate", ...
inline std::vector<Ratio> l2_ratios() {
    using Names = std::vector<std::string>;
    const std::vector<std::pair<Names, std::string>> kinds = {
        {{"l2.local.", "l2.remote.", "l2.incoming."}, "of the reads that L2s served."},
        {{"l2.local."}, "of own reads of local lines."},
        {{"l2.remote."}, "of own reads of remote lines."},
        {{"l2.incoming."}, "of reads that came over the link."}};
    std::vector<Ratio> ratios;
    for (const auto& [classes, of] : kinds) {
        const std::string at = classes.size() == 1 ? classes.front() : "l2.";
        const auto paths = [&classes = classes](const Names& counts) {
            Names all;
            for (const std::string& c : classes)
                for (const std::string& count : counts) all.push_back(c + count);
            return all;
        };
        const Names reads = paths({"hits", "misses", "merged"});
        ratios.push_back(share_of(at + "hit_rate", paths({"hits"}), reads, "Hits, " + of));
        ratios.push_back(share_of(at + "merged_share", paths({"merged"}), reads, "Hits on lines on their way, " + of));
        ratios.push_back(share_of(at + "miss_rate", paths({"misses"}), reads, "Misses, " + of));
    }
    ratios[0] = by_interval(ratios[0], {"l2.hits"}, {"l2.reads"});
    return ratios;
}

} // namespace numavp
