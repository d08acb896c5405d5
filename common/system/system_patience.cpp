#include "common/system/system_patience.h"

#include <algorithm>
#include <cmath>

#include "common/system/derived.h"

namespace numavp {

namespace {

/// From one socket to another and back, through links and switch or network.
double cycles_between_sockets(const SystemConfig& c, double packet, double ghz) {
    double link = 0; // the slowest, which a packet passes twice each way
    for (unsigned s = 0; s < c.sockets; ++s) link = std::max(link, c.link_at(s).idle_cycles(packet, ghz));
    const double host = has_host_memory(c) ? c.host.idle_cycles(packet, ghz) : 0;
    if (!has_network(c)) return 4 * link + 2 * c.switch_.idle_cycles(packet, ghz) + host;
    const NetworkOutline network = network_outline(c);
    const double flits = std::ceil(packet / c.network.flit_bytes) * network.flit_cycles;
    const double core_cycles = static_cast<double>(c.clock_khz) / static_cast<double>(c.network.noc_khz);
    const double cut = cuts_a_channel(c.network) ? 2 * (idle_cut_cycles(LinkCutKind::flits) + flits) : 0;
    return 4 * link + 2 * (network.most_cycles + core_cycles * (flits + network.routers * cut)) + host;
}

/// Largest value of a term among the sockets.
template <class Term> double most(const SystemConfig& c, Term term) {
    double largest = 0;
    for (const SocketGroup& group : socket_groups(c)) largest = std::max<double>(largest, term(*group.config));
    return largest;
}

/// In the socket of the SM that begins it and in that of the memory.
double cycles_in_sockets(const SystemConfig& c, double packet, double ghz) {
    const bool several = end_count(c) > 1;
    const double crossbars = several ? 4 : 2, slices = several ? 2 : 1;
    const double clocks = several ? 12 : 4; // two for each crossbar, two between slices and links
    const auto of = [&](std::uint64_t khz) { return static_cast<double>(c.clock_khz) / static_cast<double>(khz); };
    const auto of_sm = [&](const SocketConfig& s) { return of(s.sm_khz(c.clock_khz)); };
    const auto of_noc = [&](const SocketConfig& s) { return of(s.noc_khz(c.clock_khz)); };
    const auto of_l2 = [&](const SocketConfig& s) { return of(s.l2_khz(c.clock_khz)); };
    return most(c, [&](const auto& s) { return of_sm(s) * s.sm.idle_cycles(); }) +
           most(c, [&](const auto& s) { return of_noc(s) * s.noc.idle_cycles(packet, kLineSectors); }) * crossbars +
           most(c, [&](const auto& s) { return of_l2(s) * s.l2.idle_cycles(packet); }) * slices +
           most(c, [&](const auto& s) { return of_l2(s) * s.memory.cache.idle_cycles(packet); }) +
           most(c,
                [&](const auto& s) {
                    return std::max({of_sm(s), of_noc(s), of_l2(s), 1.0}) * s.crossing.idle_edges();
                }) *
               clocks +
           most(c, [&](const auto& s) { return ghz * s.memory.idle_ns(packet); });
}

} // namespace

Cycle idle_cycles(const SystemConfig& c) {
    const double ghz = static_cast<double>(c.clock_khz) / 1e6;
    const double packet = c.packets.padded(kLineBytes + c.packets.header_bytes);
    const double between = end_count(c) > 1 ? cycles_between_sockets(c, packet, ghz) : 0;
    return static_cast<Cycle>(std::ceil(cycles_in_sockets(c, packet, ghz) + between + c.translation.idle_cycles() +
                                        c.dispatch.idle_cycles() + c.driver.idle_cycles(ghz)));
}

} // namespace numavp
