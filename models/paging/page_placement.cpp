#include "models/paging/page_placement.h"

#include <algorithm>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "sw/driver/prefetch_tree.h"

namespace numavp {

namespace {
/// Memory with the fewest pages among those that are not full; the first memory if all are full.
MemoryId least_used(const MemoryUse& use) {
    std::optional<MemoryId> least;
    for (std::size_t m = 0; m < use.pages.size(); ++m) {
        const MemoryId memory(m);
        if (!use.full(memory) && (!least || use.pages[m] < use.pages[least->value])) least = memory;
    }
    return least.value_or(MemoryId(0));
}
} // namespace

std::optional<MemoryId> place_or_next_best(MemoryId wish, const MemoryUse& use) {
    if (!use.full(wish)) return wish;
    const MemoryId least = least_used(use);
    if (use.full(least)) return std::nullopt;
    return least;
}

std::optional<MemoryId> PageInterleavePlacement::place(std::uint64_t virtual_page, MemoryId, const MemoryUse& use) {
    return place_or_next_best(MemoryId(virtual_page % use.pages.size()), use);
}

std::optional<MemoryId> RoundRobinPlacement::place(std::uint64_t, MemoryId, const MemoryUse& use) {
    return place_or_next_best(MemoryId(touched_++ % use.pages.size()), use);
}

FirstTouchTreePlacement::FirstTouchTreePlacement(std::uint64_t page_bytes)
    : leaf_pages_(kPrefetchLeafBytes / page_bytes) {}

std::optional<MemoryId> FirstTouchTreePlacement::place(std::uint64_t virtual_page, MemoryId near,
                                                       const MemoryUse& use) {
    const std::uint64_t leaf = virtual_page / leaf_pages_;
    const std::uint32_t bit = std::uint32_t{1} << leaf % kPrefetchLeaves;
    Leaves& here = blocks_.try_emplace(leaf / kPrefetchLeaves, use.pages.size(), 0U).first->second;
    std::uint32_t placed = 0;
    for (std::size_t m = 0; m < here.size(); ++m) {
        if ((here[m] & bit) != 0) return place_or_next_best(MemoryId(m), use);
        placed |= here[m];
    }
    const std::optional<MemoryId> home = place_or_next_best(near, use);
    if (!home) return home;
    here[home->value] |= prefetch_leaves(here[home->value], bit, ~std::uint32_t{0}, kPrefetchPercent) & ~placed;
    return home;
}

std::optional<MemoryId> RandomPlacement::place(std::uint64_t virtual_page, MemoryId, const MemoryUse& use) {
    return place_or_next_best(MemoryId(Rng(virtual_page, seed_).below(use.pages.size())), use);
}

std::optional<MemoryId> LeastFirstPlacement::place(std::uint64_t, MemoryId, const MemoryUse& use) {
    return place_or_next_best(least_used(use), use);
}

std::optional<MemoryId> LabPlacement::place(std::uint64_t, MemoryId near, const MemoryUse& use) {
    std::uint64_t sum = 0, most = 0;
    for (const std::uint64_t pages : use.pages) {
        sum += pages;
        most = std::max(most, pages);
    }
    const bool balanced = most == 0 || 100 * sum > percent_ * use.pages.size() * most;
    if (balanced) return place_or_next_best(near, use);
    const MemoryId least = least_used(use);
    const bool equal = use.pages[near.value] == use.pages[least.value] && !use.full(near);
    return place_or_next_best(ties_near_ && equal ? near : least, use);
}

std::unique_ptr<PagePlacement> make_page_placement(const PlacementConfig& config) {
    switch (config.policy) {
    case PlacementKind::line_interleave: return std::make_unique<LineInterleavePlacement>();
    case PlacementKind::row_permutation: return std::make_unique<RowPermutationPlacement>(config.row_lines);
    case PlacementKind::page_interleave: return std::make_unique<PageInterleavePlacement>();
    case PlacementKind::round_robin: return std::make_unique<RoundRobinPlacement>();
    case PlacementKind::first_touch: return std::make_unique<FirstTouchPlacement>();
    case PlacementKind::first_touch_tree: return std::make_unique<FirstTouchTreePlacement>(config.page_bytes());
    case PlacementKind::random: return std::make_unique<RandomPlacement>(config.seed);
    case PlacementKind::least_first: return std::make_unique<LeastFirstPlacement>();
    case PlacementKind::lab: return std::make_unique<LabPlacement>(config.lab_percent);
    case PlacementKind::lab_near: return std::make_unique<LabPlacement>(config.lab_percent, true);
    }
    throw ModelError("a page placement outside its table of names");
}

std::unique_ptr<PagePlacement> make_page_placement(PlacementKind kind) {
    PlacementConfig config;
    config.policy = kind;
    return make_page_placement(config);
}

/// The policy sees the chosen memories numbered from 0. A toucher that has none of them near is nearest to one by the
/// number of its memory.
std::optional<MemoryId> ChosenMemories::place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) {
    const auto given = std::find_if(given_.begin(), given_.end(), [virtual_page](const GivenPages& pages) {
        return pages.first <= virtual_page && virtual_page < pages.end;
    });
    const std::vector<MemoryId>& memories = given != given_.end() ? given->memories : of_arrays_;
    MemoryUse part;
    part.capacity_pages = use.capacity_pages;
    for (const MemoryId memory : memories) {
        part.pages.push_back(use.pages[memory.value]);
        if (!use.own_capacity.empty()) part.own_capacity.push_back(use.capacity(memory));
    }
    const auto found = std::find(memories.begin(), memories.end(), near);
    const MemoryId wish(found != memories.end() ? static_cast<std::size_t>(found - memories.begin())
                                                : near.value % memories.size());
    const std::optional<MemoryId> chosen =
        given != given_.end() ? in_turn_.place(virtual_page, wish, part) : arrays_->place(virtual_page, wish, part);
    return chosen ? std::optional<MemoryId>(memories[chosen->value]) : std::nullopt;
}

} // namespace numavp
