#include "platform/explain/gpu_matrix.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/system/narrow_ends.h"
#include "platform/network/traffic.h"

namespace numavp {
namespace {

constexpr std::size_t kMostGpus = 16; ///< of a table that a terminal shows: a DGX-2 has as many

/// Shares of a stream of packets between two routers on channels, each step of a way drawn alike.
class StreamShares {
  public:
    StreamShares(const Topology& made, const WiredParts& parts, unsigned from, unsigned to)
        : made_(made), parts_(parts) {
        std::map<unsigned, double> at{{from, 1.0}}; // routers that are equally far from the end
        while (at.count(to) == 0) {
            std::map<unsigned, double> next;
            for (const auto& [router, share] : at) {
                if (router != from) passes_ = passes_ || blocks(router);
                const std::vector<RouteStep> steps = made.routing->steps(router, to, RouteLeg::to_destination);
                for (const RouteStep& step : steps) {
                    const double part = share / static_cast<double>(steps.size());
                    of_channel_[step.channel] += part;
                    next[made.graph.channels[step.channel].to] += part;
                }
            }
            at = std::move(next);
        }
    }
    const std::map<unsigned, double>& of_channel() const { return of_channel_; }
    bool passes_cpu() const { return passes_; }

  private:
    bool blocks(unsigned router) const {
        return made_.graph.transit[router] != Transit::router || facts_of(parts_.kind_of(router)).cpu;
    }

    const Topology& made_;
    const WiredParts& parts_;
    std::map<unsigned, double> of_channel_;
    bool passes_ = false;
};

GpuPair pair_of(const NetworkSystem& system, const WiredParts& parts, unsigned from, unsigned to, unsigned flits) {
    const NetworkGraph& graph = system.topology.graph;
    const unsigned entry = graph.endpoints[from].terminals.front(), exit = graph.endpoints[to].terminals.front();
    const StreamShares shares(system.topology, parts, graph.terminals[entry].router, graph.terminals[exit].router);
    GpuPair pair;
    pair.gbytes_per_s = std::min(port_speed(system.config, graph, from).out, port_speed(system.config, graph, to).in);
    for (const auto& [channel, share] : shares.of_channel())
        pair.gbytes_per_s = std::min(pair.gbytes_per_s, system.gbps(channel) / share);
    const IdleWay way = idle_way(graph, *system.topology.routing, entry, exit, flits);
    pair.latency_ns = way.cycles * 1e6 / system.settings().noc_khz;
    pair.by_cpu = shares.passes_cpu();
    return pair;
}

using Cell = std::string (*)(const GpuPair&);

std::string table_text(const GpuMatrix& matrix, const std::string& head, Cell cell, const Style& style) {
    std::vector<std::string> header{head};
    header.insert(header.end(), matrix.gpus.begin(), matrix.gpus.end());
    TextTable table(std::move(header));
    for (std::size_t a = 0; a < matrix.gpus.size(); ++a) {
        std::vector<std::string> row{matrix.gpus[a]};
        for (std::size_t b = 0; b < matrix.gpus.size(); ++b) row.push_back(a == b ? "" : cell(matrix.pairs[a][b]));
        table.row(std::move(row));
    }
    return table.text(style) + "\n";
}

} // namespace

GpuMatrix gpu_matrix(const NetworkSystem& system, unsigned packet_bytes) {
    if (system.settings().topology != FabricKind::wires) return {};
    const WiredParts parts(system.config);
    std::vector<unsigned> gpus;
    for (unsigned s = 0; s < system.config.sockets; ++s)
        if (system.config.socket_at(s).sms != 0 && !facts_of(parts.kind_of(s)).cpu) gpus.push_back(s);
    GpuMatrix matrix;
    if (gpus.size() > kMostGpus) matrix.left_out = gpus.size();
    if (gpus.size() < 2 || gpus.size() > kMostGpus) return matrix;
    for (const unsigned from : gpus) {
        matrix.gpus.push_back(parts.label(from));
        std::vector<GpuPair>& row = matrix.pairs.emplace_back();
        for (const unsigned to : gpus)
            row.push_back(from == to ? GpuPair() : pair_of(system, parts, from, to, system.flits(packet_bytes)));
    }
    return matrix;
}

GpuMatrix gpu_matrix(const HostMachine& machine) {
    GpuMatrix matrix;
    if (machine.gpus() > kMostGpus) matrix.left_out = machine.gpus();
    if (machine.gpus() < 2 || machine.gpus() > kMostGpus) return matrix;
    const TransferGraph& graph = machine.graph();
    for (unsigned a = 0; a < machine.gpus(); ++a) {
        matrix.gpus.push_back(HostMachine::gpu_name(a));
        std::vector<GpuPair>& row = matrix.pairs.emplace_back();
        for (unsigned b = 0; b < machine.gpus(); ++b) {
            GpuPair& pair = row.emplace_back();
            if (a == b) continue;
            const std::vector<unsigned> way = graph.way(machine.gpu_part(a), machine.gpu_part(b));
            pair.gbytes_per_s = graph.alone_gbytes_per_s(graph.uses(way, BulkOperation::write));
            pair.latency_ns = graph.latency_ns(way);
            pair.by_cpu = !machine.joined_without_cpu(a, b);
        }
    }
    return matrix;
}

std::string gpu_matrix_text(const GpuMatrix& matrix, const Style& style) {
    if (matrix.left_out != 0)
        return fmt::format("  each two of {} parts with SMs are left out: of up to {} they are shown\n\n",
                           matrix.left_out, kMostGpus);
    if (matrix.gpus.empty()) return "";
    std::string text = table_text(
        matrix, "GB/s from, to",
        [](const GpuPair& pair) { return fmt::format("{:.1f}{}", pair.gbytes_per_s, pair.by_cpu ? "*" : ""); }, style);
    text += table_text(
        matrix, "ns from, to", [](const GpuPair& pair) { return fmt::format("{:.0f}", pair.latency_ns); }, style);
    const auto by_cpu = [](const std::vector<GpuPair>& row) {
        return std::any_of(row.begin(), row.end(), [](const GpuPair& pair) { return pair.by_cpu; });
    };
    if (std::any_of(matrix.pairs.begin(), matrix.pairs.end(), by_cpu))
        text += "  *: the way leads through a CPU, or another part that is no transit\n\n";
    return text;
}

ordered_json gpu_matrix_json(const GpuMatrix& matrix) {
    ordered_json list = ordered_json::array();
    for (std::size_t a = 0; a < matrix.gpus.size(); ++a)
        for (std::size_t b = 0; b < matrix.gpus.size(); ++b) {
            const GpuPair& pair = matrix.pairs[a][b];
            if (a != b)
                list.push_back({{"src", matrix.gpus[a]},
                                {"dst", matrix.gpus[b]},
                                {"gbytes_per_s", pair.gbytes_per_s},
                                {"latency_ns", pair.latency_ns},
                                {"by_cpu", pair.by_cpu}});
        }
    return list;
}

} // namespace numavp
