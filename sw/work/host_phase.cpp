#include "sw/work/host_phase.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace numavp {

namespace {
std::uint64_t part_of(std::uint64_t whole, double part) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(whole) * part));
}
} // namespace

void HostEntry::validate(const Place& place) {
    given = true;
    if (instructions == 0)
        throw ConfigError(place.at("instructions"), "an item has no instructions; 1 or more are expected");
    if (flops > instructions)
        throw ConfigError(place.at("flops"), fmt::format("{} flops in {} instructions of an item; as many are allowed, "
                                                         "or fewer",
                                                         flops, instructions));
    if (chain > flops || (chain != 0 && dependence != HostDependence::sum))
        throw ConfigError(place.at("chain"),
                          fmt::format("{} of {} flops of an item; as many are allowed with dependence "
                                      "sum, or fewer, and 0 else",
                                      chain, flops));
    if (accesses.empty() && items == 0)
        throw ConfigError(place.at("items"), "a phase without accesses has no array that says how many items there "
                                             "are; 1 or more are expected");
    std::uint64_t least = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const HostAccessEntry& access = accesses[i];
        const Place here = place.at("accesses").at(i);
        least += access.way == HostWay::update ? 2 : 1;
        if (access.array.empty()) throw ConfigError(here, "an access has no 'array', which it must have");
        if (access.stride_bytes != 0 && access.stride_bytes < access.element_bytes)
            throw ConfigError(here.at("stride_bytes"),
                              fmt::format("{} bytes are less than an element of {}; as many are allowed, or more, or 0",
                                          access.stride_bytes, access.element_bytes));
    }
    if (instructions < least)
        throw ConfigError(place.at("instructions"), fmt::format("{} instructions of an item with {} loads and stores; "
                                                                "as many are allowed, or more",
                                                                instructions, least));
    if (dependence == HostDependence::chase && (accesses.empty() || accesses.front().way == HostWay::write))
        throw ConfigError(place.at("dependence"), "a chase follows what its first access reads; one that reads is "
                                                  "expected first");
    if (dependence == HostDependence::sum && flops == 0)
        throw ConfigError(place.at("dependence"), "a sum is a chain of flops, and items have none; 1 or more are "
                                                  "expected");
}

std::uint64_t HostAccess::steps() const {
    if (bytes < element_bytes) return 0;
    return std::max<std::uint64_t>(1, bytes / stride_bytes);
}

std::uint64_t HostAccess::address(std::uint64_t item, const Rng& draws) const {
    const std::uint64_t all = std::max<std::uint64_t>(steps(), 1);
    const std::uint64_t step = order == HostOrder::random ? draws.at(item) % all : item % all;
    const std::uint64_t pass = order == HostOrder::random ? 0 : item / all;
    const std::uint64_t places = std::min(stride_bytes, bytes) / element_bytes; // of elements in a stride
    return base + step * stride_bytes + pass % places * element_bytes;
}

bool HostPhase::writes() const {
    return std::any_of(accesses.begin(), accesses.end(), [](const HostAccess& a) { return a.writes(); });
}

std::uint64_t HostPhase::accessed_bytes() const {
    std::uint64_t sum = 0;
    for (const HostAccess& a : accesses) sum += items * a.element_bytes * (a.way == HostWay::update ? 2 : 1);
    return sum;
}

HostPhase make_host_phase(const HostEntry& entry, std::vector<HostAccess> placed, double scale, double share,
                          const Place& place) {
    HostPhase phase;
    phase.name = entry.name;
    phase.instructions = entry.instructions;
    phase.flops = entry.flops;
    phase.dependence = entry.dependence;
    // Flops that depend on nothing but what was read: one behind the other no more than once.
    phase.chain = std::min<std::uint64_t>(phase.flops, 1);
    if (entry.dependence == HostDependence::sum) phase.chain = entry.chain == 0 ? entry.flops : entry.chain;
    const double done = std::min(share, 1.0);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        HostAccess& access = placed[i];
        const HostAccessEntry& said = entry.accesses[i];
        access.element_bytes = said.element_bytes;
        access.stride_bytes = said.stride_bytes == 0 ? said.element_bytes : said.stride_bytes;
        access.way = said.way;
        access.order = said.order;
        const std::uint64_t whole = access.bytes;
        if (whole < access.element_bytes)
            throw ConfigError(place.at("accesses").at(i).at("element_bytes"),
                              fmt::format("{} bytes of the {} of {}; no more than these are allowed",
                                          access.element_bytes, whole, said.array));
        // Random elements are drawn from all of it: fewer draws, the same footprint.
        const double part = said.share * (said.order == HostOrder::random ? 1.0 : done);
        access.bytes = std::max<std::uint64_t>(access.element_bytes, part_of(whole, part));
    }
    const bool drawn = !placed.empty() && placed.front().order == HostOrder::random;
    std::uint64_t items = 0;
    if (entry.items != 0)
        items = part_of(part_of(entry.items, scale), done);
    else
        items = drawn ? part_of(placed.front().steps(), done) : placed.front().steps();
    // Times and numbers of elements are made of it: far below 64 bits.
    constexpr double kMostInstructions = 9e15;
    if (static_cast<double>(items) * static_cast<double>(entry.passes) * static_cast<double>(phase.instructions) >
        kMostInstructions)
        throw ConfigError(place,
                          fmt::format("{} items of {} instructions in {} passes are more than {:.0f} instructions; "
                                      "fewer are expected",
                                      items, phase.instructions, entry.passes, kMostInstructions));
    phase.items = items * entry.passes;
    phase.accesses = std::move(placed);
    return phase;
}

} // namespace numavp
