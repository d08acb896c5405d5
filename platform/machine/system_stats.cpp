/// The parts of a system, and what the system itself counts and checks: what no part knows alone.

#include <algorithm>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/host_core_place.h"
#include "common/system/memory_choice.h"
#include "common/system/reduction_units.h"
#include "platform/machine/system_impl.h"
#include "platform/machine/system_ratios.h"

namespace numavp {

namespace {
using Count = std::uint64_t;
}

void System::Impl::list_parts() {
    parts.add({}, "the dispatcher", dispatcher);
    for (PackagePart* package : built.packages) package->list(parts);
    if (copies) parts.add({}, "the copy engines", *copies);
    if (replication) parts.add({}, "replication", *replication);
    if (host_core) parts.add({}, "the host's core", *host_core);
    for (const auto& part : built.all)
        if (!part->package()) part->list(parts);
    build_energy();
    if (energy) parts.add({}, "the energy", *energy);
    parts.add({}, "the system", *this);
}

// --- pages

std::uint64_t System::Impl::allocated_bytes(unsigned number) const {
    const unsigned sharers = config.placement.sockets_per_memory; // the lines of a page go round them
    if (!has_driver(config)) return pages.allocated_bytes(MemoryId(number / sharers)) / sharers;
    return built.host->faults().resident(MemoryId(number)) * (std::uint64_t{config.placement.page_kib} * 1024);
}

// --- the system as a whole

double System::Impl::link_energy_pj() const {
    Count bytes = 0;
    double replays_pj = 0;
    for (const auto& part : built.all)
        if (const Link* link = part->link()) {
            bytes += link->out().bytes;
            replays_pj += link->replay_energy_pj();
        }
    return static_cast<double>(bytes) * 8.0 * config.link.energy_pj_per_bit + replays_pj;
}

std::vector<const ReductionUnit*> System::Impl::reductions() const {
    std::vector<const ReductionUnit*> units;
    for (const auto& part : built.all)
        if (const ReductionUnit* unit = part->reduction()) units.push_back(unit);
    return units;
}

void System::Impl::build_energy() {
    if (!config.energy.given()) return;
    const NetworkFabric* const network = built.fabric ? built.fabric->network() : nullptr;
    const bool by_the_bit = network && config.energy.network.form != NetworkForm::crossbars;
    energy = std::make_unique<SystemEnergy>(
        config.energy,
        SystemEnergy::Machine{sockets, network,
                              [this, network, by_the_bit] {
                                  return link_energy_pj() +
                                         (by_the_bit ? network->packet_energy_pj() + network->idle_energy_pj() : 0.0);
                              },
                              [this] {
                                  const Cycle cycles = end_cycle != 0 ? end_cycle : domain.now();
                                  return static_cast<double>(cycles) / (static_cast<double>(config.clock_khz) * 1e3);
                              },
                              config.clock_khz, config.sectored(), reductions()});
}

void System::Impl::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("system");
    g.counter("cycles", end_cycle, "cycles", "Cycles from the start to the end of the last kernel.", Growth::whole);
    g.sum(
        "warp_instructions", [this] { return progress().warp_instructions; }, "instructions",
        "Warp instructions issued by all SMs.");
    g.sum(
        "transactions_issued", [this] { return pool.made(); }, "transactions", "Transactions made by SMs and caches.");
    g.sum(
        "transactions_completed", [this] { return pool.returned(); }, "transactions",
        "Transactions that were answered.");
    g.sum(
        "pages", [this] { return has_driver(config) ? Count{host_record.pages.size()} : pages.pages(); }, "pages",
        "Pages that were touched.");
    if (!has_driver(config))
        g.sum(
            "pages_shared", [this] { return pages.shared_pages(); }, "pages",
            "Pages that were touched by more than one socket, or by the host beside one.");
    if (config.translation.mode != TranslationMode::off)
        g.sum(
            "table_pages", [this] { return table.table_pages(); }, "pages", "Pages of 4 KiB in the page table.");
    if (config.copies.mode == CopyMode::into_l2)
        g.sum(
            "lines_copied_into_l2", [this] { return copies_into_l2.held; }, "lines",
            "Lines taken by L2 at copies to devices; not those that were there, or whose victim was dirty.");
    g.sum(
        "link_energy_pj", [this] { return link_energy_pj(); }, "pJ", "Energy of all links and the switch.");
    g.all_ratios(system_ratios());
}

