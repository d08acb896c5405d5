/// What the packages of a system share: page tables, walkers, the choice to replicate, checked wires.

#include "common/system/derived.h"
#include "platform/machine/system_impl.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

void System::Impl::connect_translation() {
    if (config.translation.mode == TranslationMode::off) {
        if (resources.options.faults != nullptr) throw ModelError("who serves page faults needs translation");
        return;
    }
    for (GpuSocket* s : sockets) instant.add_client(*s->mmu);
    if (config.translation.shared) {
        std::vector<SocketMmu*> all;
        for (GpuSocket* s : sockets) all.push_back(s->mmu.get());
        SocketMmu::share(all, config.translation.shared_at);
    }
    const bool by_stores = built.host && built.host->bus && has_driver(config);
    // The table's words are where walks read them.
    if (functional() && !resources.options.foreign_memory && !by_stores)
        table_memory.on_write = [this](PhysicalAddress at, TableWord word) {
            auto* const bytes = reinterpret_cast<unsigned char*>(&word.bits);
            const std::uint64_t line = at & ~std::uint64_t{kLineBytes - 1};
            const SocketId home = map.home_of(line);
            PackagePart* const package = built.package_of(home);
            if (!package) return memory.write(at, bytes, sizeof word.bits);
            const unsigned slice = map.slice_of(line, home);
            package->socket().channel_of(slice)->debug(at, bytes, sizeof word.bits, true);
            package->socket().debug_patch(slice, at, word.bits);
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

/// All ports of foreign modules that may be left open; a driver may not.
void System::Impl::close_ports() {
    if (built.host && built.host->driver_port && !driver_connected)
        throw ConfigError("driver.execution", "foreign leaves the driver to a program around the library, and none is "
                                              "connected; none, ideal, native and riscv are allowed without one");
    for (PackagePart* package : built.packages) package->close_core_ports();
}

} // namespace numavp
