#include "platform/summary/summary_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "platform/summary/summary_streams.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

std::string span(const std::optional<std::pair<double, double>>& range) {
    if (!range) return kNoNumber;
    const std::string low = fmt::format("{:.0f}", range->first);
    const std::string high = fmt::format("{:.0f}", range->second);
    return low == high ? low : low + ".." + high;
}

std::string local_of(std::optional<std::uint64_t> local, unsigned ways) {
    return local ? fmt::format("{}/{}", *local, ways - std::min<std::uint64_t>(ways, *local)) : kNoNumber;
}

std::string time_text(double ns) {
    constexpr std::array<const char*, 4> kUnits = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    for (; ns >= 1000.0 && unit + 1 < kUnits.size(); ++unit) ns /= 1000.0;
    return fmt::format("{:.4g} {}", ns, kUnits[unit]);
}

std::string energy_text(double pj) {
    constexpr std::array<const char*, 5> kUnits = {"pJ", "nJ", "uJ", "mJ", "J"};
    std::size_t unit = 0;
    for (; pj >= 1000.0 && unit + 1 < kUnits.size(); ++unit) pj /= 1000.0;
    return fmt::format("{:.4g} {}", pj, kUnits[unit]);
}

std::string caches(const RunSummary& s, const Style& style) {
    const bool several = s.sockets.size() > 1;
    std::vector<std::string> header = {"socket", "L1 hits"};
    header.emplace_back(several ? "L2 hits, local" : "L2 hits");
    if (several)
        for (const char* title : {"remote", "from others", "remote loads", "L2 ways", "L1 ways"})
            header.emplace_back(title);
    TextTable table(header);
    for (std::size_t i = 0; i < s.sockets.size(); ++i) {
        const SocketSummary& socket = s.sockets[i];
        table.row({std::to_string(i), percent_of(socket.l1_hit_rate), percent_of(socket.l2_local_hit_rate),
                   percent_of(socket.l2_remote_hit_rate), percent_of(socket.l2_incoming_hit_rate),
                   percent_of(socket.remote_share), local_of(socket.l2_local_ways, socket.l2_ways),
                   local_of(socket.l1_local_ways, socket.l1_ways)});
    }
    const bool partitioned =
        several && std::any_of(s.sockets.begin(), s.sockets.end(),
                               [](const SocketSummary& socket) { return socket.l2_local_ways.has_value(); });
    return heading(partitioned ? "Caches (ways: local/remote at the end)" : "Caches", style) + table.text(style);
}

std::string bandwidth(const RunSummary& s, const Style& style) {
    const bool several = s.sockets.size() > 1;
    std::vector<std::string> header = {"socket", "memory GB/s", "use"};
    if (several)
        for (const char* title : {"link out GB/s", "of", "use", "link in GB/s", "of", "use", "lanes out/in"})
            header.emplace_back(title);
    TextTable table(header);
    for (std::size_t i = 0; i < s.sockets.size(); ++i) {
        const SocketSummary& socket = s.sockets[i];
        const std::string lanes =
            socket.lanes_out && socket.lanes_in ? fmt::format("{}/{}", *socket.lanes_out, *socket.lanes_in) : kNoNumber;
        table.row({std::to_string(i), one_decimal(socket.memory_gbps), percent_of(socket.memory_use),
                   one_decimal(socket.out_gbps), one_decimal(socket.out_could_gbps), percent_of(socket.out_use),
                   one_decimal(socket.in_gbps), one_decimal(socket.in_could_gbps), percent_of(socket.in_use), lanes});
    }
    return heading(several ? "Bandwidth (of a link: of what the lanes that faced this way could carry)" : "Bandwidth",
                   style) +
           table.text(style);
}

std::string latencies(const RunSummary& s, const Style& style) {
    std::vector<std::string> header = {"loads", "lines", "mean ns", "p50", "p99"};
    const bool translated = s.local.translation_ns || s.remote.translation_ns;
    const LatencySummary& longest = s.remote.parts_ns.size() > s.local.parts_ns.size() ? s.remote : s.local;
    for (const auto& [part, ns] : longest.parts_ns)
        header.push_back((header.size() == 5 ? "of the mean: " : "") + part);
    if (translated) header.emplace_back("before it: translation");
    TextTable table(header);
    for (const auto& [name, latency] : {std::pair("local", &s.local), std::pair("remote", &s.remote)}) {
        if (latency->loads == 0) continue;
        std::vector<std::string> row = {name, grouped(latency->loads), one_decimal(latency->mean_ns),
                                        span(latency->p50_ns), span(latency->p99_ns)};
        for (const auto& [part, ns] : latency->parts_ns) row.push_back(one_decimal(ns));
        if (translated) row.push_back(one_decimal(latency->translation_ns));
        table.row(std::move(row));
    }
    if (table.empty()) return "";
    return heading("Latency of loads that missed L1 (percentiles: lowest to highest socket)", style) +
           table.text(style);
}

} // namespace

std::string summary_text(const RunSummary& s, const RunCost& cost, const std::string& place, const Style& style) {
    TextTable head({"", ""}, {true, true});
    head.row({"simulated", fmt::format("{} cycles, {}", grouped(s.cycles), time_text(s.time_ns))});
    head.row({"work", fmt::format("{} kernel{}, {} thread blocks, {} warp instructions, {:.2f} a cycle",
                                  grouped(s.kernels), s.kernels == 1 ? "" : "s", grouped(s.blocks),
                                  grouped(s.warp_instructions), s.ipc().value_or(0.0))});
    head.row({"transactions", fmt::format("{} issued {} {} completed", grouped(s.issued),
                                          s.issued == s.completed ? "=" : "but", grouped(s.completed))});
    if (s.link_energy_pj) head.row({"link energy", energy_text(*s.link_energy_pj)});

    std::string text = style.bold(s.workload + " on " + s.system) + "\n" + head.text(style);
    text += slots_text(s.slots, style);
    if (!s.sockets.empty()) text += caches(s, style) + bandwidth(s, style);
    text += latencies(s, style) + translation_text(s.translation, style);
    if (s.copies) text += copies_text(*s.copies, style);
    if (s.host) text += host_text(*s.host, style);
    if (s.energy) text += energy_table(*s.energy, style);
    if (s.driver) text += driver_text(*s.driver, style);
    text += streams_text(s.streams, style);
    text += fmt::format("\n{} wall time, {} cycles/s, {} warp instructions/s\n", seconds_text(cost.wall_seconds),
                        rate_text(cost.per_second(s.cycles)), rate_text(cost.per_second(s.warp_instructions)));
    text += "results in " + style.bold(place) + "\n";
    return text;
}

} // namespace numavp
