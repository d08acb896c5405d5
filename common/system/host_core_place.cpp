#include "common/system/host_core_place.h"

#include <fmt/format.h>

namespace numavp {

namespace {
void check_sets(const Place& place, unsigned kib, unsigned ways) {
    const unsigned set_bytes = ways * kLineBytes;
    if (kib * 1024 % set_bytes != 0)
        throw ConfigError(place, fmt::format("{} KiB in {} ways are no whole sets of 128-byte lines; a multiple of {} "
                                             "bytes is allowed",
                                             kib, ways, set_bytes));
}
} // namespace

std::optional<SocketId> host_core_socket(const SystemConfig& c) {
    if (!c.host_core.given()) return std::nullopt;
    return SocketId(WiredParts(c).find(c.host_core.part, Place("system").at("host_core").at("part")).front());
}

void check_host_core(const SystemConfig& c, const Place& place) {
    if (!c.host_core.given()) return;
    const Place core = place.at("host_core"), part = core.at("part");
    const WiredParts parts(c);
    const std::vector<unsigned> found = parts.find(c.host_core.part, part);
    if (found.size() != 1)
        throw ConfigError(part, fmt::format("{} are {} parts; the one that is the core's is expected", c.host_core.part,
                                            found.size()));
    const unsigned socket = found.front();
    if (socket >= c.sockets)
        throw ConfigError(part, fmt::format("{} is a router alone, at which nothing begins; a socket is allowed",
                                            parts.label(socket)));
    const SocketConfig& own = c.socket_at(socket);
    if (own.sms != 0 || own.has_memory())
        throw ConfigError(part, fmt::format("{} has {}; a socket that is the core's alone is allowed, with sms 0 and "
                                            "memory.capacity_gib 0",
                                            parts.label(socket), own.sms != 0 ? "SMs" : "a memory"));
    if (c.translation.mode != TranslationMode::off)
        throw ConfigError(part, "the host's core uses physical addresses; translation.mode off is allowed, or no core");
    check_sets(core.at("l1_kib"), c.host_core.l1_kib, c.host_core.l1_ways);
    check_sets(core.at("l2_kib"), c.host_core.l2_kib, c.host_core.l2_ways);
}

} // namespace numavp
