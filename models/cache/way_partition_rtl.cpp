#include "models/cache/way_partition_rtl.h"

#include <algorithm>
#include <array>

#include "base/values/error.h"

namespace numavp {

namespace {
constexpr std::size_t kCaches = rtl::WayPartitionBlock::kCaches;

WayDecision decision_of(unsigned pins) {
    switch (pins) {
    case 0: return WayDecision::none;
    case 1: return WayDecision::more_remote;
    case 2: return WayDecision::more_local;
    default: return WayDecision::toward_equal;
    }
}
} // namespace

RtlWayPartition::RtlWayPartition(const WayPartitionParams& params) : local_(params.caches.size()) {
    if (params.saturation_percent > 100)
        throw ModelError("a saturation above 100 % does not fit the controller's pins");
    for (const PartitionedCache& cache : params.caches)
        if (cache.ways < 2 || cache.ways > 255) throw ModelError("a cache partitioned by RTL needs 2 to 255 ways");
    for (std::size_t first = 0; first < local_.size(); first += kCaches) {
        std::array<unsigned, kCaches> ways;
        ways.fill(2); // where there is no cache
        for (std::size_t i = 0; i < kCaches && first + i < local_.size(); ++i) ways[i] = params.caches[first + i].ways;
        blocks_.emplace_back(ways, params.saturation_percent);
    }
    RtlWayPartition::launch();
}

void RtlWayPartition::read(std::size_t block, const rtl::WayPartitionBlock::Outputs& pins) {
    const std::size_t first = block * kCaches;
    std::copy_n(pins.local_ways.begin(), std::min(kCaches, local_.size() - first),
                local_.begin() + static_cast<std::ptrdiff_t>(first));
}

void RtlWayPartition::launch() {
    rtl::WayPartitionBlock::Inputs pins;
    pins.launch = true;
    for (std::size_t b = 0; b < blocks_.size(); ++b) read(b, blocks_[b].edge(pins));
}

WayDecision RtlWayPartition::sample(const PartitionSample& s) {
    rtl::WayPartitionBlock::Inputs pins;
    pins.sample = true;
    pins.local_bytes = s.local_bytes;
    pins.local_capacity_bytes = s.local_capacity_bytes;
    pins.outgoing_reads = s.outgoing_reads;
    pins.response_bytes = static_cast<unsigned>(s.response_bytes);
    pins.ingress_capacity_bytes = s.ingress_capacity_bytes;
    WayDecision decision = WayDecision::none;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const auto after = blocks_[b].edge(pins);
        decision = decision_of(after.decision);
        read(b, after);
    }
    return decision;
}

void RtlWayPartition::watch(Waves& waves, const std::string& scope, const WaveClock& clock) {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        blocks_[b].watch(waves, blocks_.size() == 1 ? scope : scope + ".block" + std::to_string(b), clock);
}

} // namespace numavp
