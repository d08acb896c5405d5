#include "common/system/memory_choice.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/host_core_place.h"
#include "common/system/system_config.h"
#include "models/copy/copies_config.h"
#include "models/paging/page_placement.h"
#include "sw/work/workload.h"

namespace numavp {

namespace {

/// The memories of parts; all if `parts` is empty.
std::vector<MemoryId> memories_of(const SystemConfig& c, const std::string& parts, const Place& place) {
    const std::vector<SocketId> homes = memory_homes(c);
    const unsigned sharers = c.placement.sockets_per_memory;
    std::vector<MemoryId> memories;
    if (parts.empty()) {
        for (std::size_t m = 0; m < homes.size() / sharers; ++m) memories.emplace_back(m);
        return memories;
    }
    std::vector<unsigned> of_memory(homes.size() / sharers, 0);
    for (const unsigned part : WiredParts(c).find(parts, place)) {
        const auto home = std::find(homes.begin(), homes.end(), SocketId(part));
        if (part >= c.sockets || home == homes.end())
            throw ConfigError(
                place, fmt::format("{} has no memory; parts that have some are allowed", WiredParts(c).label(part)));
        ++of_memory[static_cast<std::size_t>(home - homes.begin()) / sharers];
    }
    for (std::size_t m = 0; m < of_memory.size(); ++m) {
        if (of_memory[m] == 0) continue;
        if (of_memory[m] != sharers)
            throw ConfigError(place, fmt::format("{} are {} of the {} sockets of a memory; whole memories are allowed",
                                                 parts, of_memory[m], sharers));
        memories.emplace_back(m);
    }
    return memories;
}

} // namespace

MemoryChoice memory_choice(const SystemConfig& c) {
    const Place place("system");
    MemoryChoice choice;
    choice.of_arrays = memories_of(c, c.placement.memories, place);
    const bool buffers = copies_by_engines(c);
    if (buffers) choice.of_buffers = memories_of(c, c.copies.host, place);
    choice.all_alike = c.placement.memories.empty() && !buffers;
    return choice;
}

namespace {
/// True if a socket of one of `memories` has an L2.
bool any_memory_behind_l2(const SystemConfig& c, const std::vector<MemoryId>& memories) {
    const std::vector<SocketId> homes = memory_homes(c);
    const unsigned sharers = c.placement.sockets_per_memory;
    return std::any_of(memories.begin(), memories.end(), [&](MemoryId memory) {
        const auto first = homes.begin() + static_cast<std::ptrdiff_t>(memory.value * sharers);
        return std::any_of(first, first + sharers,
                           [&](SocketId home) { return c.socket_at(home.value).l2.has_cache(); });
    });
}
} // namespace

namespace {
void check_permutation(const SystemConfig& c, const Place& place) {
    if (c.placement.policy != PlacementKind::row_permutation) return;
    const auto power_of_two = [](std::size_t n) { return n != 0 && (n & (n - 1)) == 0; };
    if (!power_of_two(c.placement.row_lines))
        throw ConfigError(place.at("row_lines"),
                          fmt::format("{} lines; a power of two is allowed", c.placement.row_lines));
    const std::size_t memories = memory_homes(c).size() / c.placement.sockets_per_memory;
    if (!power_of_two(memories))
        throw ConfigError(place.at("policy"), fmt::format("row_permutation XORs the number of a memory, and there are "
                                                          "{}; a power of two of them is allowed, or another policy",
                                                          memories));
}
} // namespace

void check_memory_choice(const SystemConfig& c, const Place& place) {
    const Place memories = place.at("placement").at("memories"), mode = place.at("copies").at("mode");
    const std::vector<MemoryId> of_arrays = memories_of(c, c.placement.memories, memories);
    const bool engines = copies_by_engines(c);
    if (!c.placement.memories.empty() && c.driver.execution != DriverExecution::none)
        throw ConfigError(memories, "a driver places pages in all memories; no parts are allowed, or driver.execution "
                                    "none");
    if (c.placement.interleaves() && (engines || !c.placement.memories.empty()))
        throw ConfigError(place.at("placement").at("policy"),
                          fmt::format("{} spreads pages over all memories, and not all serve arrays here "
                                      "(placement.memories, copies.mode); another policy is allowed",
                                      kPlacements.name(c.placement.policy)));
    check_permutation(c, place.at("placement"));
    if (c.copies.mode == CopyMode::into_l2 && c.translation.mode != TranslationMode::off)
        throw ConfigError(mode,
                          "L2 holds lines of physical addresses; translation.mode off is allowed, or free copies");
    if (c.copies.mode == CopyMode::into_l2 && !any_memory_behind_l2(c, of_arrays))
        throw ConfigError(mode,
                          "no memory of arrays lies behind an L2 of its own socket (l2.size_kib), so that no copied "
                          "line would be kept; free is allowed, which takes no time either");
    if (!engines) return;
    if (c.copies.host.empty())
        throw ConfigError(place.at("copies").at("host"),
                          "engines copy from and to the host's memories; parts that have "
                          "memory are expected");
    memories_of(c, c.copies.host, place.at("copies").at("host"));
    if (c.translation.mode != TranslationMode::off)
        throw ConfigError(mode, "copy engines use physical addresses; translation.mode off is allowed, or free copies");
}

namespace {
std::vector<GivenPages> given_pages(const SystemConfig& c, const Workload& workload) {
    std::vector<GivenPages> given;
    const std::vector<SocketId> gpus = gpus_of(c);
    const std::vector<std::vector<MemoryId>> near = near_memories(c);
    const std::vector<MemoryId> of_arrays = memory_choice(c).of_arrays;
    const std::uint64_t page = c.placement.page_bytes();
    for (const Range& range : workload.ranges) {
        if (range.gpu == kAnyGpu || range.bytes == 0) continue;
        GivenPages pages{range.base / page, (range.base + range.bytes - 1) / page + 1, {}};
        for (const MemoryId memory : near[gpus.at(range.gpu).value])
            if (std::find(of_arrays.begin(), of_arrays.end(), memory) != of_arrays.end())
                pages.memories.push_back(memory);
        if (pages.memories.empty()) pages.memories = of_arrays; // no memory near it holds arrays
        given.push_back(std::move(pages));
    }
    return given;
}
} // namespace

void check_given_arrays(const SystemConfig& c, const Workload& workload) {
    const std::size_t gpus = gpus_of(c).size();
    for (const Range& range : workload.ranges) {
        if (range.gpu == kAnyGpu) continue;
        if (range.gpu >= gpus)
            throw ConfigError(range.gpu_from,
                              fmt::format("{} has no GPU {}; {} allowed", c.name.empty() ? "the system" : c.name,
                                          range.gpu, gpus == 1 ? "0 is" : fmt::format("0 to {} are", gpus - 1)));
        if (c.driver.execution != DriverExecution::none)
            throw ConfigError(range.gpu_from, "a driver places pages in all memories; a system with driver.execution "
                                              "none is allowed");
        if (c.placement.interleaves())
            throw ConfigError(range.gpu_from,
                              fmt::format("{} spreads pages over all memories; a system with another placement.policy "
                                          "is allowed",
                                          kPlacements.name(c.placement.policy)));
    }
    std::map<std::vector<MemoryId>, std::uint64_t> pages; // by memories, which a GPU shares with none or with all
    for (const GivenPages& given : given_pages(c, workload)) pages[given.memories] += given.end - given.first;
    for (const auto& [memories, count] : pages) {
        const std::uint64_t room = page_table_params(c).room(memories);
        if (count * c.placement.page_bytes() > room)
            throw ConfigError("workload " + workload.name,
                              fmt::format("on_gpu gives {} MiB to memories of {} MiB",
                                          count * c.placement.page_bytes() >> 20, room >> 20));
    }
}

Place capacity_place(const SystemConfig& c, unsigned s, const Place& place) {
    const bool common = &c.socket_at(s) == &c.socket;
    return (common ? place.at("socket") : place.at(c.own_sockets.name_of("socket", s))).at("memory").at("capacity_gib");
}

void check_memory_sizes(const SystemConfig& c, const Place& place) {
    const std::vector<SocketId> homes = memory_homes(c);
    const auto gib = [&](std::size_t i) { return c.socket_at(homes[i].value).memory.capacity_gib; };
    for (std::size_t i = 1; i < homes.size(); ++i) {
        if (gib(i) == gib(0)) continue;
        const auto fail = [&](const std::string& why) {
            throw ConfigError(capacity_place(c, homes[i].value, place).str(),
                              fmt::format("{} GiB, and other memories have {}; {}", gib(i), gib(0), why));
        };
        if (c.placement.interleaves())
            fail(fmt::format("placement.policy {} takes lines from all alike; the same size is allowed, or another "
                             "policy",
                             kPlacements.name(c.placement.policy)));
        if (c.translation.mode != TranslationMode::off)
            fail("with translation table pages lie in all alike; the same size is allowed, or translation.mode off");
        const std::size_t first = i - i % c.placement.sockets_per_memory;
        if (gib(first) != gib(i))
            throw ConfigError(capacity_place(c, homes[i].value, place).str(),
                              fmt::format("{} GiB, and {} of the same memory (placement.sockets_per_memory) has {}; "
                                          "the same size is allowed",
                                          gib(i), c.socket_name(homes[first].value), gib(first)));
    }
}

std::unique_ptr<PagePlacement> system_placement(const SystemConfig& c, const Workload& workload) {
    std::unique_ptr<PagePlacement> policy = make_page_placement(c.placement);
    MemoryChoice choice = memory_choice(c);
    std::vector<GivenPages> given = given_pages(c, workload);
    if (choice.all_alike && given.empty()) return policy;
    const std::uint64_t first_buffer = host_buffer(0, c.placement.address_bits) / c.placement.page_bytes();
    return std::make_unique<ChosenMemories>(std::move(policy), std::move(choice.of_arrays),
                                            std::move(choice.of_buffers), first_buffer, std::move(given));
}

/// A socket without memory has the memories of sockets without SMs, or all if there are none, in equal shares side by
/// side; only those that hold arrays count. What is left over, as the CPU's cubes behind those of the GPUs in UMN, is
/// near nobody. The host's core takes no share, and has all of them near.
std::vector<std::vector<MemoryId>> near_memories(const SystemConfig& c) {
    const unsigned sharers = c.placement.sockets_per_memory;
    const std::vector<SocketId> homes = memory_homes(c);
    const std::vector<MemoryId> of_arrays = memory_choice(c).of_arrays;
    std::vector<MemoryId> shared;
    std::vector<unsigned> without;
    for (const MemoryId memory : of_arrays)
        if (c.socket_at(homes[std::size_t{memory.value} * sharers].value).sms == 0) shared.push_back(memory);
    if (shared.empty()) shared = of_arrays;
    for (unsigned s = 0; s < c.sockets; ++s)
        if (!c.socket_at(s).has_memory() && host_core_socket(c) != SocketId(s)) without.push_back(s);
    std::vector<std::vector<MemoryId>> near(c.sockets);
    for (std::size_t i = 0; i < homes.size(); ++i) near[homes[i].value] = {MemoryId(i / sharers)};
    const std::size_t all = shared.size(), takers = without.size();
    for (std::size_t k = 0; k < takers; ++k) {
        const std::size_t each = std::max<std::size_t>(1, all / takers);
        const std::size_t first = takers <= all ? k * each : k * all / takers, last = first + each;
        near[without[k]].assign(shared.begin() + static_cast<std::ptrdiff_t>(first),
                                shared.begin() + static_cast<std::ptrdiff_t>(last));
    }
    if (const std::optional<SocketId> core = host_core_socket(c)) near[core->value] = shared;
    return near;
}

std::vector<SocketId> gpus_of(const SystemConfig& c) {
    std::vector<SocketId> sockets;
    for (unsigned s = 0; s < c.sockets; ++s)
        if (c.socket_at(s).sms != 0) sockets.emplace_back(s);
    return sockets;
}

std::vector<SocketId> copying_sockets(const SystemConfig& c) {
    return has_copy_engines(c) ? gpus_of(c) : std::vector<SocketId>{};
}

} // namespace numavp
