#include "models/cache/way_partition.h"

#include "base/values/error.h"
#include "base/values/saturation.h"
#include "models/cache/way_partition_rtl.h"

namespace numavp {

namespace {

unsigned local_half(unsigned ways) { return ways - ways / 2; }

WayDecision verdict(bool link_full, bool memory_full) {
    if (link_full && memory_full) return WayDecision::toward_equal;
    if (link_full) return WayDecision::more_remote;
    return memory_full ? WayDecision::more_local : WayDecision::none;
}

/// Local ways of a cache after the decision.
unsigned moved(unsigned local, unsigned ways, WayDecision decision) {
    const unsigned remote = ways - local;
    switch (decision) {
    case WayDecision::more_remote: return local > 1 ? local - 1 : local;
    case WayDecision::more_local: return remote > 1 ? local + 1 : local;
    case WayDecision::toward_equal: return local > remote + 1 ? local - 1 : remote > local + 1 ? local + 1 : local;
    case WayDecision::none: break;
    }
    return local;
}

} // namespace

FixedWayPartition::FixedWayPartition(const WayPartitionParams& params) {
    for (const PartitionedCache& cache : params.caches) {
        if (cache.fixed_remote_ways < 1 || cache.fixed_remote_ways >= cache.ways)
            throw ModelError("a fixed way partition needs a way each for local and remote lines");
        local_.push_back(cache.ways - cache.fixed_remote_ways);
    }
}

NumaAwareWayPartition::NumaAwareWayPartition(const WayPartitionParams& params)
    : params_(params), local_(params.caches.size()) {
    for (const PartitionedCache& cache : params.caches)
        if (cache.ways < 2) throw ModelError("a partitioned cache needs at least 2 ways");
    NumaAwareWayPartition::launch();
}

void NumaAwareWayPartition::launch() {
    for (std::size_t i = 0; i < local_.size(); ++i) local_[i] = local_half(params_.caches[i].ways);
}

WayDecision NumaAwareWayPartition::sample(const PartitionSample& s) {
    const std::uint64_t incoming_bytes = s.outgoing_reads * s.response_bytes;
    const bool link_full = saturated(incoming_bytes, s.ingress_capacity_bytes, params_.saturation_percent);
    const bool memory_full = saturated(s.local_bytes, s.local_capacity_bytes, params_.saturation_percent);
    const WayDecision decision = verdict(link_full, memory_full);
    for (std::size_t i = 0; i < local_.size(); ++i) local_[i] = moved(local_[i], params_.caches[i].ways, decision);
    return decision;
}

std::unique_ptr<WayPartition> make_way_partition(WayPartitionKind kind, const WayPartitionParams& params) {
    switch (kind) {
    case WayPartitionKind::numa_aware: return std::make_unique<NumaAwareWayPartition>(params);
    case WayPartitionKind::numa_aware_rtl: return std::make_unique<RtlWayPartition>(params);
    case WayPartitionKind::fixed: break;
    }
    return std::make_unique<FixedWayPartition>(params);
}

} // namespace numavp
