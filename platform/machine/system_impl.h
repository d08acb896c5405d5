/// Implementation of System: its modules and its observers.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/stats/part_list.h"
#include "base/time/delta_watch.h"
#include "models/cache/replication_control.h"
#include "models/copy/host_copies.h"
#include "models/cpu/host_core.h"
#include "models/dispatch/dispatcher.h"
#include "models/fault_server/host.h"
#include "models/socket/gpu_socket.h"
#include "platform/machine/gdb_session.h"
#include "platform/machine/kernel_ledger.h"
#include "platform/machine/slot_series.h"
#include "platform/machine/system.h"
#include "platform/machine/system_energy.h"
#include "platform/machine/system_waves.h"
#include "tlm-links/crossbar/switch_route.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/edge/edge_target_adapter.h"
#include "tlm-links/flits/link_cut.h"
#include "tlm-links/packet/network_fabric.h"
#include "tlm-links/protocol/access_log.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

/// Largest number of register accesses that serving a fault, or the driver's start, may take.
inline constexpr unsigned kMostDriverAccesses = 100;

struct System::Impl final : Dispatcher::Listener, ModelPart {
    Impl(const SystemConfig& config, const Workload& workload, const SystemOptions& options);
    ~Impl();

    void build_socket(unsigned socket, const SystemOptions& options);
    void bind(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name) {
        bind(from, to, name, domain);
    }
    void bind(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name,
              const ClockDomain& clock);
    double link_energy_pj() const; ///< energy of all packets between sockets
    void build_energy();
    std::uint64_t allocated_bytes(unsigned number) const; ///< bytes of the pages in memory `number`
    void list_parts();
    void add_statistics(StatGroup& machine) const override;
    std::string disagreement() override;
    void build_host(const SystemOptions& options);
    void connect_host();
    void open_debugger(const SystemOptions& options);
    void close_debugger(int status);
    void host_timeline();
    std::vector<MappedPage> mapped_pages() const;
    std::string page_table_text(const std::string& page) const;
    FaultSink* fault_sink(const SystemOptions& options);
    void watch_driver() const;
    void watch_waves(const SystemOptions& options);
    void build_sockets(const SystemOptions& options);
    void build_cut(unsigned socket, const SystemOptions& options);
    void connect_links();
    void build_network();
    std::unique_ptr<PacketRelay> make_channel_cut(LinkCutKind kind);
    void build_copies();
    void fail_copy(const std::string& why);
    void build_replication();
    void build_host_core(const SystemOptions& options);
    void host_sees_kernel();
    void host_sees_copy(const Launch& launch);
    void sample_from_now();
    tlm::tlm_target_socket<>& fabric_in(unsigned port);
    tlm::tlm_initiator_socket<>& fabric_out(unsigned port);
    void close_core_ports();
    void run(const std::function<void(const Progress&)>& report);
    void advance(std::uint64_t ps);
    void end_window();
    bool ended() const;
    Progress progress() const;
    [[noreturn]] void stuck(const std::string& why) const;
    void verify();
    void debug_read(std::uint64_t physical, unsigned char* out, std::size_t bytes);

    void copy_launched() override { sample_from_now(); }
    void kernel_launched(const LaunchRecord& record, bool alone) override;
    void kernel_started(const LaunchRecord& record) override { kernels->started(record, domain.now()); }
    void kernel_drained(const LaunchRecord& record) override { kernels->drained(record, domain.now()); }
    void kernel_ended(const LaunchRecord& record) override;
    void wave_ended(const LaunchRecord& record, SocketId socket, const BlockWave& wave) override;
    void all_ended() override;
    void no_place(const Kernel& kernel) override;
    void bad_work(const std::string& sentence) override;

