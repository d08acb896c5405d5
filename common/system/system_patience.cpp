#include "common/system/system_patience.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/place_at_path.h"

namespace numavp {

namespace {
constexpr double kCutCycles = 10; // for a line's flits to pass a cut that is at rest

/// A part of the longest wait, and the setting that it comes from.
struct QuietPart {
    const char* setting;
    double cycles;
};

/// Of two ways over links and switch, with what the host adds.
void add_link_parts(const SystemConfig& c, double per_gb, double packet, std::vector<QuietPart>& parts) {
    const auto add = [&](const char* setting, double cycles) { parts.push_back({setting, 2 * cycles}); };
    add("link.latency_cycles", cycles_of_two_links(c).most);
    if (has_network(c)) {
        const double flits = std::ceil(packet / c.network.flit_bytes);
        const NetworkOutline facts = network_outline(c);
        const double core_cycles = static_cast<double>(c.clock_khz) / c.network.noc_khz;
        add(facts.flit_cycles > 1.0 ? "network.links" : "network.channel_ns", facts.most_cycles);
        add(facts.flit_cycles > 1.0 ? "network.links" : "network.noc_khz", flits * facts.flit_cycles * core_cycles);
    } else {
        add("switch.latency_cycles", c.switch_.latency_cycles);
    }
    add("link.lane_gbps", 2 * packet * per_gb / c.link.lane_gbps);
    if (cuts_a_link(c)) add("link.cut", 4 * kCutCycles);
    if (has_network(c) && cuts_a_channel(c.network))
        add("network.cut", network_outline(c).routers * 2 * (kCutCycles + std::ceil(packet / c.network.flit_bytes)));
    if (c.switch_.total_gbps > 0.0 && !has_network(c)) add("switch.total_gbps", packet * per_gb / c.switch_.total_gbps);
    if (c.driver.execution == DriverExecution::none && c.translation.tables != TableHome::host) return;
    add("host.link_latency_cycles", 2.0 * c.host.link_latency_cycles);
    add(c.host.link_gbps < c.host.memory_gbps ? "host.link_gbps" : "host.memory_gbps",
        2 * packet * per_gb / std::min(c.host.link_gbps, c.host.memory_gbps));
    add("host.memory_latency_ns", per_gb * c.host.memory_latency_ns);
    if (!has_driver(c)) return;
    add("driver.latency_us", per_gb * c.driver.latency_us * 1000);
    add("driver.message_cycles", 2.0 * c.driver.faults.message_cycles);
}

/// A bound on the cycles from a request to its response on an idle system: nothing else may happen meanwhile.
std::vector<QuietPart> longest_quiet(const SystemConfig& c, const SocketConfig& socket) {
    const double per_gb = static_cast<double>(c.clock_khz) / 1e6; // cycles for a byte at 1 GB/s
    const double packet = c.packets.padded(kLineBytes + c.packets.header_bytes);
    const L2Config& l2 = socket.l2;
    const MemoryConfig& m = socket.memory;
    const SmConfig& sm = socket.sm;
    const bool translates = c.translation.mode == TranslationMode::full;
    const bool several = c.sockets > 1;
    const double crossings = several ? 4 : 2, slices = several ? 2 : 1;
    const auto& noc = socket.noc;
    const auto core = static_cast<double>(c.clock_khz); // a cycle of another clock is so many of the core's:
    const double of_noc = core / static_cast<double>(socket.noc_khz(c.clock_khz));
    const double of_l2 = core / static_cast<double>(socket.l2_khz(c.clock_khz));
    const double of_sm = core / static_cast<double>(socket.sm_khz(c.clock_khz));
    const bool one_clock = of_noc == 1.0 && of_l2 == 1.0 && of_sm == 1.0;
    const double passages = one_clock ? 0 : several ? 12 : 4; // two for each crossbar, two between slices and links
    const bool slow_requests = noc.request_bytes_per_cycle < noc.response_bytes_per_cycle;
    std::vector<QuietPart> parts = {
        {"socket.sm.first_block_cycles", of_sm * sm.first_block_cycles},
        {"socket.sm.compute_cycles", of_sm * std::max(sm.compute_cycles, sm.shared_cycles)},
        {"socket.sm.l1.hit_cycles",
         of_sm * (sm.l1.hit_cycles + sm.l1.miss_cycles + sm.l1.bypass_cycles + sm.dependent_cycles)},
        {"translation.l2_cycles",
         static_cast<double>(translates ? c.translation.l1_cycles + c.translation.l2_cycles : 0)},
        {"socket.noc.latency_cycles", of_noc * crossings * noc.latency_cycles},
        {slow_requests ? "socket.noc.request_bytes_per_cycle" : "socket.noc.response_bytes_per_cycle",
         of_noc * crossings * packet / std::min(noc.request_bytes_per_cycle, noc.response_bytes_per_cycle)},
        {"socket.l2.miss_cycles",
         of_l2 * slices * (l2.lookup_cycles + l2.hit_cycles + l2.miss_cycles + l2.fill_cycles)},
        {"socket.l2.write_cycles", of_l2 * slices * kLineSectors * std::max(l2.write_cycles, l2.atomic_cycles)},
        {"socket.l2.bytes_per_cycle", of_l2 * slices * packet / l2.bytes_per_cycle},
        {"socket.crossing.edges", passages * (socket.crossing.edges + 1) * std::max({of_sm, of_noc, of_l2, 1.0})}};
    if (m.model != MemoryModel::timed) {
        parts.push_back({"socket.memory.latency_ns", per_gb * m.latency_ns});
        parts.push_back({"socket.memory.bandwidth_gbps", per_gb * packet * m.channels / m.bandwidth_gbps});
    } else {
        const DramTiming& t = m.device.timing;
        const double row = t.ras + t.rp + t.rc + t.rcd,
                     column = std::max(t.cl, t.cwl) + t.burst + t.wr + t.wtr_l + t.rtw;
        const double refresh = m.device.refresh == RefreshKind::none ? 0.0 : t.rfc;
        parts.push_back(
            {"socket.memory.device.timing", (row + column + refresh) * core / static_cast<double>(m.device.clock_khz)});
    }
    if (several) add_link_parts(c, per_gb, packet, parts);
    return parts;
}

/// One access of a socket must not look like a run that is stuck. Which setting is to blame: the patience, if somebody
/// made it less, else what makes the access long.
void check_socket_patience(const SystemConfig& c, const SocketConfig& socket, const std::string& name,
                           const Place& place) {
    const std::vector<QuietPart> parts = longest_quiet(c, socket);
    double sum = 0.0;
    for (const QuietPart& part : parts) sum += part.cycles;
    const double quiet = std::ceil(sum);
    const std::uint64_t patience = c.checks.stuck_cycles;
    if (static_cast<double>(patience) >= quiet) return;
    const auto longer = [](const QuietPart& a, const QuietPart& b) { return a.cycles < b.cycles; };
    const QuietPart& most = *std::max_element(parts.begin(), parts.end(), longer);
    if (patience < ChecksSystemConfig().stuck_cycles)
        throw ConfigError(at_path(place, "checks.stuck_cycles").str(),
                          fmt::format("a run that waits {} cycles would be taken for stuck, but one access may take "
                                      "{:.0f} here, {:.0f} of them by {}; at least that many are allowed",
                                      patience, quiet, most.cycles, most.setting));
    const std::string_view setting = most.setting, common = "socket.";
    const bool of_socket = setting.substr(0, common.size()) == common;
    throw ConfigError(
        (of_socket ? at_path(place.at(name), setting.substr(common.size())) : at_path(place, setting)).str(),
        fmt::format("one access may take {:.0f} cycles, {:.0f} of them by this, and after {} without "
                    "progress (checks.stuck_cycles) a run is taken for stuck; a faster one is allowed, or "
                    "more patience",
                    quiet, most.cycles, patience));
}
} // namespace

void check_patience(const SystemConfig& config, const Place& place) {
    check_socket_patience(config, config.socket, "socket", place);
    for (const auto& one : config.own_sockets.all)
        check_socket_patience(config, one.config, one.key_of("socket"), place);
}

} // namespace numavp
