#include "platform/summary/summary_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "platform/summary/summary_statistics.h"
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

/// A ratio by its figure; of a row of several sockets the mean.
std::optional<double> mean_of_figure(const RunSummary& s, const PartRow& row, const std::string& figure) {
    return row.mean([&](std::size_t i) { return SummaryStatistics(s.sockets[i].ratios, "").real(figure); });
}

/// What became of reads of L2s: each hits, meets its line on the way, or misses. caches() has the hits by whose they
/// are.
std::string l2_reads(const RunSummary& s, const Style& style) {
    TextTable table({s.parts.what, "hits", "on the way", "misses", "on the way: local", "remote", "from others"});
    for (const PartRow& row : part_rows(s.parts)) {
        std::vector<std::string> cells = {row.name};
        for (const char* figure : {"l2_hit_rate", "l2_merged_share", "l2_miss_rate", "l2_local_merged_share",
                                   "l2_remote_merged_share", "l2_incoming_merged_share"})
            cells.push_back(percent_of(mean_of_figure(s, row, figure)));
        const auto empty = [](const std::string& cell) { return cell == kNoNumber; };
        if (!std::all_of(cells.begin() + 1, cells.end(), empty)) table.row(std::move(cells)); // else it has no cache
    }
    return table.empty()
               ? ""
               : heading("Reads of L2s (on the way: hits on lines that are being fetched)", style) + table.text(style);
}

/// Reads of the caches between L2s and memories; empty if the machine has none.
std::string side_caches(const RunSummary& s, const Style& style) {
    TextTable table({s.parts.what, "hits", "on the way", "misses"});
    for (const PartRow& row : part_rows(s.parts)) {
        const std::optional<double> hits = mean_of_figure(s, row, "memory_cache_hit_rate");
        if (!hits) continue;
        table.row({row.name, percent_of(hits), percent_of(mean_of_figure(s, row, "memory_cache_merged_share")),
                   percent_of(mean_of_figure(s, row, "memory_cache_miss_rate"))});
    }
    return table.empty() ? "" : heading("Reads of memory-side caches", style) + table.text(style);
}

std::string caches(const RunSummary& s, const Style& style) {
    const bool several = s.sockets.size() > 1;
    std::vector<std::string> header = {s.parts.what, "L1 hits"};
    header.emplace_back(several ? "L2 hits, local" : "L2 hits");
    if (several)
        for (const char* title : {"remote", "from others", "remote loads", "L2 ways", "L1 ways"})
            header.emplace_back(title);
    else
        for (const char* title : {"on the way", "misses"}) header.emplace_back(title);
    TextTable table(header);
    for (const PartRow& row : part_rows(s.parts)) {
        std::vector<std::string> cells = {row.name};
        for (std::optional<double> SocketSummary::*rate :
             {&SocketSummary::l1_hit_rate, &SocketSummary::l2_local_hit_rate, &SocketSummary::l2_remote_hit_rate,
              &SocketSummary::l2_incoming_hit_rate, &SocketSummary::remote_share})
            cells.push_back(percent_of(row.mean([&](std::size_t i) { return s.sockets[i].*rate; })));
        if (!several) { // all lines are local
            cells.resize(3);
            for (const char* figure : {"l2_merged_share", "l2_miss_rate"})
                cells.push_back(percent_of(mean_of_figure(s, row, figure)));
            table.row(std::move(cells));
            continue;
        }
        const SocketSummary& one = s.sockets[row.first];
        cells.push_back(row.count == 1 ? local_of(one.l2_local_ways, one.l2_ways) : kNoNumber);
        cells.push_back(row.count == 1 ? local_of(one.l1_local_ways, one.l1_ways) : kNoNumber);
        const auto empty = [](const std::string& cell) { return cell == kNoNumber; };
        if (std::all_of(cells.begin() + 1, cells.end(), empty)) continue; // no cache
        table.row(std::move(cells));
    }
    const bool partitioned =
        several && std::any_of(s.sockets.begin(), s.sockets.end(),
                               [](const SocketSummary& socket) { return socket.l2_local_ways.has_value(); });
    return heading(partitioned ? "Caches (ways: local/remote at the end)" : "Caches", style) + table.text(style) +
           (several ? l2_reads(s, style) : "") + side_caches(s, style);
}

/// Row of the memory that was used most, where a part has many.
PartRow fullest(const RunSummary& s, const PartRow& row) {
    std::size_t most = row.first;
    for (std::size_t i = row.first; i < row.first + row.count; ++i)
        if (s.sockets[i].memory_use.value_or(0) > s.sockets[most].memory_use.value_or(0)) most = i;
    return {s.parts.each[most] + ", most memory", most, 1};
}

std::vector<std::string> bandwidth_row(const RunSummary& s, const PartRow& row) {
    std::vector<std::string> cells = {row.name};
    const auto mean = [&](std::optional<double> SocketSummary::*value) {
        return row.mean([&](std::size_t i) { return s.sockets[i].*value; });
    };
    using Value = std::optional<double> SocketSummary::*;
    for (const auto& [gbps, could, use] :
         {std::tuple<Value, Value, Value>{&SocketSummary::memory_gbps, nullptr, &SocketSummary::memory_use},
          {&SocketSummary::out_gbps, &SocketSummary::out_could_gbps, &SocketSummary::out_use},
          {&SocketSummary::in_gbps, &SocketSummary::in_could_gbps, &SocketSummary::in_use}}) {
        cells.push_back(one_decimal(mean(gbps)));
        if (could != nullptr) cells.push_back(one_decimal(mean(could)));
        cells.push_back(percent_of(mean(use)));
    }
    const SocketSummary& one = s.sockets[row.first];
    cells.push_back(row.count == 1 && one.lanes_out && one.lanes_in
                        ? fmt::format("{}/{}", *one.lanes_out, *one.lanes_in)
                        : kNoNumber);
    return cells;
}

std::string bandwidth(const RunSummary& s, const Style& style) {
    const bool several = s.sockets.size() > 1;
    std::vector<std::string> header = {s.parts.what, "memory GB/s", "use"};
    if (several)
        for (const char* title : {"link out GB/s", "of", "use", "link in GB/s", "of", "use", "lanes out/in"})
            header.emplace_back(title);
    TextTable table(header);
    for (const PartRow& row : part_rows(s.parts)) {
        table.row(bandwidth_row(s, row));
        if (row.count > 1 && s.sockets[row.first].memory_use) table.row(bandwidth_row(s, fullest(s, row)));
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
    if (s.link_energy_pj && (!s.network || *s.link_energy_pj != 0))
        head.row({"link energy", energy_text(*s.link_energy_pj)});
    if (s.faults) head.row({"link faults", fault_words(*s.faults)});

    std::string text = style.bold(s.workload + " on " + s.system) + "\n" + verdict_text(s.verdict) + head.text(style);
    if (!s.caveats.empty()) text += "  " + caveats_text(s.caveats) + "\n";
    text += slots_text(s.slots, s.parts, style);
    if (!s.sockets.empty()) text += caches(s, style) + bandwidth(s, style);
    if (s.network) text += network_text(*s.network, style);
    text += latencies(s, style) + translation_text(s.translation, s.parts, style);
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
