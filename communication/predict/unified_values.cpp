#include "communication/predict/unified_values.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/values/error.h"
#include "sw/driver/prefetch_tree.h"

namespace numavp {

namespace {
constexpr std::uint64_t kMostUnified = std::uint64_t{1} << 40; // of a block 200 B are kept, 1.8 KB where it is watched

std::uint64_t blocks_of(std::uint64_t bytes) { return (bytes + kPrefetchBlockBytes - 1) / kPrefetchBlockBytes; }
} // namespace

void UnifiedValues::Works::add(const Work& work) {
    for (Work& known : list)
        if (std::tie(known.kind, known.value, known.from, known.to) ==
            std::tie(work.kind, work.value, work.from, work.to)) {
            known.bytes += work.bytes;
            return;
        }
    list.push_back(work);
}

UnifiedValues::UnifiedValues(const AppGraph& graph, const HostMachine& machine, const Place& place)
    : graph_(graph), machine_(machine), first_(graph.values.size(), 0) {
    if (places() > kUnifiedMostPlaces)
        throw ConfigError(
            place, fmt::format("{} CPUs and GPUs; at most {} are allowed", places(), unsigned{kUnifiedMostPlaces}));
    std::uint64_t blocks = 0;
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        first_[v] = static_cast<std::uint32_t>(blocks);
        if (moves(graph.values[v].memory)) blocks += blocks_of(graph.values[v].bytes);
        if (blocks > blocks_of(kMostUnified))
            throw ConfigError(place.at("values").at(v).at("bytes"),
                              "with it more than 1 TiB is in unified memory; at most that is allowed");
    }
    blocks_.resize(blocks);
    chunks_.resize(blocks * places());
    value_of_.resize(blocks);
    for (std::size_t v = 0; v < graph.values.size(); ++v)
        if (moves(graph.values[v].memory))
            std::fill_n(value_of_.begin() + first_[v], blocks_of(graph.values[v].bytes), static_cast<unsigned>(v));
    unified_init(&memory_, places(), machine.calibration().faults.percent, blocks_.data(), chunks_.data(),
                 static_cast<std::uint32_t>(blocks));
    set_places();
    set_rule();
    for (std::size_t v = 0; v < graph.values.size(); ++v) advise(static_cast<unsigned>(v));
    watch();
}

void UnifiedValues::set_places() {
    for (unsigned p = 0; p < places(); ++p) {
        const AppPlace at = place(p);
        UnifiedPlace& made = memory_.place[p];
        made.host = !at.gpu;
        for (unsigned other = 0; other < places(); ++other) {
            if (reaches(at, place(other))) made.reaches |= 1U << other;
            if (is_fast(at, place(other))) made.fast |= 1U << other;
        }
        made.home = p;
        if (!at.gpu) continue;
        made.home = machine_.home(at.index);
        made.room = static_cast<std::uint32_t>(machine_.gpu_memory_bytes(at.index) / kPrefetchBlockBytes);
    }
}

bool UnifiedValues::reaches(AppPlace from, AppPlace to) const {
    if (from == to || !to.gpu) return true; // a GPU reaches all host memory (CUDA's zero copy)
    return from.gpu ? machine_.peers(from.index, to.index) : machine_.calibration().cpu_reaches_gpus;
}

/// By NVLink, over which GPUs do atomics: peers with a link of their own or switches that are faster than the way to
/// the host, and CPUs that access GPUs' memory.
bool UnifiedValues::is_fast(AppPlace from, AppPlace to) const {
    if (from.gpu && to.gpu) {
        if (from == to || !machine_.joined_without_cpu(from.index, to.index)) return false;
        const TransferGraph& graph = machine_.graph();
        const unsigned part = machine_.gpu_part(from.index);
        const std::vector<unsigned> way = graph.way(part, machine_.gpu_part(to.index));
        const std::vector<unsigned> home = graph.way(part, machine_.cpu_part(machine_.home(from.index)));
        return way.size() == 1 || graph.narrowest_gbytes_per_s(way) > graph.narrowest_gbytes_per_s(home);
    }
    return from.gpu != to.gpu && machine_.calibration().cpu_reaches_gpus;
}

void UnifiedValues::set_rule() {
    constexpr double kNsPerUs = 1000;
    const CalibrationThrashing& given = machine_.calibration().faults.thrashing;
    ThrashingRule& rule = memory_.thrashing;
    rule.lapse = static_cast<std::uint64_t>(given.lapse_us * kNsPerUs);
    rule.nap = rule.lapse * given.nap_lapses;
    rule.pin = rule.lapse * given.pin_lapses;
    rule.epoch = rule.lapse * given.epoch_lapses;
    rule.threshold = given.threshold;
    rule.naps = given.naps;
    rule.resets = given.resets;
}

void UnifiedValues::advise(unsigned value) {
    if (!moves(graph_.values[value].memory)) return;
    const AppAdvice& advice = graph_.values[value].advice;
    each_block(value, [&](std::uint32_t block, std::uint32_t) {
        blocks_[block].read_mostly = advice.read_mostly;
        if (advice.preferred) blocks_[block].preferred = number(*advice.preferred);
        for (const AppPlace& by : advice.accessed_by) blocks_[block].accessed_by |= 1U << number(by);
    });
}

