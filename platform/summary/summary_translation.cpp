#include "platform/summary/summary_translation.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/results/ratio_values.h"
#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

/// Mean of a histogram of picoseconds, in ns.
std::optional<double> mean_ns_of(const SummaryStatistics& s, const std::string& histogram) {
    const std::optional<double> ps = ratio(s.real(histogram + ".sum"), s.real(histogram + ".count"));
    return ps ? std::optional<double>(*ps / 1e3) : std::nullopt;
}

std::optional<HostLinkSummary> host_link(const ordered_json& results, const std::string& way, double ns, double gbps) {
    const auto bytes = SummaryStatistics(results, "statistics.host.link.").real(way + ".bytes");
    if (!bytes) return std::nullopt;
    const std::optional<double> rate = ratio(until_the_end(results, "host.link." + way + "_bytes", bytes), ns);
    return HostLinkSummary{rate, ratio(rate, gbps)};
}

ordered_json json_of(const std::optional<HostLinkSummary>& link) {
    if (!link) return ordered_json();
    return {{"gbps", number(link->gbps)}, {"use", number(link->use)}};
}

std::string link_text(const HostLinkSummary& link) {
    return fmt::format("{} GB/s ({})", one_decimal(link.gbps), percent_of(link.use));
}

} // namespace

std::vector<TranslationSummary> summarise_translation(const SystemConfig& config, const ordered_json& statistics,
                                                      const RatioValues& ratios) {
    std::vector<TranslationSummary> sockets;
    if (config.translation.mode == TranslationMode::off) return sockets;
    for (unsigned i = 0; i < config.sockets; ++i) {
        const std::string owner = fmt::format("socket{}", i);
        const SummaryStatistics s(statistics, owner + ".");
        TranslationSummary out;
        if (config.translation.mode == TranslationMode::full) out.l1_tlb_hit_rate = ratios.of("mmu.l1_hit_rate", owner);
        out.l2_tlb_hit_rate = ratios.of("mmu.l2_hit_rate", owner);
        out.walks = s.count("mmu.walks").value_or(0);
        out.waits = s.count("mmu.wait_ps.count").value_or(0);
        out.faults = s.count("mmu.faults").value_or(0);
        out.walk_ns = mean_ns_of(s, "mmu.walk_ps");
        out.wait_ns = mean_ns_of(s, "mmu.wait_ps");
        sockets.push_back(out);
    }
    return sockets;
}

std::optional<DriverSummary> summarise_driver(const SystemConfig& config, const ordered_json& results, double ns) {
    const SummaryStatistics s(results, "statistics.host.");
    if (config.driver.execution == DriverExecution::none || s.group("faults") == nullptr) return std::nullopt;
    DriverSummary out;
    out.faults = s.count("faults.done").value_or(0);
    const auto in_ns = [&](const std::string& path, double per) {
        const std::optional<double> ps = out.faults == 0 ? std::nullopt : s.real("faults.latency." + path);
        return ps ? std::optional<double>(*ps / per / 1e3) : std::nullopt;
    };
    const auto faults = static_cast<double>(out.faults);
    out.mean_ns = in_ns("total_ps", faults);
    out.p50_ns = in_ns("p50_ps", 1.0);
    out.p99_ns = in_ns("p99_ps", 1.0);
    out.max_ns = in_ns("max_ps", 1.0);
    for (const char* part : {"arrival", "queue", "handling", "replay"})
        if (const auto mean = in_ns(fmt::format("parts.{}_ps", part), faults)) out.parts_ns.emplace_back(part, *mean);
    out.busy = ratio(s.real("core.busy_ps"), ns * 1e3);
    out.migrations = s.count("faults.invalidations").value_or(0);
    out.notes = s.count("faults.notes").value_or(0);
    out.replicas = s.count("faults.replicas");
    out.replicas_dropped = s.count("faults.replicas_dropped");
    out.collapses = s.count("faults.collapses");
    out.copies = s.count("copy_engine.copies").value_or(0);
    out.copied_bytes = s.count("copy_engine.copied_bytes").value_or(0);
    out.fills = s.count("copy_engine.fills").value_or(0);
    out.filled_bytes = s.count("copy_engine.filled_bytes").value_or(0);
    out.link_out = host_link(results, "out", ns, config.host.link_gbps);
    out.link_in = host_link(results, "in", ns, config.host.link_gbps);
    return out;
}

