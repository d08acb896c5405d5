#include "communication/characterize/host_machine.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "common/system/system_config.h"

namespace numavp {

namespace {
TransferPartKind kind_of(const SystemConfig& system, const WiredParts& parts, unsigned part) {
    if (facts_of(parts.kind_of(part)).cpu) return TransferPartKind::cpu;
    const bool computes = part < system.sockets && system.socket_at(part).sms != 0;
    return computes ? TransferPartKind::gpu : TransferPartKind::router;
}
} // namespace

HostMachine::HostMachine(const SystemConfig& system, Calibration calibration, bool calibrated)
    : name_(system.name), calibration_(std::move(calibration)), calibrated_(calibrated) {
    if (system.network.topology != FabricKind::wires)
        throw ConfigError(system.name, "its parts are not joined by wires; a machine with network.topology wires, CPUs "
                                       "and GPUs is expected, such as dgx-1");
    const SystemNetwork network = system_network(system, Place(system.name), RoutedFor::any);
    const WiredParts parts(system);
    for (unsigned part = 0; part < parts.count(); ++part) {
        const TransferPartKind kind = kind_of(system, parts, part);
        graph_.add_part({parts.label(part), kind, network.topology.graph.transit[part]});
        if (kind == TransferPartKind::cpu) cpus_.push_back(part);
        if (kind != TransferPartKind::gpu) continue;
        gpus_.push_back(part);
        gpu_memory_.push_back(memory_speed(system, system.socket_at(part)).gbps);
        gpu_bytes_.push_back(std::uint64_t{system.socket_at(part).memory.capacity_gib} << 30);
    }
    if (cpus_.empty())
        throw ConfigError(system.name,
                          "no part of the machine has the kind cpu (parts[0].kind); one with CPUs and GPUs is "
                          "expected");
    if (gpus_.empty())
        throw ConfigError(system.name, "the machine has no GPUs, parts with SMs; one with CPUs and GPUs is expected");
    const std::vector<NetworkChannel>& channels = network.topology.graph.channels;
    for (const NetworkLink& link : network.links)
        kinds_.push_back({link.name, link.gbytes_per_s, link.latency_ns, calibration_.format_of(link.name)});
    // Channels between the same two parts are one link, wherever the wires stand and whichever way they run.
    struct Wires {
        unsigned first = 0; // channel
        double there = 0, back = 0;
    };
    std::map<std::pair<unsigned, unsigned>, Wires> together;
    std::vector<std::pair<unsigned, unsigned>> order;
    for (unsigned c = 0; c < channels.size(); c += 2) {
        const auto [at, fresh] = together.emplace(std::minmax(channels[c].from, channels[c].to), Wires{c, 0, 0});
        if (fresh) order.push_back(at->first);
        const HostLinkKind& kind = kinds_[channels[c].link];
        const bool along = channels[c].from == channels[at->second.first].from;
        (along ? at->second.there : at->second.back) += kind.gbytes_per_s;
        (along ? at->second.back : at->second.there) += kind.gbytes_per_s * kind.format.back_share;
    }
    for (const auto& ends : order) {
        const Wires& wires = together.at(ends);
        const NetworkChannel& first = channels[wires.first];
        const HostLinkKind& kind = kinds_[first.link];
        graph_.join(first.from, first.to, {0, 0, kind.name, wires.there, kind.latency_ns, kind.format.format()},
                    wires.back);
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

std::string HostMachine::title() const {
    const bool own = name_.empty() || name_ == calibration_.name;
    return own ? calibration_.system : fmt::format("{}, constants of {}", name_, calibration_.system);
}

std::vector<std::string> HostMachine::kinds_without_format() const {
    std::vector<std::string> without;
    const std::vector<CalibrationFormat>& formats = calibration_.formats;
    if (std::any_of(formats.begin(), formats.end(), [](const CalibrationFormat& f) { return f.link.empty(); }))
        return without;
    for (const HostLinkKind& kind : kinds_) {
        const bool used = std::any_of(graph_.links().begin(), graph_.links().end(),
                                      [&kind](const TransferLink& link) { return link.kind == kind.name; });
        const bool known = !kind.format.link.empty(); // one that is assumed names no link
        if (!known && used && std::find(without.begin(), without.end(), kind.name) == without.end())
            without.push_back(kind.name);
    }
    return without;
}

std::vector<std::string> HostMachine::assumed() const {
    std::vector<std::string> sentences;
    if (!calibrated_)
        sentences.push_back(
            fmt::format("{} has no calibration: costs of calls, buffers, caches and faults are assumed", title()));
    std::string has;
    for (const CalibrationFormat& format : calibration_.formats) has += (has.empty() ? "" : ", ") + format.link;
    if (calibrated_)
        for (const std::string& kind : kinds_without_format()) {
            const CalibrationFormat format = calibration_.format_of(kind);
            sentences.push_back(fmt::format(
                "the calibration {} has no format for link '{}' (it has {}): that its packets have {:g} B besides {} B "
                "of data is assumed",
                calibration_.name, kind, has.empty() ? "none" : has, format.write_overhead_bytes,
                format.write_payload_bytes));
        }
    sentences.insert(sentences.end(), notes_.begin(), notes_.end());
    return sentences;
}

bool HostMachine::same_times(const HostMachine& other) const {
    const auto link_values = [](const TransferLink& l) {
        return std::tie(l.from, l.to, l.kind, l.gbytes_per_s, l.latency_ns);
    };
    const auto same_kind = [](const HostLinkKind& x, const HostLinkKind& y) { // a change may put any kind on wires
        return std::tie(x.name, x.gbytes_per_s, x.latency_ns) == std::tie(y.name, y.gbytes_per_s, y.latency_ns);
    };
    const std::vector<TransferLink>&a = graph_.links(), &b = other.graph_.links();
    const auto same_transit = [](const TransferPart& x, const TransferPart& y) { return x.transit == y.transit; };
    const std::vector<TransferPart>&at = graph_.parts(), &others = other.graph_.parts();
    return name_ == other.name_ && // by which constants are found
           std::equal(at.begin(), at.end(), others.begin(), others.end(), same_transit) &&
           std::equal(kinds_.begin(), kinds_.end(), other.kinds_.begin(), other.kinds_.end(), same_kind) &&
           cpus_ == other.cpus_ && gpus_ == other.gpus_ && gpu_memory_ == other.gpu_memory_ &&
           gpu_bytes_ == other.gpu_bytes_ &&
           std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&link_values](const TransferLink& x, const TransferLink& y) {
                          return link_values(x) == link_values(y);
                      });
}

const HostLinkKind* HostMachine::link_kind(const std::string& name) const {
    // Kinds that replaced others are behind these in the list, and are the valid ones.
    const auto found =
        std::find_if(kinds_.rbegin(), kinds_.rend(), [&name](const HostLinkKind& kind) { return kind.name == name; });
    return found == kinds_.rend() ? nullptr : &*found;
}

bool HostMachine::scale_links(const std::string& kind, double factor) {
    for (HostLinkKind& known : kinds_)
        if (known.name == kind) known.gbytes_per_s *= factor;
    return graph_.scale(kind, factor);
}

bool HostMachine::replace_links(const std::string& kind, const HostLinkKind& other) {
    const HostLinkKind* old = link_kind(kind);
    if (!old) return false;
    const double there = other.gbytes_per_s / old->gbytes_per_s;
    const double back = there * other.format.back_share / old->format.back_share;
    const bool found = graph_.replace(kind, {0, 0, other.name, there, other.latency_ns, other.format.format()}, back);
    kinds_.push_back(other);
    return found;
}

std::uint64_t HostMachine::lanes() const {
    constexpr double kRounding = 0.01; // lanes: files write bandwidths rounded
    double sum = 0;
    for (std::size_t l = 0; l < graph_.links().size(); l += 2) {
        const TransferLink& link = graph_.links()[l];
        const double most = std::max(link.gbytes_per_s, graph_.links()[l + 1].gbytes_per_s);
        sum += std::ceil(most / link_kind(link.kind)->format.lane_gbytes_per_s - kRounding);
    }
    return static_cast<std::uint64_t>(sum);
}

std::uint64_t HostMachine::numa_id(unsigned cpu) const {
    return cpu < calibration_.numa_ids.size() ? calibration_.numa_ids[cpu] : cpu;
}

bool HostMachine::peers(unsigned a, unsigned b) const { return joined_without_cpu(a, b) || calibration_.peer_across; }

namespace {
std::string path_of(const std::string& assignment) { return assignment.substr(0, assignment.find('=')); }

/// A note for each setting without which all transfers take the same times. Of several of one path the last counts.
void note_idle_settings(HostMachine& machine, const std::string& name, const std::vector<std::string>& assignments) {
    for (std::size_t i = 0; i < assignments.size(); ++i) {
        const std::string path = path_of(assignments[i]);
        std::vector<std::string> others;
        std::remove_copy_if(assignments.begin(), assignments.end(), std::back_inserter(others),
                            [&path](const std::string& other) { return path_of(other) == path; });
        try {
            const HostMachine without(load_system(name, others), machine.calibration(), machine.calibrated());
            if (machine.same_times(without))
                machine.add_note(
                    fmt::format("{} changes no time here: links and memories decide transfers, kernels take "
                                "what the graph says; SMs, caches and clocks change neither",
                                assignments[i]));
        } catch (const ConfigError&) { // the machine can't be without it
            continue;
        }
    }
}
} // namespace

HostMachine load_host_machine(const std::string& name_or_path, const std::vector<std::string>& assignments,
                              const std::string& calibration, const std::vector<std::string>& constants) {
    const SystemConfig system = load_system(name_or_path, assignments);
    const std::string file = calibration.empty() ? calibration_file(system.name) : calibration;
    Calibration found;
    if (file.empty()) {
        if (!constants.empty())
            throw ConfigError(system.name, "it has no calibration whose constants could be set; a file in "
                                           "configs/calibrations, or --calibration, is expected");
        found.name = found.system = system.name;
    } else {
        found = load_calibration(file, constants);
    }
    HostMachine machine(system, found, !file.empty());
    note_idle_settings(machine, name_or_path, assignments);
    return machine;
}

} // namespace numavp
