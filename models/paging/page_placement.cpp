#include "models/paging/page_placement.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/base/rng.h"

namespace numavp {

namespace {
/// Of the memories that are not full; the first if all are.
SocketId least_used(const MemoryUse& use) {
    std::optional<SocketId> least;
    for (std::size_t m = 0; m < use.pages.size(); ++m) {
        const SocketId memory(m);
        if (!use.full(memory) && (!least || use.pages[m] < use.pages[least->value])) least = memory;
    }
    return least.value_or(SocketId(0));
}
} // namespace

std::optional<SocketId> place_or_next_best(SocketId wish, const MemoryUse& use) {
    if (!use.full(wish)) return wish;
    const SocketId home = least_used(use);
    if (use.full(home)) return std::nullopt;
    return home;
}

std::optional<SocketId> PageInterleavePlacement::place(std::uint64_t virtual_page, SocketId, const MemoryUse& use) {
    return place_or_next_best(SocketId(virtual_page % use.pages.size()), use);
}

std::optional<SocketId> RoundRobinPlacement::place(std::uint64_t, SocketId, const MemoryUse& use) {
    return place_or_next_best(SocketId(touched_++ % use.pages.size()), use);
}

std::optional<SocketId> RandomPlacement::place(std::uint64_t virtual_page, SocketId, const MemoryUse& use) {
    return place_or_next_best(SocketId(Rng(virtual_page).below(use.pages.size())), use);
}

std::optional<SocketId> LeastFirstPlacement::place(std::uint64_t, SocketId, const MemoryUse& use) {
    return place_or_next_best(least_used(use), use);
}

std::optional<SocketId> LabPlacement::place(std::uint64_t, SocketId toucher, const MemoryUse& use) {
    std::uint64_t sum = 0, most = 0;
    for (const std::uint64_t pages : use.pages) {
        sum += pages;
        most = std::max(most, pages);
    }
    const bool balanced = most == 0 || 100 * sum > percent_ * use.pages.size() * most;
    return place_or_next_best(balanced ? toucher : least_used(use), use);
}

std::unique_ptr<PagePlacement> make_page_placement(const PlacementConfig& config) {
    switch (config.policy) {
    case PlacementKind::line_interleave: return std::make_unique<LineInterleavePlacement>();
    case PlacementKind::page_interleave: return std::make_unique<PageInterleavePlacement>();
    case PlacementKind::round_robin: return std::make_unique<RoundRobinPlacement>();
    case PlacementKind::first_touch: return std::make_unique<FirstTouchPlacement>();
    case PlacementKind::random: return std::make_unique<RandomPlacement>();
    case PlacementKind::least_first: return std::make_unique<LeastFirstPlacement>();
    case PlacementKind::lab: return std::make_unique<LabPlacement>(config.lab_percent);
    }
    throw ModelError("a page placement outside its table of names");
}

std::unique_ptr<PagePlacement> make_page_placement(PlacementKind kind) {
    PlacementConfig config;
    config.policy = kind;
    return make_page_placement(config);
}

/// A toucher that has none of the memories near it is nearest to one by its number.
std::optional<SocketId> ChosenMemories::place(std::uint64_t virtual_page, SocketId toucher, const MemoryUse& use) {
    const auto given = std::find_if(given_.begin(), given_.end(), [virtual_page](const GivenPages& pages) {
        return pages.first <= virtual_page && virtual_page < pages.end;
    });
    const std::vector<SocketId>& memories = given != given_.end() ? given->memories : of_arrays_;
    MemoryUse part;
    part.capacity_pages = use.capacity_pages;
    for (const SocketId memory : memories) {
        part.pages.push_back(use.pages[memory.value]);
        if (!use.own_capacity.empty()) part.own_capacity.push_back(use.capacity(memory));
    }
    const auto near = std::find(memories.begin(), memories.end(), toucher);
    const SocketId wish(near != memories.end() ? static_cast<std::size_t>(near - memories.begin())
                                               : toucher.value % memories.size());
    const std::optional<SocketId> chosen =
        given != given_.end() ? in_turn_.place(virtual_page, wish, part) : arrays_->place(virtual_page, wish, part);
    return chosen ? std::optional<SocketId>(memories[chosen->value]) : std::nullopt;
}

} // namespace numavp
