#include "platform/machine/system_energy.h"

#include <algorithm>
#include <cmath>

#include "base/stats/stats.h"
#include "models/energy/wire_energy.h"

namespace numavp {

namespace {
constexpr double kSectorsPerLine = 4, kSectorBytes32 = 32;
constexpr double kPjPerFj = 1e-3, kPjPerJ = 1e12, kWPerUw = 1e-6, kJPerFj = 1e-15;

double real(std::uint64_t count) { return static_cast<double>(count); }

std::uint64_t bytes_through(const Fabric& fabric) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < fabric.outputs(); ++i) sum += fabric.counts(i).bytes;
    return sum;
}
} // namespace

// --- the GPU

double SystemEnergy::constant_pj() const { return c_.constant_w * m_.seconds() * kPjPerJ; }

double SystemEnergy::sm_static_pj() const {
    std::size_t sms = 0;
    for (const GpuSocket* s : m_.sockets) sms += s->sms.size();
    return c_.sm_w * real(sms) * m_.seconds() * kPjPerJ;
}

double SystemEnergy::sm_pj() const {
    double sum = 0;
    for (const GpuSocket* s : m_.sockets)
        for (const auto& sm : s->sms) {
            const SmCounts& n = sm->counts();
            const std::uint64_t accesses = std::min(sm->load_store_counts().instructions, n.instructions);
            sum += c_.sm_cycle_pj * real(n.busy_cycles) + (c_.instruction_pj + c_.operands_pj) * real(n.instructions) +
                   c_.compute_pj * real(n.instructions - accesses);
        }
    return sum;
}

double SystemEnergy::l1_pj() const {
    double sum = 0;
    for (const GpuSocket* s : m_.sockets)
        for (const auto& sm : s->sms) {
            const LoadCounts& n = sm->load_store_counts();
            sum += c_.l1_hit_pj * real(n.hit_sectors) + c_.l1_store_pj * real(n.store_sectors) +
                   c_.l1_miss_pj * real(n.sectors - n.hit_sectors - n.store_sectors);
        }
    return sum;
}

double SystemEnergy::l2_pj() const {
    double sum = 0;
    for (const GpuSocket* s : m_.sockets) {
        if (!s->config().l2.has_cache()) continue;
        for (const auto& slice : s->slices) {
            const SliceCounts& n = slice->counts();
            const double filled = m_.sectored ? real(n.fill_sectors) : kSectorsPerLine * real(n.fills);
            sum += c_.l2_read_pj * real(n.hit_sectors) + c_.l2_fill_pj * filled +
                   c_.l2_write_pj * real(n.write_sectors + n.atomic_sectors);
        }
    }
    return sum;
}

bool SystemEnergy::has_side_caches() const {
    return std::any_of(m_.sockets.begin(), m_.sockets.end(),
                       [](const GpuSocket* s) { return !s->side_caches.empty(); });
}

double SystemEnergy::side_caches_pj() const {
    double sum = 0;
    for (const GpuSocket* s : m_.sockets)
        for (const auto& bank : s->side_caches) sum += bank->energy_pj();
    return sum;
}

double SystemEnergy::memory_pj() const {
    double sum = 0;
    for (const GpuSocket* s : m_.sockets)
        for (const auto& channel : s->channels) {
            if (!channel) continue; // a foreign one counts for itself
            const ChannelCounts& n = channel->counts();
            sum += c_.memory_read_pj * real(n.read_bytes) / kSectorBytes32 +
                   c_.memory_write_pj * real(n.write_bytes) / kSectorBytes32 +
                   c_.activate_pj * real(channel->activates());
        }
    return sum;
}

double SystemEnergy::reductions_pj() const {
    double sum = 0;
    for (const ReductionUnit* unit : m_.reductions) sum += unit->energy_pj();
    return sum;
}

// --- networks on the chip

void SystemEnergy::add_crossbars(const Way& way, Noc& sum) const {
    const double lanes = std::max(way.inputs, way.outputs);
    const double bits = 8.0 * way.bytes_per_cycle;
    const CrossbarEnergy one{real(c_.noc.ports), bits, real(c_.noc.buffer_flits), c_.inner_wires};
    const WireEnergy wires{bits, c_.noc.wire_mm, c_.wire_factor};
    const double crossbars = c_.noc.stages * std::ceil(lanes / c_.noc.ports);
    sum.routers += way.routers * one.flit_fj() * kPjPerFj;
    sum.wires += way.routers / c_.noc.stages * wires.pass_fj() * kPjPerFj;
    const double leakage_w = (crossbars * one.leakage_uw() + lanes * wires.leakage_uw()) * kWPerUw;
    sum.standing += (leakage_w + crossbars * one.clock_fj() * kJPerFj * way.clock_hz) * m_.seconds() * kPjPerJ;
}

