#include "platform/verdict/part_use.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/network_alone.h"
#include "platform/verdict/phase_counts.h"

namespace numavp {
namespace {

/// 0 without a whole.
double part_of(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

double clocks(std::uint64_t own_khz, std::uint64_t core_khz) {
    return static_cast<double>(own_khz) / static_cast<double>(core_khz);
}

/// Bytes of all packets with data and of the others, and sectors.
struct Traffic {
    double requests = 0.0, responses = 0.0; ///< bytes
    double sectors = 0.0;
};

Traffic traffic_of(const L1Packets& l1, const PacketSizes& sizes) {
    const double touched = l1.sectors * kSectorBytes;
    const double read = sizes.sectored ? touched : kLineBytes;
    Traffic traffic;
    const double writes = l1.stores + l1.atomics;
    traffic.requests = l1.reads * sizes.header_bytes + writes * (sizes.header_bytes + touched);
    traffic.responses = l1.reads * (sizes.header_bytes + read) + writes * sizes.header_bytes;
    traffic.sectors = (l1.reads * (sizes.sectored ? l1.sectors : kLineSectors) + writes * l1.sectors);
    return traffic;
}

/// Busiest slice over the mean: 1 if all have served as much.
double slice_skew(unsigned s, unsigned slices, const PhaseCounts& counts) {
    double most = 0.0, all = 0.0;
    for (unsigned i = 0; i < slices; ++i) {
        const auto reads = counts.of(s, fmt::format("l2.slice{}.reads", i).c_str());
        const auto writes = counts.of(s, fmt::format("l2.slice{}.writes", i).c_str());
        if (!reads || !writes) return 1.0;
        most = std::max(most, *reads + *writes);
        all += *reads + *writes;
    }
    return all > 0.0 ? most * slices / all : 1.0;
}

double crossbar_use(const GpuSocketConfig& own, std::uint64_t core_khz, double cycles, const Traffic& traffic,
                    double skew) {
    const double noc_cycles = cycles * clocks(own.noc_khz(core_khz), core_khz);
    const double sms = noc_cycles * own.sms, slices = noc_cycles * own.l2.slices / skew;
    if (own.noc.packet_cycles != 0) return part_of(traffic.sectors * own.noc.packet_cycles, std::min(sms, slices));
    return std::max(part_of(traffic.requests, std::min(sms, slices) * own.noc.request_bytes_per_cycle),
                    part_of(traffic.responses, sms * own.noc.response_bytes_per_cycle));
}

std::optional<double> l2_use(unsigned s, const GpuSocketConfig& own, double cycles, const PhaseCounts& counts,
                             double sectors, double skew) {
    const auto reads = l2_reads(s, counts);
    const auto writes = counts.of(s, "l2.writes"), atomics = counts.of(s, "l2.atomics");
    const auto passed = counts.of(s, "l2.forwarded_atomics");
    if (!reads || !writes || !atomics || !passed) return std::nullopt;
    const double slices = cycles * own.l2.slices / skew;
    const double requests = reads->mine + reads->theirs + *passed +
                            *writes * std::max(1.0, own.l2.write_cycles * sectors) +
                            *atomics * std::max(1.0, own.l2.atomic_cycles * sectors);
    const double bytes = std::max(reads->mine, reads->theirs) * l2_answer_bytes(own, sectors); // each side has a port
    return std::max(part_of(requests, slices), part_of(bytes, slices * own.l2.bytes_per_cycle));
}

std::optional<double> l1_use(const GpuSocketConfig& own, double sm_cycles, std::optional<double> lines,
                             std::optional<double> instructions) {
    if (!lines || !instructions) return std::nullopt;
    const SmConfig& sm = own.sm;
    const double looked_up = part_of(*lines, own.sms * sm_cycles * sm.l1.lines_per_cycle);
    if (sm.l1.instructions_per_cycle == 0) return looked_up;
    return std::max(looked_up, part_of(*instructions, own.sms * sm_cycles * sm.l1.instructions_per_cycle));
}

/// Keeps the most used part of each kind.
void keep_busiest(std::vector<PartUse>& all, PartUse one) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const PartUse& u) { return u.kind == one.kind; });
    if (known == all.end())
        all.push_back(std::move(one));
    else if (one.use > known->use)
        *known = std::move(one);
}

} // namespace

PartUses::PartUses(const SystemConfig& config, const KernelRows& kernels)
    : config_(config), kernels_(kernels), names_(socket_names(config)) {
    for (unsigned s = 0; s < config.sockets; ++s) sockets_.push_back(socket_config(config, s, 0));
    if (has_network(config))
        network_ = std::make_unique<NetworkSystem>(network_of(config, Place("results.json").at("configuration")));
}

PartUses::~PartUses() = default;

