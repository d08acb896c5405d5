// Statistics of a socket besides those of its parts: latencies of loads, ways, use of its memory.
#include <numeric>

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "models/cache/way_partition.h"
#include "models/socket/gpu_socket.h"
#include "models/socket/socket_ratios.h"

namespace numavp {

namespace {
using Count = std::uint64_t;
constexpr const char* kPartNames[kParts] = {"sm", "noc", "link", "slice", "home", "memory"};
constexpr unsigned kWayWaveBits = 8, kChangeWaveBits = 32;

/// Of channels whose memory is foreign and counts for itself.
const ChannelCounts kNoCounts;

void add_latency(StatGroup& g, const LoadLatency& latency) {
    const auto figure = [&](const char* name, HistogramFigure which, const char* unit, const char* doc) {
        g.figure(name, latency.histogram, which, unit, doc);
    };
    figure("loads", HistogramFigure::count, "lines", "Load lines that left an SM and were answered.");
    figure("total_ps", HistogramFigure::sum, "ps", "Sum of the latencies of the lines.");
    figure("min_ps", HistogramFigure::min, "ps", "Shortest latency of a line.");
    figure("max_ps", HistogramFigure::max, "ps", "Longest latency of a line.");
    figure("p50_ps", HistogramFigure::p50, "ps", "Latency that half of the lines take at most.");
    figure("p90_ps", HistogramFigure::p90, "ps", "Latency that 90 % of the lines take at most.");
    figure("p99_ps", HistogramFigure::p99, "ps", "Latency that 99 % of the lines take at most.");
    for (unsigned p = 0; p < kParts; ++p)
        g.sum(
            fmt::format("parts.{}_ps", kPartNames[p]), [&latency, p] { return latency.parts_ps[p]; }, "ps",
            "Part of the sum of latencies; the parts sum to it.");
}
} // namespace

void GpuSocket::list_parts(PartList& parts, const PartOwner& owner) {
    const auto add = [&](const std::string& name, ModelPart& part) { parts.add(owner, owner.path_of(name), part); };
    for (std::size_t i = 0; i < sms.size(); ++i) add(fmt::format("sm{}", i), *sms[i]);
    for (std::size_t i = 0; i < slices.size(); ++i) add(fmt::format("l2.slice{}", i), *slices[i]);
    add("noc", *noc);
    for (std::size_t i = 0; i < sm_routers.size(); ++i) add(fmt::format("sm_router{}", i), *sm_routers[i]);
    joins_.list_parts(parts, owner);
    for (std::size_t i = 0; i < side_caches.size(); ++i) add(fmt::format("memory.cache.bank{}", i), *side_caches[i]);
    for (std::size_t i = 0; i < channels.size(); ++i)
        if (channels[i]) add(fmt::format("memory.channel{}", i), *channels[i]);
    if (mmu) add("mmu", *mmu);
    if (link) add("link", *link);
    parts.add(owner, owner.path(), *this);
}

void GpuSocket::add_statistics(StatGroup& owner) const {
    add_latency(owner.group("load_latency.local"), load_latencies_[false]);
    add_latency(owner.group("load_latency.remote"), load_latencies_[true]);
    for (const bool remote : {false, true}) {
        if (!mmu) break;
        owner.counter(remote ? "load_latency.remote.translation_ps" : "load_latency.local.translation_ps",
                      load_latencies_[remote].translation_ps, "ps",
                      "Time before the latency, since the instruction began to wait for a page.");
    }
    add_memory_totals(owner, kNoCounts);
    owner.all_ratios(socket_ratios());
    if (!link) return;
    owner.value(
        "ways.l2_local", [this] { return Count{l2_local_ways_}; }, "ways",
        "L2 ways for local lines at the end; 0 without a partition.");
    owner.value(
        "ways.l1_local", [this] { return Count{l1_local_ways_}; }, "ways",
        "L1 ways for local lines at the end; 0 without a partition.");
    owner.sum(
        "ways.changes", [this] { return way_changes_; }, "changes", "Changes of the way partition.");
}

void GpuSocket::add_series(SeriesGroup& owner) const {
    add_memory_columns(owner, [] { return Count{0}; });
    if (!link) return;
    owner.level(
        "ways.l2_local", [this] { return Count{l2_local_ways_}; }, "ways", "L2 ways for local lines.");
    owner.level(
        "ways.l1_local", [this] { return Count{l1_local_ways_}; }, "ways", "L1 ways for local lines.");
}

void GpuSocket::add_waves(WaveSet& waves, const std::string& owner) {
    waves.group(kUseWaves).add(
        owner + ".memory", "use", kPercentWaveBits,
        [this, percent = UseInPercent()]() mutable {
            Count possible = 0;
            for (const auto& channel : channels)
                if (channel) possible += channel->capacity_bytes(l2_domain_.now());
            return percent(memory_bytes(), possible);
        },
        WaveRadix::curve);
    if (!partition_) return;
    const std::string scope = owner + ".ways";
    WaveGroup& ways = waves.group("ways");
    const auto split = [&](const std::string& cache, unsigned all, const unsigned& local) {
        ways.add(scope, cache + "_local", kWayWaveBits, [&local] { return local; });
        ways.add(scope, cache + "_remote", kWayWaveBits, [all, &local] { return all - local; });
    };
    split("l2", config_.l2.ways, l2_local_ways_);
    if (config_.partition.l1) split("l1", config_.sm.l1.ways, l1_local_ways_);
    ways.add(scope, "changes", kChangeWaveBits, [this] { return way_changes_; });
    way_waves_ = &ways;
    partition_->watch(waves.waves(), scope, waves.clock());
}

std::string GpuSocket::disagreement() {
    for (const LoadLatency& l : load_latencies_) {
        const Count sum = std::accumulate(l.parts_ps.begin(), l.parts_ps.end(), Count{0});
        if (sum != l.histogram.sum())
            return fmt::format("the parts of load latency sum to {} ps of {} ps", sum, l.histogram.sum());
    }
    return "";
}

} // namespace numavp
