#include "platform/machine/system_energy.h"

#include <algorithm>
#include <cmath>

#include "models/base/stats.h"
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
    for (const auto& s : m_.sockets) sms += s->sms.size();
    return c_.sm_w * real(sms) * m_.seconds() * kPjPerJ;
}

double SystemEnergy::sm_pj() const {
    double sum = 0;
    for (const auto& s : m_.sockets)
        for (const auto& sm : s->sms) {
            const SmCounts& n = sm->counts();
            const std::uint64_t accesses = std::min(sm->load_store_counts().instructions, n.instructions);
            sum += c_.sm_cycle_pj * real(n.busy_cycles) + (c_.instruction_pj + c_.operands_pj) * real(n.instructions) +
                   c_.compute_pj * real(n.instructions - accesses);
        }
    return sum;
}

double SystemEnergy::sectors_per_line() const {
    std::uint64_t sectors = 0, lines = 0;
    for (const auto& s : m_.sockets)
        for (const auto& sm : s->sms) {
            const LoadCounts& n = sm->load_store_counts();
            sectors += n.sectors;
            lines += n.load_lines + n.store_lines + n.atomic_lines;
        }
    return lines == 0 ? 0.0 : real(sectors) / real(lines);
}

double SystemEnergy::sectors_moved() const { return m_.sectored ? sectors_per_line() : kSectorsPerLine; }

double SystemEnergy::l1_pj() const {
    double lines_pj = 0;
    for (const auto& s : m_.sockets)
        for (const auto& sm : s->sms) {
            const LoadCounts& n = sm->load_store_counts();
            lines_pj += c_.l1_hit_pj * real(n.hits) +
                        c_.l1_miss_pj * real(n.load_lines - std::min(n.hits, n.load_lines)) +
                        c_.l1_store_pj * real(n.store_lines + n.atomic_lines);
        }
    return lines_pj * sectors_per_line();
}

double SystemEnergy::l2_pj() const {
    double reads = 0, filled = 0, writes = 0;
    for (const auto& s : m_.sockets) {
        if (!s->config().l2.has_cache()) continue;
        for (const auto& slice : s->slices) {
            const SliceCounts& n = slice->counts();
            for (const SliceCounts::Class& one : {n.local, n.remote, n.incoming})
                reads += real(one.hits + one.merged + one.misses);
            filled += m_.sectored ? real(n.fill_sectors) : kSectorsPerLine * real(n.fills);
            writes += real(n.writes);
        }
    }
    return c_.l2_read_pj * reads * sectors_moved() + c_.l2_fill_pj * filled +
           c_.l2_write_pj * writes * sectors_per_line();
}

double SystemEnergy::memory_pj() const {
    double sum = 0;
    for (const auto& s : m_.sockets)
        for (const auto& channel : s->channels) {
            if (!channel) continue; // a foreign one counts for itself
            const ChannelCounts& n = channel->counts();
            sum += c_.memory_read_pj * real(n.read_bytes) / kSectorBytes32 +
                   c_.memory_write_pj * real(n.write_bytes) / kSectorBytes32 +
                   c_.activate_pj * real(channel->activates());
        }
    return sum;
}

// --- networks on the chip

void SystemEnergy::add_crossbars(const Fabric& fabric, double lanes, unsigned bytes_per_cycle, Noc& sum) const {
    const double bits = 8.0 * bytes_per_cycle, flits = real(bytes_through(fabric)) / bytes_per_cycle;
    const CrossbarEnergy one{real(c_.noc.ports), bits, real(c_.noc.buffer_flits), c_.inner_wires};
    const WireEnergy wires{bits, c_.noc.wire_mm, c_.wire_factor};
    const double crossbars = c_.noc.stages * std::ceil(lanes / c_.noc.ports);
    sum.routers += flits * c_.noc.stages * one.flit_fj() * kPjPerFj;
    sum.wires += flits * wires.pass_fj() * kPjPerFj;
    const double leakage_w = (crossbars * one.leakage_uw() + lanes * wires.leakage_uw()) * kWPerUw;
    sum.standing += (leakage_w + crossbars * one.clock_fj() * kJPerFj * m_.clock_hz) * m_.seconds() * kPjPerJ;
}