/// All that was made has come back, and what went into a link or the switch came out.
std::string System::Impl::disagreement() {
    std::string lost;
    const auto check = [&](bool good, const std::string& what) {
        if (!good) lost += (lost.empty() ? "" : "; ") + what;
    };
    check(pool.in_flight() == 0,
          fmt::format("{} transactions were issued, {} completed", pool.made(), pool.returned()));
    if (!built.fabric) return lost;
    std::uint64_t out = 0, in = 0;
    for (const auto& part : built.all)
        if (const Link* link = part->link()) {
            out += link->out().bytes;
            in += link->in().bytes;
        }
    for (unsigned unit = first_reduction_unit(config), k = 0; k < reduction_units(config); ++k) {
        out += route.sent_by(unit + k);
        in += built.fabric->bytes_towards(unit + k);
    }
    for (unsigned s = 0; s < sockets.size(); ++s) {
        const Link& link = *sockets[s]->link;
        check(link.out().bytes == route.sent_by(s),
              fmt::format("{} bytes were addressed to other sockets by socket{}, its link carried {}", route.sent_by(s),
                          s, link.out().bytes));
        const std::uint64_t up = built.fabric->bytes_towards(s);
        check(link.in().bytes == up,
              fmt::format("{} bytes were sent down the link of socket{}, it carried {}", up, s, link.in().bytes));
    }
    check(out == in, fmt::format("links carried {} bytes from sockets and {} to them", out, in));
    return lost;
}

namespace {
std::string stages_text(const NocConfig& noc) {
    return noc.router_ports == 0 ? "" : fmt::format(" in two stages of routers of {0} x {0}", noc.router_ports);
}

/// The modules of sockets that are described alike, under `own`.
void describe_socket(const SystemConfig& c, const SocketGroup& group, const std::string& own,
                     std::vector<SystemPart>& parts) {
    const SocketConfig& s = *group.config;
    const auto gbps = [](unsigned bytes, std::uint64_t khz) { return bytes * static_cast<double>(khz) / 1e6; };
    const std::uint64_t noc_khz = s.noc_khz(c.clock_khz), l2_khz = s.l2_khz(c.clock_khz);
    const auto at = [&](std::uint64_t khz) { // of a clock that is not the core's
        return khz == c.clock_khz ? std::string() : fmt::format(", at {:g} GHz", static_cast<double>(khz) / 1e6);
    };
    const unsigned sms = s.sms * c.scale, slices = s.l2.slices * c.scale, channels = s.memory.channels * c.scale;
    const SmConfig& sm = s.sm;
    const L2Config& l2 = s.l2;
    const auto add = [&](const char* name, unsigned count, const std::string& what) {
        parts.push_back({own + name, what, count, group.range.count()});
    };
    if (sms != 0)
        add(".sm", sms,
            fmt::format("{} warps, {} schedulers, L1 {} KiB {}-way, {} miss entries{}", sm.warps, sm.schedulers,
                        sm.l1.size_kib, sm.l1.ways, sm.l1.miss_entries, at(s.sm_khz(c.clock_khz))));
    const MmuConfig& t = c.translation;
    if (t.mode == TranslationMode::full)
        add(".mmu", 1,
            fmt::format(
                "L1 TLBs of {} pages, L2 TLB of {} in {} ways, {} cycles, {} walkers of {} levels, tables in {}{}",
                t.l1_entries, t.l2_entries, t.l2_ways, t.l2_cycles, t.walkers, radix_layout(c).levels(),
                kTableHomes.name(t.tables),
                t.shared ? fmt::format("; L2 TLB and walkers of all sockets in socket {}, {} cycles away", t.shared_at,
                                       t.shared_cycles)
                         : ""));
    else if (t.mode == TranslationMode::ideal)
        add(".mmu", 1, "ideal translation: only pages that are mapped nowhere take time");
    add(".noc", 1,
        fmt::format("crossbar {} x {}{}, {:g} GB/s an output, {} cycles{}", sms, slices, stages_text(s.noc),
                    gbps(s.noc.response_bytes_per_cycle, noc_khz), s.noc.latency_cycles, at(noc_khz)));
    if (!l2.has_cache())
        add(".l2.slice", slices, "controllers of the memory, without a cache; they perform atomics");
    else
        add(".l2.slice", slices,
            fmt::format("{} KiB {}-way in all, {}, {}, {} cycles a hit, {:g} GB/s each{}", l2.size_kib * c.scale,
                        l2.ways, kL2Organisations.name(l2.organisation), kWritePolicies.name(l2.write_policy),
                        l2.hit_cycles, gbps(l2.bytes_per_cycle, l2_khz), at(l2_khz)));
    if (const unsigned crossings = socket_config(c, group.range.first, 0).crossings(c.clock_khz); crossings != 0)
        add(".crossing", crossings,
            fmt::format("wires between clocks, each way the next edge and {} more, {} places", s.crossing.edges,
                        s.crossing.depth));
    const char* const rtl_memory = s.memory.model == MemoryModel::axi4_rtl ? "; RTL behind AXI4" : "";
    const MemoryDeviceConfig& device = s.memory.device;
    if (s.has_memory() && s.memory.model == MemoryModel::timed)
        add(".memory.channel", channels,
            fmt::format("timed DRAM {}, {:g} GB/s in all, {}, {} page, {} GiB", device.name,
                        device.channel_gbytes_per_s() * channels, kMemorySchedulers.name(device.scheduler),
                        kRowPolicies.name(device.row_policy), s.memory.capacity_gib * c.scale));
    else if (s.has_memory())
        add(".memory.channel", channels,
            fmt::format("{:g} GB/s in all, {:g} ns, {} GiB", s.memory.bandwidth_gbps * c.scale, s.memory.latency_ns,
                        s.memory.capacity_gib * c.scale) +
                rtl_memory);
    if (c.sockets == 1) return;
    const LinkConfig link = c.link_at(group.range.first);
    add(".link", 1,
        fmt::format("{} lanes out and {} in of {:g} GB/s, {} balancer, {} cycles", link.lanes_out, link.lanes_in,
                    link.lane_gbps, kLaneBalancers.name(link.balancer), link.latency_cycles));
    if (link.errors.given())
        add(".link.errors", 1,
            fmt::format("a bit is wrong with a probability of {:g}; packets are sent again from a retry buffer",
                        link.errors.bit_error_rate));
    if (link.cut != LinkCutKind::none) add(".link.cut", 1, std::string(kLinkCuts.doc(link.cut)));
}
} // namespace

