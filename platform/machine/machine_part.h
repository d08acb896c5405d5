/// Parts of a machine, as a System builds and runs them. A part is what the factory of its kind makes
/// (platform/machine/part_factories.h): a package, the host, the switch or the network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tlm>

#include "base/stats/part_list.h"
#include "base/time/clockwork.h"
#include "models/socket/gpu_socket.h"
#include "platform/machine/shards.h"
#include "platform/machine/system.h"
#include "tlm-links/crossbar/switch_route.h"

namespace numavp {

class Host;
class MulticastMap;
class NetworkFabric;
class PackagePart;
class ReductionUnit;
struct HostRecord;

class MachinePart {
  public:
    MachinePart() = default;
    virtual ~MachinePart() = default;
    MachinePart(const MachinePart&) = delete;
    MachinePart& operator=(const MachinePart&) = delete;

    /// Binds the ports that lead to other parts; called once all are built.
    virtual void connect() {}
    /// Packages are shown before the system's own units, other parts behind them.
    virtual bool package() const { return false; }
    /// Appends what reports show of it.
    virtual void list(PartList& shown) = 0;
    /// A kernel begins while no other runs; all kernels have ended.
    virtual void launch() {}
    virtual void rest() {}
    /// Takes what may change during a run (common/system/changeable_setting.h) from the settings that hold now. Between
    /// edges, after a kernel's launch and before its first block; launch() follows if no other kernel runs.
    virtual void change(const SystemConfig& /*now*/) {}
    /// Its link to switch or network; null if it has none.
    virtual const Link* link() const { return nullptr; }
    /// Null unless it is a reduction unit.
    virtual const ReductionUnit* reduction() const { return nullptr; }
    /// True if foreign modules stand in it, which may hold requests while nothing is due.
    virtual bool foreign() const { return false; }
};

/// Switch or network between the packages: a port for each end, by number.
class FabricPart : public MachinePart {
  public:
    virtual tlm::tlm_target_socket<>& ingress(unsigned end) = 0;
    virtual tlm::tlm_initiator_socket<>& egress(unsigned end) = 0;
    /// Bytes that were sent towards an end.
    virtual std::uint64_t bytes_towards(unsigned end) const = 0;
    /// Null for a switch.
    virtual const NetworkFabric* network() const { return nullptr; }
};

/// The parts that are built, and which of them is what. Parts enter themselves.
struct BuiltParts {
    explicit BuiltParts(unsigned packages_of_machine) : packages(packages_of_machine), sockets(packages_of_machine) {}
    BuiltParts(const BuiltParts&) = delete;
    BuiltParts& operator=(const BuiltParts&) = delete;
    ~BuiltParts() {
        while (!all.empty()) all.pop_back(); // the last first
    }

    std::vector<std::unique_ptr<MachinePart>> all; ///< packages by number, then the rest
    std::vector<PackagePart*> packages;            ///< by number
    std::vector<GpuSocket*> sockets;               ///< of these
    Host* host = nullptr;                          ///< null: neither a driver nor tables on a host
    FabricPart* fabric = nullptr;                  ///< null: one package alone

    /// The package that is the home of a line; null if it is the host.
    PackagePart* package_of(SocketId home) const {
        return home.value < packages.size() ? packages[home.value] : nullptr;
    }
};

/// What parts are built from. It outlives them.
struct PartResources {
    const SystemConfig& config;
    const SystemOptions options;
    Clockwork& clockwork;
    const Shards& shards;
    ClockDomain& domain; ///< the core's, of what belongs to no package
    TxnPools& pools;
    TxnPool& pool; ///< of what belongs to no package
    const AddressMap& map;
    PageTable& pages;
    const MulticastMap& multicast;
    const AddressSpace& space;
    RadixTable& table;
    FlatMemory& memory; ///< bytes behind the channels of a functional run
    SmClient& client;
    SwitchRoute& route;
    std::vector<TimelineEvent>& timeline;
    HostRecord& host_record;
    BuiltParts& parts;
    BindPorts bind;                     ///< with a checker, where the system has them
    std::vector<SocketId> homes;        ///< memory_homes(config)
    std::function<FaultSink*()> faults; ///< who serves the page faults of packages
    std::function<std::uint64_t(unsigned memory)> allocated_bytes;
    tlm::tlm_fw_transport_if<>& debug; ///< reads by physical address through all caches
    std::function<void(std::uint64_t physical, unsigned char* out, std::size_t bytes)> debug_read;

    /// The core's clock and the records of a package's worker.
    ClockDomain& domain_of(unsigned package) const { return clockwork.domain(domain.khz(), shards.shard_of(package)); }
    TxnPool& pool_of(unsigned package) const { return pools.of(shards.shard_of(package)); }
    /// Binds ports in the core's clock.
    void bind_core(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name) const {
        bind(from, to, name, domain);
    }
};

} // namespace numavp