/// A value must move once, again as often as the threshold says with one event less than moves, and be asked for then.
void UnifiedValues::watch() {
    constexpr unsigned kBesides = 3;
    const unsigned threshold = memory_.thrashing.threshold;
    if (threshold == 0) return;
    std::vector<unsigned> touched(graph_.values.size(), 0);
    for (const AppStep& step : graph_.steps)
        if (step.kind != AppStepKind::copy)
            for (const unsigned value : step.reads) ++touched[value];
    std::vector<std::uint32_t> often;
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
        const unsigned value = value_of_[block];
        if (touched[value] >= threshold + kBesides && graph_.values[value].memory == HostMemory::managed)
            often.push_back(block);
    }
    watched_.resize(often.size());
    for (std::size_t i = 0; i < often.size(); ++i) unified_watch(&memory_, often[i], &watched_[i]);
}

void UnifiedValues::allocate(unsigned value, AppPlace at, Works& works) {
    each_block(value, [&](std::uint32_t block, std::uint32_t leaves) {
        unified_allocate(&memory_, block, leaves, number(at));
        collect(works);
    });
}

void UnifiedValues::free(unsigned value) {
    each_block(value, [&](std::uint32_t block, std::uint32_t) { unified_free(&memory_, block); });
}

void UnifiedValues::read(unsigned value, AppPlace by, Works& works, std::vector<RemoteAccess>& remote) {
    each_block(value, [&](std::uint32_t block, std::uint32_t leaves) {
        const bool prefetched = graph_.values[value].memory == HostMemory::prefetched;
        const std::uint32_t away = prefetched ? unified_prefetch(&memory_, block, leaves, number(by))
                                              : unified_touch(&memory_, block, leaves, number(by), false);
        collect(works);
        if (!prefetched) works.nap_ns = std::max(works.nap_ns, static_cast<double>(memory_.nap_ns));
        add_remote(block, away, false, remote);
    });
}

void UnifiedValues::write(unsigned value, AppPlace by, Works& works, std::vector<RemoteAccess>& remote) {
    each_block(value, [&](std::uint32_t block, std::uint32_t leaves) {
        unified_allocate(&memory_, block, leaves, UNIFIED_NONE);
        const std::uint32_t away = unified_touch(&memory_, block, leaves, number(by), true);
        collect(works);
        add_remote(block, away, true, remote);
    });
}

bool UnifiedValues::reserve(AppPlace at, std::uint64_t bytes, Works& works) {
    for (std::uint64_t left = blocks_of(bytes); left != 0; --left) {
        if (!unified_reserve(&memory_, number(at))) return false;
        collect(works);
    }
    return true;
}

void UnifiedValues::release(AppPlace at, std::uint64_t bytes) {
    for (std::uint64_t left = blocks_of(bytes); left != 0; --left) unified_release(&memory_, number(at));
}

template <class Do> void UnifiedValues::each_block(unsigned value, Do what) {
    const std::uint64_t bytes = graph_.values[value].bytes;
    for (std::uint64_t b = 0; b < blocks_of(bytes); ++b) {
        const std::uint64_t left = bytes - b * kPrefetchBlockBytes;
        const std::uint64_t leaves = (left + kPrefetchLeafBytes - 1) / kPrefetchLeafBytes;
        what(first_[value] + static_cast<std::uint32_t>(b), leaves >= kPrefetchLeaves ? ~0U : (1U << leaves) - 1);
    }
}

/// Of leaves of a block, as far as the value goes.
std::uint64_t UnifiedValues::bytes_in(std::uint32_t block, std::uint32_t leaves) const {
    const unsigned value = value_of_[block];
    const std::uint64_t begin = std::uint64_t{block - first_[value]} * kPrefetchBlockBytes;
    std::uint64_t sum = 0;
    for (unsigned leaf = 0; leaf < kPrefetchLeaves; ++leaf)
        if ((leaves >> leaf & 1U) != 0)
            sum += std::min<std::uint64_t>(kPrefetchLeafBytes,
                                           graph_.values[value].bytes - begin - leaf * kPrefetchLeafBytes);
    return sum;
}

void UnifiedValues::collect(Works& works) const {
    for (unsigned w = 0; w < memory_.logged; ++w) {
        const UnifiedWork& work = memory_.log[w];
        works.add(
            {work.kind, value_of_[work.block], place(work.from), place(work.to), bytes_in(work.block, work.leaves)});
    }
}

void UnifiedValues::add_remote(std::uint32_t block, std::uint32_t leaves, bool writes,
                               std::vector<RemoteAccess>& remote) const {
    for (unsigned leaf = 0; leaf < kPrefetchLeaves; ++leaf) {
        if ((leaves >> leaf & 1U) == 0) continue;
        const AppPlace at = place(unified_place_of(&memory_, block, leaf));
        const auto known = std::find_if(remote.begin(), remote.end(), [&](const RemoteAccess& access) {
            return access.at == at && access.writes == writes;
        });
        RemoteAccess& access = known == remote.end() ? remote.emplace_back(RemoteAccess{at, writes, 0}) : *known;
        access.bytes += bytes_in(block, 1U << leaf);
    }
}

} // namespace numavp