void SystemEnergy::add_network(Noc& sum) const {
    const PacketNetwork& network = m_.network->network();
    const NetworkGraph& graph = network.graph();
    std::vector<unsigned> ports(graph.routers.size(), 0);
    for (const NetworkChannel& channel : graph.channels) ++ports[channel.from]; // and one comes back
    for (const NetworkTerminal& terminal : graph.terminals) ++ports[terminal.router];
    const double bits = 8.0 * m_.network->flit_bytes(), hz = real(network.domain().khz()) * 1e3;
    const unsigned parts = c_.network.split ? 2 : 1;
    std::vector<double> flit_fj;
    double standing_w = 0;
    for (const unsigned all : ports) {
        const CrossbarEnergy one{real((all + parts - 1) / parts), bits, real(c_.network.buffer_flits), c_.inner_wires};
        flit_fj.push_back(one.flit_fj());
        standing_w += parts * (one.leakage_uw() * kWPerUw + one.clock_fj() * kJPerFj * hz);
    }
    // A flit comes into a router and leaves it, each by a channel or a terminal: half its price each.
    double passed_fj = 0, between = 0, at_terminals_fj = 0;
    for (unsigned i = 0; i < graph.channels.size(); ++i) {
        const NetworkChannel& channel = graph.channels[i];
        const double flits = real(network.core().channel_flits(i));
        between += flits;
        passed_fj += flits * (flit_fj[channel.from] + flit_fj[channel.to]) / 2;
    }
    for (const NetworkTerminal& terminal : graph.terminals)
        at_terminals_fj += flit_fj[terminal.router] / real(graph.terminals.size());
    const double arrived = real(network.flits());
    const WireEnergy channel{bits, c_.network.channel_mm, c_.wire_factor};
    const WireEnergy terminal{bits, c_.network.terminal_mm, c_.wire_factor};
    standing_w += (real(graph.channels.size()) * channel.leakage_uw() +
                   2 * real(graph.terminals.size()) * terminal.leakage_uw()) *
                  kWPerUw;
    sum.routers += (passed_fj + arrived * at_terminals_fj) * kPjPerFj;
    sum.wires += (between * channel.pass_fj() + 2 * arrived * terminal.pass_fj()) * kPjPerFj;
    sum.standing += standing_w * m_.seconds() * kPjPerJ;
}

/// Both ways of each socket's crossbar. A slice has one port, though the model has a queue for its own SMs and one for
/// those of others. Of two stages that are modelled, packets of the link and of others that are no SMs pass the second.
template <class See> void SystemEnergy::each_way(const See& see) const {
    for (const GpuSocket* s : m_.sockets) {
        const GpuSocketConfig& c = s->config();
        const double hz = real(c.noc_khz(m_.core_khz)) * 1e3;
        const auto way = [&](const Fabric& (Crossbar::*fabric)() const, double inputs, double outputs, unsigned bytes) {
            const double flits = real(bytes_through(((*s->noc).*fabric)())) / bytes;
            double routers = flits * (s->sm_routers.empty() ? c_.noc.stages : 1.0);
            for (const auto& router : s->sm_routers) routers += real(bytes_through(((*router).*fabric)())) / bytes;
            see(Way{flits, routers, inputs, outputs, bytes, hz});
        };
        way(&Crossbar::request_fabric, real(c.sms), real(c.l2.slices), c.noc.request_bytes_per_cycle);
        way(&Crossbar::response_fabric, real(c.l2.slices), real(c.sms), c.noc.response_bytes_per_cycle);
    }
}

SystemEnergy::Noc SystemEnergy::noc() const {
    Noc sum;
    if (c_.noc.form == NocForm::crossbars) each_way([&](const Way& way) { add_crossbars(way, sum); });
    if (m_.network && c_.network.form == NetworkForm::crossbars) add_network(sum);
    return sum;
}

double SystemEnergy::point_to_point_pj() const {
    double sum = 0;
    if (c_.noc.form != NocForm::wires) return sum;
    each_way([&](const Way& way) {
        const double bits = 8.0 * way.bytes_per_cycle;
        const WireEnergy wires{bits, c_.noc.wire_mm, c_.wire_factor};
        const RegisterEnergy end{bits};
        sum += way.flits * (wires.pass_fj() + end.pass_fj()) * kPjPerFj +
               way.outputs * (wires.leakage_uw() + end.leakage_uw()) * kWPerUw * m_.seconds() * kPjPerJ;
    });
    return sum;
}

double SystemEnergy::total_pj() const {
    return constant_pj() + sm_static_pj() + sm_pj() + l1_pj() + l2_pj() + side_caches_pj() + memory_pj() + noc().sum() +
           point_to_point_pj() + reductions_pj() + m_.links_pj();
}

void SystemEnergy::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("energy");
    const auto add = [&](const char* name, std::function<double()> read, const char* doc) {
        g.sum(name, std::move(read), "pJ", doc);
    };
    add(
        "constant_pj", [this] { return constant_pj(); }, "Energy of parts that draw the same power all the time.");
    add(
        "sm_static_pj", [this] { return sm_static_pj(); }, "Static energy of all SMs.");
    add(
        "sm_pj", [this] { return sm_pj(); }, "Energy of instructions in SMs and their pipelines, without L1.");
    add(
        "l1_pj", [this] { return l1_pj(); }, "Energy of accesses to L1s.");
    add(
        "l2_pj", [this] { return l2_pj(); }, "Energy of accesses to L2 slices and fills.");
    if (has_side_caches())
        add(
            "memory_cache_pj", [this] { return side_caches_pj(); },
            "Energy of accesses to memory-side caches and fills.");
    add(
        "memory_pj", [this] { return memory_pj(); }, "Energy of bytes of memories, and of rows opened.");
    if (!m_.reductions.empty())
        add(
            "reduction_pj", [this] { return reductions_pj(); }, "Energy of additions in switches.");
    add(
        "noc_pj", [this] { return noc().sum(); },
        "Energy of networks on the chip that are crossbars: routers, wires and static.");
    add(
        "noc.routers_pj", [this] { return noc().routers; }, "Energy of flits in crossbars.");
    add(
        "noc.wires_pj", [this] { return noc().wires; }, "Energy of flits on the wires to, between and from crossbars.");
    add(
        "noc.static_pj", [this] { return noc().standing; },
        "Energy of leakage and clock of the crossbars and their wires.");
    add(
        "point_to_point_pj", [this] { return point_to_point_pj(); },
        "Energy of networks on the chip that are links between two points.");
    add(
        "links_pj", [this] { return m_.links_pj(); }, "Energy of links, the switch and channels between packages.");
    add(
        "total_pj", [this] { return total_pj(); }, "Energy of all components.");
}

} // namespace numavp
