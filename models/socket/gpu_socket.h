/// One GPU package: SMs, crossbar, L2 slices, memory channels, the link, and the way-partition controller. Without SMs
/// it is a memory with its caches; without memory it holds lines of others alone. The crossbar, and the slices with
/// their channels, may have clocks of their own; all else has the core's.
///
/// Crossbar ingress: SMs (in two stages the channels of their routers), then core ports for foreign initiators, then
/// the MMU and other devices if there are any, then the link. Egress: each slice's core side, then each slice's home
/// side, then the link (remote requests of MMU and devices; all remote ones if the L2 is memory-side; those that use no
/// replica if it is replicating).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/part_list.h"
#include "models/cache/l2_slice.h"
#include "models/memory/channel/memory_channel.h"
#include "models/memory/side_cache/memory_side_cache.h"
#include "models/mmu/socket_mmu.h"
#include "models/sm/sm.h"
#include "models/socket/clock_joins.h"
#include "models/socket/socket_config.h"
#include "tlm-links/crossbar/crossbar.h"
#include "tlm-links/link/link.h"

namespace numavp {

class ReplicationSampler;
class WayPartition;
struct PartitionSample;

/// Connections of an MMU to objects outside its socket.
struct TranslationParts {
    const AddressSpace* space = nullptr;
    const RadixTable* table = nullptr;
    FaultSink* sink = nullptr;
    WalkCheck* check = nullptr; ///< may stay null
};

class GpuSocket final : public sc_core::sc_module, public ModelPart {
  public:
    struct Resources {
        ClockDomain& domain; ///< the core's
        TxnPool& pool;
        const AddressMap& map;
        PageTable& pages;
        SocketId socket;
        DataHooks* hooks;
        SmClient& client;
        FlatMemory* memory;
        std::uint64_t order_seed;
        BindPorts bind;
        /// A module that stands for a memory channel, with one target port; null: our own.
        std::function<tlm::tlm_target_socket<>*(unsigned channel)> foreign_channel;
        TranslationParts translation;
    };
    GpuSocket(sc_core::sc_module_name name, const GpuSocketConfig& config, const Resources& resources);
    ~GpuSocket() override;

    std::vector<std::unique_ptr<Sm>> sms;
    std::unique_ptr<Crossbar> noc;                     ///< where there are two stages, the slices' routers together
    std::vector<std::unique_ptr<Crossbar>> sm_routers; ///< of the first of two stages; empty: there is one
    std::vector<std::unique_ptr<L2Slice>> slices;
    std::vector<std::unique_ptr<MemorySideCache>> side_caches; ///< a bank for each slice; empty: there is none
    std::vector<std::unique_ptr<MemoryChannel>> channels;      ///< null where a foreign memory stands
    std::unique_ptr<Link> link;
    std::unique_ptr<SocketMmu> mmu; ///< null if translation is off

