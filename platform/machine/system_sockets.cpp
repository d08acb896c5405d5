/// Sockets of a system and the wires between their parts.

#include <algorithm>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "platform/machine/system_impl.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

namespace {
using Count = std::uint64_t;
} // namespace

void System::Impl::build_sockets(const SystemOptions& options) {
    sockets.resize(config.sockets);
    for (unsigned k = 0; k < config.sockets; ++k) {
        const unsigned s = options.order_seed % 2 ? config.sockets - 1 - k : k;
        build_socket(s, options);
    }
    if (config.translation.mode == TranslationMode::off) {
        if (options.faults != nullptr) throw ModelError("who serves page faults needs translation");
        return;
    }
    for (const auto& s : sockets) instant.add_client(*s->mmu);
    if (config.translation.shared) {
        std::vector<SocketMmu*> all;
        for (const auto& s : sockets) all.push_back(s->mmu.get());
        SocketMmu::share(all, config.translation.shared_at);
    }
    const bool by_stores = host && host->bus && has_driver(config);
    if (pool.functional && !options.foreign_memory && !by_stores) // the table's words are where walks read them
        table_memory.on_write = [this](PhysicalAddress at, TableWord word) {
            auto* const bytes = reinterpret_cast<unsigned char*>(&word.bits);
            const std::uint64_t line = at & ~std::uint64_t{kLineBytes - 1};
            const SocketId home = map.home_of(line);
            if (home.value >= sockets.size()) return memory.write(at, bytes, sizeof word.bits);
            const unsigned slice = map.slice_of(line, home);
            sockets[home.value]->channel_of(slice)->debug(at, bytes, sizeof word.bits, true);
            sockets[home.value]->slices[slice]->debug_patch(at, word.bits);
        };
}

void System::Impl::bind(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name,
                        const ClockDomain& clock) {
    if (!config.checks.protocol) {
        from.bind(to);
        return;
    }
    const ProtocolRules rules = ProtocolRules::platform(clock, clock);
    checkers.push_back(bind_checked(from, to, name.c_str(), &rules));
}

void System::Impl::build_socket(unsigned s, const SystemOptions& options) {
    const std::string name = "socket" + std::to_string(s);
    GpuSocket::Resources r{domain,
                           pool,
                           map,
                           pages,
                           SocketId(s),
                           options.hooks,
                           dispatcher,
                           pool.functional ? &memory : nullptr,
                           options.order_seed,
                           {},
                           {},
                           {&space, &table, fault_sink(options), options.walks}};
    r.bind = [this, name](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& wire,
                          const ClockDomain& clock) { bind(from, to, name + "_" + wire, clock); };
    if (options.foreign_memory)
        r.foreign_channel = [&, s](unsigned channel) -> tlm::tlm_target_socket<>* {
            if (memory_edges.count({s, channel})) return &memory_edges[{s, channel}]->port.socket;
            tlm::tlm_target_socket<>* target = options.foreign_memory(s, channel);
            if (!target) return nullptr;
            const SocketConfig& own = config.socket_at(s);
            if (own.l2.slices != own.memory.channels)
                throw ConfigError("socket.l2.slices", "a foreign memory needs one slice a channel");
            EdgeTargetConfig edge_config;
            edge_config.outstanding = own.l2.entries; // all that a slice has out
            auto edge = std::make_unique<EdgeTargetAdapter>(
                fmt::format("memory_edge_{}_{}", s, channel).c_str(), edge_config,
                EdgeResources{clockwork.domain(own.l2_khz(config.clock_khz)), pool,
                              Rank{static_cast<std::uint16_t>(s), kRankEdge, 1000 + channel}});
            edge->socket.bind(*target);
            foreign = true;
            return &(memory_edges[{s, channel}] = std::move(edge))->port.socket;
        };
    GpuSocketConfig built = socket_config(config, s, options.core_ports);
    if (built.memory.model == MemoryModel::axi4_rtl && s >= built.memory.rtl_sockets)
        built.memory.model = MemoryModel::channel;
    if (options.faults != nullptr) {
        built.mmu.faults = true;
        built.mmu.note_threshold = options.migration_threshold;
    }
    if (options.lanes) {
        const LaneSplit lanes = options.lanes(s);
        built.link.lanes_out = lanes.out;
        built.link.lanes_in = lanes.in;
    }
    sockets[s] = std::make_unique<GpuSocket>(name.c_str(), built, r);
    sockets[s]->on_ways = [this, s](Cycle at, unsigned l2, unsigned l1) {
        TimelineEvent event{at, at, static_cast<int>(s), "ways", "ways moved", {{"l2_local", Count{l2}}}};
        if (l1 != 0) event.args.emplace_back("l1_local", Count{l1});
        timeline.push_back(std::move(event));
    };
    if (sockets[s]->link)
        sockets[s]->link->on_lanes([this, s](Cycle at, LaneSplit lanes) {
            timeline.push_back({at,
                                at,
                                static_cast<int>(s),
                                "lanes",
                                "lanes turned",
                                {{"out", Count{lanes.out}}, {"in", Count{lanes.in}}}});
        });
    for (unsigned p = 0; p < options.core_ports; ++p) {
        EdgeInitiatorConfig edge;
        edge.range = {0, std::uint64_t{map.memories} << map.socket_shift};
        core_edges.push_back(std::make_unique<EdgeInitiatorAdapter>(
            fmt::format("core_edge_{}_{}", s, p).c_str(), edge,
            EdgeResources{sockets[s]->noc_clock(), pool, Rank{static_cast<std::uint16_t>(s), kRankEdge, p}}));
        core_edges.back()->set_router([this, s](Txn& txn) {
            txn.requester = SocketId(s);
            map.resolve(txn);
        });
        core_edges.back()->set_debug(&debug);
        bind(core_edges.back()->port.socket, sockets[s]->core_port(p), fmt::format("{}_wire_core_port{}", name, p),
             sockets[s]->noc_clock());
        core_edge_of[{s, p}] = core_edges.back().get();
    }
}

void System::Impl::build_replication() {
    const std::optional<unsigned> sampled = replicating_socket(config);
    if (config.replication.policy == ReplicationPolicy::none || !sampled) return;
    replication = std::make_unique<ReplicationControl>(config.replication, domain, Rank{kSystemRank, kRankControl, 2},
                                                       sockets[*sampled]->slices[0]->tags(),
                                                       replication_bandwidths(config, *sampled));
    for (unsigned s = 0; s < config.sockets; ++s)
        sockets[s]->set_replication(replication->replicates(), s == *sampled ? replication->sampler() : nullptr);
    replication->on_change = [this](Cycle at, bool on) {
        timeline.push_back({at, at, -1, "replication", on ? "replicas from here" : "no replicas from here"});
    };
}

/// SystemC wants every port bound: those that nobody asked for get an initiator that never calls.
void System::Impl::close_core_ports() {
    for (auto& [place, edge] : core_edge_of)
        if (driven.insert(place).second) edge->socket.get_base_port().bind(nobody);
}

} // namespace numavp