std::vector<SystemPart> describe_parts(const SystemConfig& c) {
    std::vector<SystemPart> parts;
    const auto add = [&](const std::string& path, unsigned count, const std::string& what) {
        parts.push_back({path, what, count});
    };
    add("dispatcher", 1,
        fmt::format("{} thread blocks, {} cycles a launch{}", kBlockSplits.name(c.dispatch.split),
                    c.dispatch.launch_cycles,
                    c.dispatch.message_cycles == 0 ? "" : fmt::format(", {} a message", c.dispatch.message_cycles)));
    add("driver", 1,
        fmt::format("{} placement of {} KiB pages{}, execution {}", kPlacements.name(c.placement.policy),
                    c.placement.page_kib, c.placement.memories.empty() ? "" : " in " + c.placement.memories,
                    kDriverExecutions.name(c.driver.execution)));
    if (copies_by_engines(c))
        add("copies", 1,
            fmt::format("{} copy engines of {} lines in flight each, from and to the memories of {}",
                        copying_sockets(c).size() * c.copies.engines, c.copies.lines_in_flight, c.copies.host));
    else if (c.copies.mode == CopyMode::into_l2)
        add("copies", 1, "take no time; lines copied to devices are put into the L2 of their home");
    else if (c.copies.mode == CopyMode::none)
        add("copies", 1, "none: host and kernels use the same memory");
    if (const HostCoreConfig& core = c.host_core; core.given())
        add("host_core", core.cores,
            fmt::format("{:g} GHz, {} instructions a cycle, a reorder buffer of {}, L1 {} KiB, L2 {} KiB, {} misses at "
                        "a time, in {}",
                        static_cast<double>(core.clock_khz) / 1e6, core.issue_width, core.window, core.l1_kib,
                        core.l2_kib, core.miss_registers, core.part));
    const std::vector<SocketGroup> groups = socket_groups(c);
    for (const SocketGroup& group : groups) {
        const bool core = host_core_socket(c) == SocketId(group.range.first);
        add(groups.size() == 1 && c.parts.empty() ? fmt::format("socket[0..{}]", c.sockets - 1) : group.name(),
            group.range.count(),
            core                     ? "the host's core, with:"
            : group.config->sms == 0 ? "memories without SMs, each with:"
                                     : "GPU sockets, each with:");
        describe_socket(c, group, groups.size() == 1 ? "socket" : group.name(), parts);
    }
    if (c.energy.given())
        add("energy", 1,
            fmt::format("of events; sockets' crossbars as {}, the network as {}", kNocForms.name(c.energy.noc.form),
                        kNetworkForms.name(c.energy.network.form)));
    if (c.sockets == 1) return parts;
    if (has_network(c))
        add("network", 1,
            network_words(c) +
                fmt::format(", {} virtual channels of {} B", 2 * c.network.virtual_channels, c.network.buffer_bytes));
    else
        add("switch", 1,
            fmt::format("{} x {}, {:g} GB/s in all, {} cycles", c.sockets, c.sockets,
                        static_cast<double>(switch_bytes_per_s(c)) / 1e9, c.switch_.latency_cycles));
    return parts;
}

} // namespace numavp