    /// The memory channel of a slice; null if a foreign module models it, or the socket has no memory.
    MemoryChannel* channel_of(unsigned slice) {
        return channels.empty() ? nullptr : channels[slice / config_.memory.ports].get();
    }
    /// Copies the bytes of a line that the slice, or the cache between it and memory, has newer into `out`, and updates
    /// their copies after 8 bytes of memory changed in no time. Functional runs only.
    void debug_overlay(unsigned slice, std::uint64_t line, unsigned char* out);
    void debug_patch(unsigned slice, std::uint64_t address, std::uint64_t word);
    /// In the crossbar's clock.
    tlm::tlm_target_socket<>& core_port(unsigned i) { return noc->ingress(config_.sms + i); }
    /// In the core's clock.
    tlm::tlm_target_socket<>& device_port(unsigned i) { return *device_ports_[i]; }
    ClockDomain& noc_clock() { return noc_domain_; }
    const ClockDomain& sm_clock() const { return sm_domain_; }
    /// A kernel starts while no other runs.
    void launch();
    void rest();
    /// Takes what may change of its settings (common/system/changeable_setting.h), between edges.
    void change(const GpuSocketConfig& now);
    unsigned l2_local_ways() const { return l2_local_ways_; }
    unsigned l1_local_ways() const { return l1_local_ways_; }
    std::uint64_t way_changes() const { return way_changes_; }
    /// Before the simulation starts: while `replicates`, loads of lines that kernels only read look up this socket's
    /// slice first, wherever their home is. `sampler` gets the requests to slice 0; it may be null.
    void set_replication(const bool& replicates, ReplicationSampler* sampler) {
        route_.replicates = &replicates;
        route_.sampler = sampler;
    }
    /// Called at every change of the ways: edge, local ways of L2 and L1.
    std::function<void(Cycle, unsigned, unsigned)> on_ways;
    /// What lies behind the link, if it may be narrower: it bounds the bandwidth that the way-partition controller
    /// sees.
    struct BehindLink {
        std::function<std::uint64_t(Cycle)> capacity_bytes;     ///< towards the socket, in so many cycles of the core
        std::function<std::uint64_t(std::uint64_t)> wire_bytes; ///< that a packet of so many takes there
    };
    BehindLink behind_link;
    bool partitioned() const { return partition_ != nullptr; }
    /// Appends the socket and its parts; their names in reports begin with `owner`.
    void list_parts(PartList& parts, const PartOwner& owner);
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string disagreement() override;
    std::uint64_t memory_bytes() const;
    const GpuSocketConfig& config() const { return config_; }
    const LoadLatency& load_latency(bool remote) const { return load_latencies_[remote]; }

  private:
    struct Route final : RouteIf {
        const GpuSocketConfig* config = nullptr;
        const AddressMap* map = nullptr;
        SocketId socket;
        const bool* replicates = nullptr; ///< null: never
        ReplicationSampler* sampler = nullptr;
        const ClockDomain* domain = nullptr;
        unsigned egress(unsigned ingress, const Txn& txn) const override;
        void sample(unsigned ingress, const Txn& txn) const;
        bool passes_by(unsigned ingress, const Txn& txn) const;
    } route_;
    /// Of the SMs' routers: the channel to the router of the request's slice.
    struct ToSlices final : RouteIf {
        const AddressMap* map = nullptr;
        SocketId socket;
        unsigned ports = 1;    ///< of a router each side
        unsigned channels = 1; ///< to each router of slices
        unsigned egress(unsigned ingress, const Txn& txn) const override;
    } to_slices_;
    struct Control final : Arbiter {
        Control(GpuSocket& owner, ClockDomain& domain, Rank rank) : Arbiter(domain, rank), socket(owner) {}
        void arbitrate() override { socket.control(); }
        GpuSocket& socket;
    };
    std::unique_ptr<MemoryChannel> make_channel(unsigned i, const Resources& resources) const;
    std::unique_ptr<MemorySideCache> make_side_cache(unsigned i, const Resources& resources) const;
    std::unique_ptr<Crossbar> make_sm_router(unsigned i) const;
    void wire(const Resources& resources);
    void wire_sms(const Resources& resources);
    void wire_slices(const Resources& resources);
    void wire_memory(unsigned slice, const Resources& resources);
    std::unique_ptr<WayPartition> make_partition() const;
    void change_partition(const WayPartitionConfig& now);
    void begin_sampling();
    void control();
    void apply();
    PartitionSample sample();

    GpuSocketConfig config_;
    ClockDomain& domain_;
    ClockDomain& sm_domain_;
    ClockDomain& noc_domain_;
    ClockDomain& l2_domain_;
    ClockJoins joins_;
    std::vector<tlm::tlm_target_socket<>*> device_ports_;
    LoadLatencies load_latencies_;
    std::unique_ptr<WayPartition> partition_;
    std::unique_ptr<Control> control_;
    bool sampling_ = false;
    Cycle next_sample_ = kNever;
    Cycle apply_at_ = kNever;
    unsigned l2_local_ways_ = 0, l1_local_ways_ = 0;
    std::uint64_t way_changes_ = 0;
    WaveGroup* way_waves_ = nullptr; ///< null: no waveforms
    std::uint64_t last_memory_bytes_ = 0, last_reads_ = 0, last_read_bytes_ = 0, last_incoming_ = 0;
};

} // namespace numavp
