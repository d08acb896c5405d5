#include "platform/summary/summary.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "platform/results/ratio_values.h"
#include "platform/results/stream_rows.h"
#include "platform/summary/summary_statistics.h"

namespace numavp {
namespace {

SocketSummary summarise_socket(const SystemConfig& config, const ordered_json& results, const RatioValues& ratios,
                               unsigned socket) {
    const std::string owner = fmt::format("socket{}", socket);
    const SummaryStatistics s(results.at("statistics"), owner + ".");
    const SocketConfig& own = config.socket_at(socket);
    const auto of = [&](const char* name) { return ratios.of(name, owner); };
    SocketSummary out;
    out.ratios = ratios_json(ratios, owner);
    out.l1_hit_rate = of("l1.hit_rate");
    out.l2_local_hit_rate = of("l2.local.hit_rate");
    out.l2_remote_hit_rate = of("l2.remote.hit_rate");
    out.l2_incoming_hit_rate = of("l2.incoming.hit_rate");
    out.remote_share = of("remote_share");
    out.memory_gbps = of("memory.gbps");
    if (own.has_memory()) out.memory_use = ratio(out.memory_gbps, memory_speed(config, own).gbps);
    const auto could = [&](const std::string& way) -> std::optional<double> {
        const auto lane_cycles = s.real("link." + way + ".lane_cycles");
        const auto cycles = results.at("cycles").get<double>();
        return lane_cycles ? ratio(*lane_cycles * config.link.lane_gbps, cycles) : std::nullopt;
    };
    out.out_gbps = of("link.gbps");
    out.out_could_gbps = could("out");
    out.out_use = ratio(out.out_gbps, out.out_could_gbps);
    out.in_gbps = of("link.in_gbps");
    out.in_could_gbps = could("in");
    out.in_use = ratio(out.in_gbps, out.in_could_gbps);
    out.lanes_out = s.count("link.lanes_out");
    out.lanes_in = s.count("link.lanes_in");
    out.l2_ways = own.l2.ways;
    out.l1_ways = own.sm.l1.ways;
    if (own.l2.role().ways == WayRule::quotas) {
        out.l2_local_ways = s.count("ways.l2_local");
        if (own.partition.l1) out.l1_local_ways = s.count("ways.l1_local");
    }
    return out;
}

void widen(std::optional<std::pair<double, double>>& range, std::optional<double> ps) {
    if (!ps) return;
    const double ns = *ps / 1e3;
    if (!range) range = {ns, ns};
    range = {std::min(range->first, ns), std::max(range->second, ns)};
}

/// In the order of a load's way; what is not known here comes last.
void order_parts(std::vector<std::pair<std::string, double>>& parts) {
    constexpr std::array<std::string_view, 6> kWay = {"sm", "noc", "link", "slice", "home", "memory"};
    const auto rank = [&](const auto& part) { return std::find(kWay.begin(), kWay.end(), part.first); };
    std::stable_sort(parts.begin(), parts.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

/// Means over all sockets, and the range of their percentiles.
LatencySummary summarise_latency(const ordered_json& statistics, unsigned sockets, const std::string& kind) {
    LatencySummary out;
    double total_ps = 0.0;
    std::optional<double> translation_ps;
    std::vector<std::pair<std::string, double>> parts_ps;
    for (unsigned s = 0; s < sockets; ++s) {
        const SummaryStatistics latency(statistics, fmt::format("socket{}.load_latency.{}.", s, kind));
        const std::uint64_t loads = latency.count("loads").value_or(0);
        if (loads == 0) continue;
        out.loads += loads;
        total_ps += latency.real("total_ps").value_or(0.0);
        if (const auto ps = latency.real("translation_ps")) translation_ps = translation_ps.value_or(0.0) + *ps;
        widen(out.p50_ns, latency.real("p50_ps"));
        widen(out.p99_ns, latency.real("p99_ps"));
        const ordered_json* parts = latency.group("parts");
        if (parts == nullptr) continue;
        for (const auto& [name, value] : parts->items()) {
            const std::string part = name.substr(0, name.rfind("_ps"));
            auto known = std::find_if(parts_ps.begin(), parts_ps.end(), [&](const auto& p) { return p.first == part; });
            if (known == parts_ps.end()) known = parts_ps.insert(parts_ps.end(), {part, 0.0});
            known->second += value.get<double>();
        }
    }
    if (out.loads == 0) return out;
    order_parts(parts_ps);
    const double loads = static_cast<double>(out.loads);
    out.mean_ns = total_ps / loads / 1e3;
    if (translation_ps) out.translation_ns = *translation_ps / loads / 1e3;
    for (const auto& [part, ps] : parts_ps) out.parts_ns.emplace_back(part, ps / loads / 1e3);
    return out;
}

ordered_json json_of(const LatencySummary& latency) {
    ordered_json out = {{"loads", latency.loads}, {"mean_ns", number(latency.mean_ns)}};
    const auto range = [&](const char* name, const std::optional<std::pair<double, double>>& values) {
        out[name] = values ? ordered_json{values->first, values->second} : ordered_json();
    };
    range("p50_ns", latency.p50_ns);
    range("p99_ns", latency.p99_ns);
    out["parts_ns"] = ordered_json::object();
    for (const auto& [part, ns] : latency.parts_ns) out["parts_ns"][part] = ns;
    out["translation_ns"] = number(latency.translation_ns);
    return out;
}

ordered_json json_of(const SocketSummary& s) {
    return {{"l1_hit_rate", number(s.l1_hit_rate)},
            {"l2_local_hit_rate", number(s.l2_local_hit_rate)},
            {"l2_remote_hit_rate", number(s.l2_remote_hit_rate)},
            {"l2_incoming_hit_rate", number(s.l2_incoming_hit_rate)},
            {"remote_share", number(s.remote_share)},
            {"memory_gbps", number(s.memory_gbps)},
            {"memory_use", number(s.memory_use)},
            {"out_gbps", number(s.out_gbps)},
            {"out_could_gbps", number(s.out_could_gbps)},
            {"out_use", number(s.out_use)},
            {"in_gbps", number(s.in_gbps)},
            {"in_could_gbps", number(s.in_could_gbps)},
            {"in_use", number(s.in_use)},
            {"lanes_out", number(s.lanes_out)},
            {"lanes_in", number(s.lanes_in)},
            {"l2_local_ways", number(s.l2_local_ways)},
            {"l1_local_ways", number(s.l1_local_ways)},
            {"ratios", s.ratios}};
}

} // namespace

std::optional<double> RunSummary::ipc() const { return SummaryStatistics(ratios, "").real("ipc"); }

RunSummary summarise(const SystemConfig& config, const ordered_json& results) {
    const ordered_json& statistics = results.at("statistics");
    const SummaryStatistics system(statistics, "system.");
    RunSummary out;
    out.system = config.name;
    const ordered_json& workload = results.at("workload");
    out.workload = workload.at("name").get<std::string>();
    out.scale = workload.value("scale", 1.0);
    if (const auto seed = workload.find("seed"); seed != workload.end() && !seed->is_null())
        out.seed = seed->get<std::uint64_t>();
    out.cycles = results.at("cycles").get<std::uint64_t>();
    out.time_ns = results.at("time_ns").get<double>();
    out.kernels = system.count("kernels").value_or(0);
    out.blocks = system.count("blocks").value_or(0);
    out.warp_instructions = system.count("warp_instructions").value_or(0);
    out.issued = system.count("transactions_issued").value_or(0);
    out.completed = system.count("transactions_completed").value_or(0);
    if (config.sockets > 1) out.link_energy_pj = system.real("link_energy_pj");
    out.local = summarise_latency(statistics, config.sockets, "local");
    out.remote = summarise_latency(statistics, config.sockets, "remote");
    const RatioValues ratios(results);
    out.ratios = ratios_json(ratios);
    for (unsigned s = 0; s < config.sockets; ++s) out.sockets.push_back(summarise_socket(config, results, ratios, s));
    out.parts = part_names(config);
    out.network = summarise_network(config, results);
    out.slots = summarise_slots(results, config.clock_khz);
    out.translation = summarise_translation(config, statistics, ratios);
    out.driver = summarise_driver(config, results, out.time_ns);
    out.copies = summarise_copies(statistics, out.time_ns);
    out.faults = summarise_faults(statistics, config.sockets);
    out.energy = summarise_energy(statistics, out.time_ns);
    out.host = summarise_host(statistics, out.time_ns, config.host_core.clock_khz);
    if (results.contains("kernels")) out.streams = json_of(streams_of(results));
    out.caveats = caveats_of(config, results);
    out.verdict = verdict_of(config, results);
    out.roofline = roofline_of(config, results);
    return out;
}

ordered_json summary_json(const RunSummary& s) {
    ordered_json out = {{"system", s.system},
                        {"workload", s.workload},
                        {"scale", s.scale},
                        {"seed", s.seed ? ordered_json(*s.seed) : ordered_json()},
                        {"cycles", s.cycles},
                        {"time_ns", s.time_ns},
                        {"kernels", s.kernels},
                        {"blocks", s.blocks},
                        {"warp_instructions", s.warp_instructions},
                        {"ipc", number(s.ipc())},
                        {"transactions_issued", s.issued},
                        {"transactions_completed", s.completed},
                        {"link_energy_pj", number(s.link_energy_pj)}};
    out["load_latency"] = {{"local", json_of(s.local)}, {"remote", json_of(s.remote)}};
    if (s.copies) out["copies"] = json_of(*s.copies);
    if (s.faults) out["faults"] = json_of(*s.faults);
    if (s.host) out["host"] = json_of(*s.host);
    if (s.energy) out["energy"] = json_of(*s.energy);
    if (s.network) out["network"] = json_of(*s.network);
    out["sockets"] = ordered_json::array();
    for (std::size_t i = 0; i < s.sockets.size(); ++i) {
        out["sockets"].push_back(json_of(s.sockets[i]));
        if (s.parts.named) out["sockets"].back()["part"] = s.parts.each[i];
    }
    if (!s.slots.empty()) out["slots"] = ordered_json::array();
    for (const SlotSummary& socket : s.slots) out["slots"].push_back(json_of(socket));
    if (!s.translation.empty()) out["translation"] = ordered_json::array();
    for (const TranslationSummary& socket : s.translation) out["translation"].push_back(json_of(socket));
    if (s.driver) out["driver"] = json_of(*s.driver);
    if (!s.streams.is_null()) out["streams"] = s.streams;
    out["ratios"] = s.ratios;
    out["caveats"] = json_of(s.caveats);
    out["verdict"] = json_of(s.verdict);
    if (!s.roofline.kernels.empty()) out["roofline"] = json_of(s.roofline);
    return out;
}

} // namespace numavp
