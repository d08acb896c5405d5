#include "platform/verdict/phase_counts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace numavp {

PhaseCounts::Number PhaseCounts::of(unsigned socket, const char* path) const {
    return of(fmt::format("socket{}.{}", socket, path));
}

PhaseCounts::Number PhaseCounts::sum(unsigned socket, std::initializer_list<const char*> paths) const {
    double total = 0.0;
    for (const char* path : paths) {
        const Number one = of(socket, path);
        if (!one) return std::nullopt;
        total += *one;
    }
    return total;
}

std::optional<L1Packets> l1_packets(unsigned socket, const PhaseCounts& counts) {
    const auto reads = counts.sum(socket, {"l1.misses_local", "l1.misses_remote"});
    const auto stores = counts.of(socket, "l1.store_lines"), atomics = counts.of(socket, "l1.atomic_lines");
    const auto lines = counts.sum(socket, {"l1.load_lines", "l1.store_lines", "l1.atomic_lines"});
    const auto sectors = counts.of(socket, "sm.sectors");
    if (!reads || !stores || !atomics || !lines || !sectors) return std::nullopt;
    const double touched = *lines > 0.0 ? *sectors / *lines : 0.0;
    return L1Packets{*reads, *stores, *atomics, std::min<double>(kLineSectors, touched)};
}

std::optional<L2Reads> l2_reads(unsigned socket, const PhaseCounts& counts) {
    const auto mine = counts.sum(socket, {"l2.local.hits", "l2.local.misses", "l2.local.merged", "l2.remote.hits",
                                          "l2.remote.misses", "l2.remote.merged"});
    const auto theirs = counts.sum(socket, {"l2.incoming.hits", "l2.incoming.misses", "l2.incoming.merged"});
    if (!mine || !theirs) return std::nullopt;
    return L2Reads{*mine, *theirs};
}

double l2_answer_bytes(const GpuSocketConfig& own, double sectors) {
    return own.packets.header_bytes + (own.packets.sectored ? sectors * kSectorBytes : kLineBytes);
}

std::optional<std::vector<double>> memory_channel_bytes(const GpuSocketConfig& own, unsigned socket,
                                                        const PhaseCounts& counts) {
    std::vector<double> bytes;
    for (unsigned i = 0; i < own.memory.channels; ++i) {
        const std::string channel = fmt::format("memory.channel{}.", i);
        const auto reads = counts.of(socket, (channel + "read_bytes").c_str());
        const auto writes = counts.of(socket, (channel + "write_bytes").c_str());
        if (const auto columns = counts.of(socket, (channel + "columns").c_str()))
            bytes.push_back(*columns * own.memory.device.access_bytes);
        else if (reads && writes)
            bytes.push_back(*reads + *writes);
        else
            return std::nullopt;
    }
    return bytes;
}

std::optional<double> link_bytes(unsigned socket, const char* way, const PhaseCounts& counts) {
    const auto bytes = counts.of(socket, fmt::format("link.{}.bytes", way).c_str());
    if (!bytes) return std::nullopt;
    return *bytes + counts.of(socket, fmt::format("link.{}.replayed_bytes", way).c_str()).value_or(0.0);
}

std::vector<ChannelUse> phase_channel_uses(const SystemConfig& config, const NetworkSystem& network,
                                           const PhaseCounts& counts) {
    ordered_json counted = ordered_json::object();
    for (std::size_t i = 0; i < network.topology.graph.channels.size(); ++i) {
        ordered_json& channel = counted[fmt::format("channel{}", i)];
        channel = ordered_json::object();
        for (const char* what : {"flits", "wire_bytes", "lane_cycles"})
            if (const auto value = counts.of(fmt::format("network.channel{}.{}", i, what))) channel[what] = *value;
        if (const auto again = counts.of(fmt::format("network.channel{}.replayed_flits", i));
            again && channel["flits"].is_number())
            channel["flits"] = channel["flits"].get<double>() + *again;
        if (channel.empty()) return {};
    }
    const double ns = counts.cycles() * 1e6 / static_cast<double>(config.clock_khz);
    return channel_uses(config, network, {{"statistics", {{"network", std::move(counted)}}}, {"time_ns", ns}});
}

} // namespace numavp
