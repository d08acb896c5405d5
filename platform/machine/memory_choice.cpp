#include "platform/machine/memory_choice.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/copy/host_copies.h"
#include "models/paging/page_placement.h"
#include "platform/machine/build.h"
#include "platform/machine/host_core_build.h"
#include "platform/machine/system_config.h"

namespace numavp {

namespace {

/// The memories of parts; all if `parts` is empty.
std::vector<SocketId> memories_of(const SystemConfig& c, const std::string& parts, const Place& place) {
    const std::vector<SocketId> homes = memory_homes(c);
    const unsigned sharers = c.placement.sockets_per_memory;
    std::vector<SocketId> memories;
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

void check_memory_choice(const SystemConfig& c, const Place& place) {
    const Place memories = place.at("placement").at("memories"), mode = place.at("copies").at("mode");
    memories_of(c, c.placement.memories, memories);
    const bool engines = copies_by_engines(c);
    if (!c.placement.memories.empty() && c.driver.execution != DriverExecution::none)
        throw ConfigError(memories, "a driver places pages in all memories; no parts are allowed, or driver.execution "
                                    "none");
    if (c.placement.policy == PlacementKind::line_interleave && (engines || !c.placement.memories.empty()))
        throw ConfigError(place.at("placement").at("policy"),
                          "line_interleave spreads pages over all memories, and not all serve arrays here "
                          "(placement.memories, copies.mode); another policy is allowed");
    if (!engines) return;
    if (c.copies.host.empty())
        throw ConfigError(place.at("copies").at("host"),
                          "engines copy from and to the host's memories; parts that have "
                          "memory are expected");
    memories_of(c, c.copies.host, place.at("copies").at("host"));
    if (c.translation.mode != TranslationMode::off)
        throw ConfigError(mode, "copy engines use physical addresses; translation.mode off is allowed, or free copies");
}

std::unique_ptr<PagePlacement> system_placement(const SystemConfig& c) {
    std::unique_ptr<PagePlacement> policy = make_page_placement(c.placement);
    MemoryChoice choice = memory_choice(c);
    if (choice.all_alike) return policy;
    const std::uint64_t first_buffer = host_buffer(0, c.placement.address_bits) / c.placement.page_bytes();
    return std::make_unique<ChosenMemories>(std::move(policy), std::move(choice.of_arrays),
                                            std::move(choice.of_buffers), first_buffer);
}

/// A socket without memory has the memories of sockets without SMs, or all if there are none, in equal shares side by
/// side; only those that hold arrays count. The host's core takes no share, and has all of them near.
std::vector<std::vector<SocketId>> near_memories(const SystemConfig& c) {
    const unsigned sharers = c.placement.sockets_per_memory;
    const std::vector<SocketId> homes = memory_homes(c);
    const std::vector<SocketId> of_arrays = memory_choice(c).of_arrays;
    std::vector<SocketId> shared;
    std::vector<unsigned> without;
    for (const SocketId memory : of_arrays)
        if (c.socket_at(homes[std::size_t{memory.value} * sharers].value).sms == 0) shared.push_back(memory);
    if (shared.empty()) shared = of_arrays;
    for (unsigned s = 0; s < c.sockets; ++s)
        if (!c.socket_at(s).has_memory() && host_core_socket(c) != SocketId(s)) without.push_back(s);
    std::vector<std::vector<SocketId>> near(c.sockets);
    for (std::size_t i = 0; i < homes.size(); ++i) near[homes[i].value] = {SocketId(i / sharers)};
    const std::size_t all = shared.size(), takers = without.size();
    for (std::size_t k = 0; k < takers; ++k) {
        const std::size_t first = k * all / takers, last = std::max(first + 1, (k + 1) * all / takers);
        near[without[k]].assign(shared.begin() + static_cast<std::ptrdiff_t>(first),
                                shared.begin() + static_cast<std::ptrdiff_t>(last));
    }
    if (const std::optional<SocketId> core = host_core_socket(c)) near[core->value] = shared;
    return near;
}

std::vector<SocketId> copying_sockets(const SystemConfig& c) {
    std::vector<SocketId> sockets;
    if (!copies_by_engines(c)) return sockets;
    for (unsigned s = 0; s < c.sockets; ++s)
        if (c.socket_at(s).sms != 0) sockets.emplace_back(s);
    return sockets;
}

} // namespace numavp
