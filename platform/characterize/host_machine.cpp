#include "platform/characterize/host_machine.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "platform/files/locate.h"
#include "platform/machine/system_config.h"

namespace numavp {

namespace {
TransferPartKind kind_of(const SystemConfig& system, const WiredParts& parts, unsigned part) {
    if (parts.name_of(part) == "cpu") return TransferPartKind::cpu;
    const bool computes = part < system.sockets && system.socket_at(part).sms != 0;
    return computes ? TransferPartKind::gpu : TransferPartKind::router;
}
} // namespace

HostMachine::HostMachine(const SystemConfig& system, Calibration calibration, bool calibrated)
    : calibration_(std::move(calibration)), calibrated_(calibrated) {
    if (system.network.topology != FabricKind::wires)
        throw ConfigError(system.name, "its parts are not joined by wires; a machine with network.topology wires, CPUs "
                                       "and GPUs is expected, such as dgx-1");
    const SystemNetwork network = system_network(system, Place(system.name).at("network"), RoutedFor::any);
    const WiredParts parts(system);
    for (unsigned part = 0; part < parts.count(); ++part) {
        const TransferPartKind kind = kind_of(system, parts, part);
        graph_.add_part({parts.label(part), kind});
        if (kind == TransferPartKind::cpu) cpus_.push_back(part);
        if (kind != TransferPartKind::gpu) continue;
        gpus_.push_back(part);
        gpu_memory_.push_back(system.socket_at(part).memory.bandwidth_gbps);
    }
    if (cpus_.empty())
        throw ConfigError(system.name, "the machine has no part called cpu; one with CPUs and GPUs is expected");
    if (gpus_.empty())
        throw ConfigError(system.name, "the machine has no GPUs, parts with SMs; one with CPUs and GPUs is expected");
    const std::vector<NetworkChannel>& channels = network.topology.graph.channels;
    // Channels between the same two parts are one link, wherever the wires stand and whichever way they run.
    std::map<std::pair<unsigned, unsigned>, double> together;
    std::vector<unsigned> firsts;
    for (unsigned c = 0; c < channels.size(); c += 2) {
        const auto [at, fresh] = together.emplace(std::minmax(channels[c].from, channels[c].to), 0.0);
        at->second += network.links[channels[c].link].gbytes_per_s;
        if (fresh) firsts.push_back(c);
    }
    for (const unsigned c : firsts) {
        const NetworkLink& kind = network.links[channels[c].link];
        const double gbytes_per_s = together.at(std::minmax(channels[c].from, channels[c].to));
        graph_.join(channels[c].from, channels[c].to,
                    {0, 0, kind.name, gbytes_per_s, kind.latency_ns, calibration_.format_of(kind.name)}, gbytes_per_s);
    }
    find_home(system.name);
}

void HostMachine::find_home(const std::string& place) {
    for (const unsigned gpu : gpus_) {
        unsigned best = 0;
        std::size_t fewest = 0;
        for (unsigned cpu = 0; cpu < cpus(); ++cpu) {
            const std::size_t hops = graph_.way(cpus_[cpu], gpu).size();
            if (hops == 0)
                throw ConfigError(place, fmt::format("no way leads from {} to {}; wires that join them are expected",
                                                     graph_.parts()[cpus_[cpu]].name, graph_.parts()[gpu].name));
            if (fewest == 0 || hops < fewest) {
                best = cpu;
                fewest = hops;
            }
        }
        home_.push_back(best);
    }
}

std::uint64_t HostMachine::numa_id(unsigned cpu) const {
    return cpu < calibration_.numa_ids.size() ? calibration_.numa_ids[cpu] : cpu;
}

bool HostMachine::peers(unsigned a, unsigned b) const {
    if (graph_.way(gpus_[a], gpus_[b]).size() == 1) return true;
    return calibration_.peer_across;
}

HostMachine load_host_machine(const std::string& name_or_path, const std::vector<std::string>& assignments,
                              const std::string& calibration) {
    const SystemConfig system = load_system(name_or_path, assignments);
    const std::string file = calibration.empty() ? calibration_file(system.name) : calibration;
    Calibration found;
    if (file.empty()) {
        found.name = found.system = system.name;
    } else {
        found = load_calibration(file);
    }
    return {system, found, !file.empty()};
}

} // namespace numavp