/// Of the busiest channel.
double PartUses::memory_use(unsigned s, const PhaseCounts& counts) const {
    const GpuSocketConfig& own = sockets_[s];
    double most = 0.0;
    for (const double bytes : memory_channel_bytes(own, s, counts).value_or(std::vector<double>()))
        most = std::max(most, bytes);
    const double ns = counts.cycles() * 1e6 / static_cast<double>(config_.clock_khz);
    return part_of(most * own.memory.channels, ns * memory_speed(config_, config_.socket_at(s)).gbps);
}

std::vector<PartUse> PartUses::of_socket(unsigned s, const PhaseCounts& counts, const SlotWindow& slots) const {
    const GpuSocketConfig& own = sockets_[s];
    const std::string& name = names_[s];
    const std::uint64_t core = config_.clock_khz;
    std::vector<PartUse> uses;
    const auto add = [&](FullPart kind, std::string part, std::optional<double> use) {
        if (use) uses.push_back({kind, std::move(part), *use, s});
    };
    if (own.sms != 0) {
        const double sm_cycles = counts.cycles() * clocks(own.sm_khz(core), core);
        const double slots_all = sm_cycles * own.sms * own.sm.schedulers;
        if (slots.cycles > 0.0) {
            const double issued = slots.share(SlotCause::issued, s), busy = slots.share(SlotCause::unit_busy, s);
            add(FullPart::issue, "the schedulers of " + name, issued);
            if (busy >= kBusyUnits) add(FullPart::units, "the execution units of " + name, issued + busy);
        } else if (const auto issued = counts.of(s, "sm.warp_instructions")) {
            add(FullPart::issue, "the schedulers of " + name, part_of(*issued, slots_all));
        }
        add(FullPart::l1, "the L1s of " + name,
            l1_use(own, sm_cycles, counts.sum(s, {"l1.load_lines", "l1.store_lines", "l1.atomic_lines"}),
                   counts.of(s, "sm.memory_instructions")));
    }
    const double skew = slice_skew(s, own.l2.slices, counts);
    const std::optional<L1Packets> packets = l1_packets(s, counts);
    if (packets)
        add(FullPart::crossbar, "the crossbar of " + name,
            crossbar_use(own, core, counts.cycles(), traffic_of(*packets, own.packets), skew));
    const double l2_cycles = counts.cycles() * clocks(own.l2_khz(core), core);
    add(FullPart::l2, "L2 of " + name,
        l2_use(s, own, l2_cycles, counts, packets ? packets->sectors : double{kLineSectors}, skew));
    if (own.has_memory()) add(FullPart::memory, "memory of " + name, memory_use(s, counts));
    const double lane_bytes = config_.link.lane_gbps * 1e6 / static_cast<double>(core); // a cycle
    for (const char* way : {"out", "in"}) {
        const auto bytes = link_bytes(s, way, counts);
        const auto lanes = counts.of(s, fmt::format("link.{}.lane_cycles", way).c_str());
        if (bytes && lanes)
            add(FullPart::link, fmt::format("link {} {}", *way == 'o' ? "out of" : "into", name),
                part_of(*bytes, *lanes * lane_bytes));
    }
    return uses;
}

std::vector<PartUse> PartUses::of_machine(const PhaseCounts& counts) const {
    std::vector<PartUse> uses;
    if (!network_) {
        if (config_.sockets < 2) return uses;
        const double ns = counts.cycles() * 1e6 / static_cast<double>(config_.clock_khz);
        double bytes = 0.0;
        for (unsigned s = 0; s < config_.sockets; ++s) bytes += counts.of(s, "link.out.bytes").value_or(0.0);
        const double could = static_cast<double>(switch_bytes_per_s(config_)) * ns * 1e-9;
        uses.push_back({FullPart::the_switch, "the switch", part_of(bytes, could), std::nullopt});
        return uses;
    }
    const NetworkGraph& graph = network_->topology.graph;
    const std::vector<ChannelUse> channels = phase_channel_uses(config_, *network_, counts);
    for (std::size_t i = 0; i < channels.size(); ++i)
        keep_busiest(uses, {FullPart::network,
                            fmt::format("channel from {} to {}", graph.routers[graph.channels[i].from],
                                        graph.routers[graph.channels[i].to]),
                            channels[i].load.use, std::nullopt});
    return uses;
}

std::vector<PartUse> PartUses::of(const KernelPhase& phase, const SlotWindow& slots) const {
    const PhaseCounts counts(kernels_, phase);
    std::vector<PartUse> all = of_machine(counts);
    for (unsigned s = 0; s < config_.sockets; ++s)
        for (PartUse& use : of_socket(s, counts, slots)) keep_busiest(all, std::move(use));
    std::stable_sort(all.begin(), all.end(), [](const PartUse& a, const PartUse& b) { return a.use > b.use; });
    return all;
}

} // namespace numavp