    /// Takes a row of the time series at each interval.
    struct Sampler final : Arbiter {
        Sampler(Impl& owner, ClockDomain& d) : Arbiter(d, {kSystemRank, kRankControl, 1}), impl(owner) {}
        void arbitrate() override;
        Impl& impl;
    };
    /// Copies nothing: host and devices use the same memory.
    struct NoCopies final : CopyService {
        CopyStart copy(const Launch&, std::function<void()>) override { return CopyStart::nothing; }
    };
    /// Copies to devices put their lines into L2 in no time.
    struct CopiesIntoL2 final : CopyService {
        explicit CopiesIntoL2(Impl& owner) : impl(owner) {}
        CopyStart copy(const Launch& launch, std::function<void()>) override;
        Impl& impl;
        std::uint64_t held = 0; ///< lines that L2 has taken
    };
    /// Statistics of the pages placed in a memory, by a placement or a driver.
    struct Allocated final : ModelPart {
        Allocated(const Impl& owner, unsigned m) : impl(owner), memory(m) {}
        void add_statistics(StatGroup& owner) const override;
        void add_series(SeriesGroup& owner) const override;
        const Impl& impl;
        unsigned memory;
    };
    /// Debug access by physical address, through all caches.
    struct Debug final : tlm::tlm_fw_transport_if<> {
        explicit Debug(Impl& owner) : impl(owner) {}
        unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override {
            if (!payload.is_read()) return 0;
            impl.debug_read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
            return payload.get_data_length();
        }
        tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
            return tlm::TLM_COMPLETED;
        }
        void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
        bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
        Impl& impl;
    };

    /// Initiator of a core port to which no foreign initiator is connected; never called.
    struct Nobody final : tlm::tlm_bw_transport_if<> {
        tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
            return tlm::TLM_COMPLETED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    };

    SystemConfig config;
    const Workload& workload;
    Clockwork clockwork;
    ClockDomain& domain;
    TxnPool pool;
    std::unique_ptr<AccessLog> accesses; ///< null if none is followed
    AddressMap map;
    std::unique_ptr<PagePlacement> placement;
    PageTable pages;
    FlatMemory memory;
    TableMemory table_memory;
    RadixTable table;
    AddressSpace space;
    InstantPlacement instant;
    std::unique_ptr<ElfImage> image; ///< of the driver, on RISC-V
    std::unique_ptr<Host> host;      ///< null if the system has neither a driver nor tables on a host
    std::unique_ptr<GdbSession> gdb; ///< null without a debugger
    NoCopies no_copies;
    CopiesIntoL2 copies_into_l2{*this};
    std::unique_ptr<HostCopies> copies;  ///< null unless copies.mode is engines
    std::unique_ptr<HostCore> host_core; ///< null where the host's work takes no time
    Dispatcher dispatcher;
    std::vector<std::unique_ptr<GpuSocket>> sockets;
    std::unique_ptr<ReplicationControl> replication; ///< null if no slice may replicate
    SwitchRoute route;
    std::vector<std::unique_ptr<rtl::CxsRelay>> relays; ///< RTL relays of configured cuts
    std::vector<std::unique_ptr<LinkCut>> cuts;         ///< by socket; null: its link is not cut
    std::unique_ptr<Crossbar> fabric;                   ///< null where there is a network, or one socket alone
    std::unique_ptr<NetworkFabric> network;             ///< null where there is a switch
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
    std::vector<std::unique_ptr<EdgeInitiatorAdapter>> core_edges;
    std::map<std::pair<unsigned, unsigned>, EdgeInitiatorAdapter*> core_edge_of;
    std::set<std::pair<unsigned, unsigned>> driven; ///< core ports that foreign initiators have taken
    Nobody nobody;
    std::map<std::pair<unsigned, unsigned>, std::unique_ptr<EdgeTargetAdapter>> memory_edges;
    std::deque<Allocated> allocated;      ///< of each socket
    std::unique_ptr<SystemEnergy> energy; ///< null where only the energy of links is counted
    PartList parts;                       ///< all parts, in the order of reports
    StatGroup stats;
    SeriesRecorder series;
    std::unique_ptr<KernelLedger> kernels; ///< made after all statistics are registered
    std::unique_ptr<SlotSeries> slots;
    void sample(Cycle now) {
        series.sample(now);
        slots->sample(now);
    }
    Sampler sampler;
    std::unique_ptr<SystemWaves> waves; ///< null: no waveforms
    Debug debug{*this};
    std::vector<TimelineEvent> timeline;
    std::vector<TimedFault> recorded_faults;
    std::set<std::uint64_t> faulted_pages;
    struct ServedFault {
        std::uint64_t page;
        SocketId first;
        FaultTimes times;
    };
    std::vector<ServedFault> faults_served; ///< in the order in which they ended
    struct CopyDone {
        std::uint64_t since_ps, until_ps, bytes;
        SocketId from, to;
    };
    std::vector<CopyDone> copies_done;
    std::function<void(const std::string&)> invite;
    Cycle end_cycle = 0;
    /// Polling interval, in edges, of driver and debugger; aligned to absolute time, so that results do not depend on
    /// the caller's steps.
    static constexpr Cycle kWindow = 8192;
    unsigned spinning = 0; ///< windows in which the driver's core did nothing but run
    bool sampling = false;
    bool foreign = false;
    DeltaWatch deltas;
};

} // namespace numavp