ordered_json json_of(const TranslationSummary& t) {
    return {{"l1_tlb_hit_rate", number(t.l1_tlb_hit_rate)},
            {"l2_tlb_hit_rate", number(t.l2_tlb_hit_rate)},
            {"walks", t.walks},
            {"walk_ns", number(t.walk_ns)},
            {"waits", t.waits},
            {"wait_ns", number(t.wait_ns)},
            {"faults", t.faults}};
}

ordered_json json_of(const DriverSummary& d) {
    ordered_json out = {{"faults", d.faults},         {"mean_ns", number(d.mean_ns)},
                        {"p50_ns", number(d.p50_ns)}, {"p99_ns", number(d.p99_ns)},
                        {"max_ns", number(d.max_ns)}, {"parts_ns", ordered_json::object()}};
    for (const auto& [part, ns] : d.parts_ns) out["parts_ns"][part] = ns;
    out.update({{"busy", number(d.busy)},
                {"migrations", d.migrations},
                {"notes", d.notes},
                {"copies", d.copies},
                {"copied_bytes", d.copied_bytes},
                {"fills", d.fills},
                {"filled_bytes", d.filled_bytes},
                {"host_link_out", json_of(d.link_out)},
                {"host_link_in", json_of(d.link_in)}});
    if (d.replicas)
        out.update({{"replicas", *d.replicas},
                    {"replicas_dropped", d.replicas_dropped.value_or(0)},
                    {"collapses", d.collapses.value_or(0)}});
    return out;
}

std::string translation_text(const std::vector<TranslationSummary>& sockets, const PartNames& names,
                             const Style& style) {
    if (sockets.empty()) return "";
    TextTable table(
        {names.what, "L1 TLB hits", "L2 TLB hits", "walks", "mean ns", "waits for a page", "mean ns", "faults"});
    for (std::size_t i = 0; i < sockets.size(); ++i) {
        const TranslationSummary& t = sockets[i];
        table.row({names.each[i], percent_of(t.l1_tlb_hit_rate), percent_of(t.l2_tlb_hit_rate), grouped(t.walks),
                   one_decimal(t.walk_ns), grouped(t.waits), one_decimal(t.wait_ns), grouped(t.faults)});
    }
    return heading("Translation", style) + table.text(style);
}

std::string driver_text(const DriverSummary& d, const Style& style) {
    std::string text;
    if (d.faults != 0) {
        std::vector<std::string> header = {"faults", "mean ns", "p50", "p99", "max"};
        std::vector<std::string> row = {grouped(d.faults), one_decimal(d.mean_ns), one_decimal(d.p50_ns),
                                        one_decimal(d.p99_ns), one_decimal(d.max_ns)};
        for (const auto& [part, ns] : d.parts_ns) {
            header.push_back((header.size() == 5 ? "of the mean: " : "") + part);
            row.push_back(one_decimal(ns));
        }
        TextTable table(header);
        table.row(row);
        text += heading("Page faults, from the walk that found none to the sockets' replay", style) + table.text(style);
    }
    TextTable table({"", ""}, {true, true});
    table.row({"busy with faults", percent_of(d.busy) + " of the time"});
    table.row({d.replicas ? "taken out of caches" : "migrations",
               fmt::format("{} pages, {} notes of remote accesses", grouped(d.migrations), grouped(d.notes))});
    if (d.replicas)
        table.row({"replicas", fmt::format("{} made, {} given up; {} pages gave up all at once", grouped(*d.replicas),
                                           grouped(d.replicas_dropped.value_or(0)), grouped(d.collapses.value_or(0)))});
    table.row({"copies", fmt::format("{} of {}, and {} fills of {}", grouped(d.copies), bytes_text(d.copied_bytes),
                                     grouped(d.fills), bytes_text(d.filled_bytes))});
    if (d.link_out && d.link_in)
        table.row({"host link", fmt::format("out {}, in {}", link_text(*d.link_out), link_text(*d.link_in))});
    return text + heading("Driver", style) + table.text(style);
}

} // namespace numavp