void SystemEnergy::add_network(Noc& sum) const {
    const PacketNetwork& network = m_.network->network();
    const NetworkGraph& graph = network.graph();
    std::vector<unsigned> ports(graph.routers.size(), 0);
    for (const NetworkChannel& channel : graph.channels) ++ports[channel.from]; // and one comes back
    for (const NetworkTerminal& terminal : graph.terminals) ++ports[terminal.router];
    const double bits = 8.0 * m_.network->flit_bytes(), seconds = m_.seconds();
    const double hz = real(network.domain().khz()) * 1e3;
    const unsigned parts = c_.network.split ? 2 : 1;
    double flit_fj = 0, standing_w = 0;
    for (const unsigned all : ports) {
        const CrossbarEnergy one{real(all) / parts, bits, real(c_.network.buffer_flits), c_.inner_wires};
        flit_fj += one.flit_fj() / real(ports.size());
        standing_w += parts * (one.leakage_uw() * kWPerUw + one.clock_fj() * kJPerFj * hz);
    }
    const WireEnergy channel{bits, c_.network.channel_mm, c_.wire_factor},
        terminal{bits, c_.network.terminal_mm, c_.wire_factor};
    standing_w += (real(graph.channels.size()) * channel.leakage_uw() +
                   2 * real(graph.terminals.size()) * terminal.leakage_uw()) *
                  kWPerUw;
    const double between = real(m_.network->channel_flits()), arrived = real(network.flits());
    sum.routers += (between + arrived) * flit_fj * kPjPerFj;
    sum.wires += (between * channel.pass_fj() + 2 * arrived * terminal.pass_fj()) * kPjPerFj;
    sum.standing += standing_w * seconds * kPjPerJ;
}

/// Both ways of a socket's crossbar: bytes that pass, ports towards them, bytes a cycle of a port. A slice has one
/// port, though the model has a queue for its own SMs and one for those of others.
template <class See> void SystemEnergy::each_way(const See& see) const {
    for (const auto& s : m_.sockets) {
        const GpuSocketConfig& c = s->config();
        see(s->noc->request_fabric(), real(c.sms), real(c.l2.slices), c.noc.request_bytes_per_cycle);
        see(s->noc->response_fabric(), real(c.l2.slices), real(c.sms), c.noc.response_bytes_per_cycle);
    }
}

SystemEnergy::Noc SystemEnergy::noc() const {
    Noc sum;
    if (c_.noc.form == NocForm::crossbars)
        each_way([&](const Fabric& fabric, double inputs, double outputs, unsigned bytes_per_cycle) {
            add_crossbars(fabric, std::max(inputs, outputs), bytes_per_cycle, sum);
        });
    if (m_.network && c_.network.form == NetworkForm::crossbars) add_network(sum);
    return sum;
}

double SystemEnergy::point_to_point_pj() const {
    double sum = 0;
    if (c_.noc.form != NocForm::wires) return sum;
    each_way([&](const Fabric& fabric, double /*inputs*/, double outputs, unsigned bytes_per_cycle) {
        const double bits = 8.0 * bytes_per_cycle, passes = real(bytes_through(fabric)) / bytes_per_cycle;
        const WireEnergy wires{bits, c_.noc.wire_mm, c_.wire_factor};
        const RegisterEnergy end{bits};
        sum += passes * (wires.pass_fj() + end.pass_fj()) * kPjPerFj +
               outputs * (wires.leakage_uw() + end.leakage_uw()) * kWPerUw * m_.seconds() * kPjPerJ;
    });
    return sum;
}

double SystemEnergy::total_pj() const {
    return constant_pj() + sm_static_pj() + sm_pj() + l1_pj() + l2_pj() + memory_pj() + noc().sum() +
           point_to_point_pj() + m_.links_pj();
}

void SystemEnergy::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("energy");
    const auto add = [&](const char* name, std::function<double()> read, const char* doc) {
        g.sum(name, std::move(read), "pJ", doc);
    };
    add(
        "constant_pj", [this] { return constant_pj(); }, "Of what draws the same power all the time.");
    add(
        "sm_static_pj", [this] { return sm_static_pj(); }, "Static, of all SMs.");
    add(
        "sm_pj", [this] { return sm_pj(); }, "Of instructions in SMs and their pipelines, without L1.");
    add(
        "l1_pj", [this] { return l1_pj(); }, "Of accesses to L1s.");
    add(
        "l2_pj", [this] { return l2_pj(); }, "Of accesses to L2 slices and fills.");
    add(
        "memory_pj", [this] { return memory_pj(); }, "Of bytes of memories, and of rows opened.");
    add(
        "noc_pj", [this] { return noc().sum(); }, "Of networks on the chip that are crossbars: the next three.");
    add(
        "noc.routers_pj", [this] { return noc().routers; }, "Of flits in crossbars.");
    add(
        "noc.wires_pj", [this] { return noc().wires; }, "Of flits on the wires to, between and from crossbars.");
    add(
        "noc.static_pj", [this] { return noc().standing; }, "Leakage of these, and the clock of the crossbars.");
    add(
        "point_to_point_pj", [this] { return point_to_point_pj(); },
        "Of networks on the chip that are links between two points.");
    add(
        "links_pj", [this] { return m_.links_pj(); }, "Of links, the switch and channels between packages.");
    add(
        "total_pj", [this] { return total_pj(); }, "Of all components.");
}

} // namespace numavp
