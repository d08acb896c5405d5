#include "common/system/reduction_units.h"

#include <algorithm>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "common/system/place_at_path.h"
#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

unsigned reduction_units(const SystemConfig& c) {
    unsigned sum = 0;
    for (const PartSystemConfig& part : c.parts)
        if (part.kind == PartKind::reduction) sum += part.count;
    return sum;
}

unsigned first_reduction_unit(const SystemConfig& c) { return c.sockets + (has_host_memory(c) ? 1U : 0U); }

void check_reduction(const SystemConfig& c, const Place& place) {
    const auto fail = [&](const char* where, const std::string& what) {
        throw ConfigError(at_path(place, where).str(), what);
    };
    const unsigned units = reduction_units(c);
    if (units == 0) {
        if (c.reduction.given())
            fail("reduction.entries",
                 fmt::format("{} entries, and no part is a reduction unit; 0 is allowed, or a part "
                             "of the kind reduction",
                             c.reduction.entries));
        return;
    }
    if (!c.reduction.given())
        fail("reduction.entries", "there are reduction units, whose tables have no entry; 1 or more are expected");
    if (c.network.topology != FabricKind::wires)
        fail("network.topology", fmt::format("{} has no place for reduction units; the topology wires is allowed",
                                             kFabrics.name(c.network.topology)));
    if (c.translation.mode != TranslationMode::off)
        fail("translation.mode", "TLBs and walkers know no multicast arrays, which reduction units serve; off is "
                                 "allowed, or a machine without such units");
    if (c.placement.sockets_per_memory != 1)
        fail("placement.sockets_per_memory", "a reduction unit stands for whole memories; 1 is allowed");
    if (c.placement.interleaves())
        fail("placement.policy", fmt::format("{} spreads lines over all memories, and a reduction unit adds up arrays "
                                             "of one each; another policy is allowed",
                                             kPlacements.name(c.placement.policy)));
    for (const SocketGroup& group : socket_groups(c))
        if (group.config->sms != 0 && group.config->l2.role().remote != RemoteLines::none)
            throw ConfigError(place.at(group.name()).at("l2").at("organisation"),
                              fmt::format("{} keeps lines of others, and sums that a switch forms may not be kept; "
                                          "memory_side is allowed",
                                          kL2Organisations.name(group.config->l2.organisation)));
}

void check_reduction_wires(const WiredParts& parts, const SystemConfig& c, const NetworkGraph& graph,
                           const Place& place) {
    const auto joined = [&](unsigned a, unsigned b) {
        return std::any_of(graph.channels.begin(), graph.channels.end(),
                           [&](const NetworkChannel& channel) { return channel.from == a && channel.to == b; });
    };
    const unsigned first = first_reduction_unit(c);
    for (unsigned unit = first; unit < first + reduction_units(c); ++unit) {
        const auto out = std::find_if(graph.channels.begin(), graph.channels.end(),
                                      [&](const NetworkChannel& channel) { return channel.from == unit; });
        if (out == graph.channels.end())
            throw ConfigError(
                place, fmt::format("no wire leads to {}; one or more to a router are expected", parts.label(unit)));
        const unsigned hub = out->to;
        for (const NetworkChannel& channel : graph.channels)
            if (channel.from == unit && (channel.to != hub || parts.kind_of(hub) != PartKind::router))
                throw ConfigError(place, fmt::format("{} is wired to {}, and a reduction unit hangs on one router "
                                                     "alone, its switch; wires to that are allowed",
                                                     parts.label(unit), parts.label(channel.to)));
        for (unsigned s = 0; s < c.sockets; ++s)
            if (c.socket_at(s).sms != 0 && !joined(s, hub))
                throw ConfigError(place, fmt::format("{} has SMs and no wire to {}, on which {} hangs; one is expected",
                                                     parts.label(s), parts.label(hub), parts.label(unit)));
    }
}

MulticastMap multicast_map(const SystemConfig& c, const Workload& workload) {
    const unsigned units = reduction_units(c);
    MulticastMap map({first_reduction_unit(c), units, address_map(c).socket_shift}, c.placement.page_bytes());
    const std::vector<SocketId> gpus = gpus_of(c);
    for (const Range& range : workload.ranges) {
        if (!range.multicast()) continue;
        const auto fail = [&](const std::string& what) {
            throw ConfigError("workload " + workload.name, fmt::format("array {} {}", range.name, what));
        };
        if (range.gpu != kAnyGpu)
            throw ConfigError(range.gpu_from, "it stands for arrays of several GPUs, which have places of their own; "
                                              "leave it out");
        if (units == 0)
            fail(fmt::format("is read as a sum that a switch forms, and {} has no part of the kind reduction; another "
                             "algorithm is allowed, or a system with one, such as dgx-h100-nvls",
                             c.name));
        MulticastArray array{range.base, range.bytes, range.element, {}};
        for (const std::size_t index : range.members) {
            const Range& member = workload.ranges[index];
            if (member.gpu >= gpus.size())
                fail(fmt::format("stands for {}, which lies on no GPU alone; on_gpu is expected to give it to one",
                                 member.name));
            array.members.push_back({member.base, gpus[member.gpu]});
        }
        map.add(std::move(array));
    }
    return map;
}

} // namespace numavp
