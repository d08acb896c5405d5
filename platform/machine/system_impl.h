/// Implementation of System: its modules and its observers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/part_list.h"
#include "base/time/delta_watch.h"
#include "common/system/changed_system.h"
#include "models/cache/replication_control.h"
#include "models/copy/host_copies.h"
#include "models/cpu/host_core.h"
#include "models/dispatch/dispatcher.h"
#include "models/paging/multicast_map.h"
#include "models/paging/page_placement.h"
#include "platform/machine/gdb_session.h"
#include "platform/machine/host_part.h"
#include "platform/machine/kernel_ledger.h"
#include "platform/machine/package_part.h"
#include "platform/machine/shards.h"
#include "platform/machine/slot_series.h"
#include "platform/machine/system.h"
#include "platform/machine/system_energy.h"
#include "platform/machine/system_waves.h"
#include "tlm-links/crossbar/switch_route.h"
#include "tlm-links/protocol/access_log.h"
#include "tlm-links/protocol/flag_board.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

struct System::Impl final : Dispatcher::Listener, ModelPart {
    Impl(const SystemConfig& config, const Workload& workload, const SystemOptions& options);
    ~Impl();

    void bind(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name) {
        bind(from, to, name, domain);
    }
    void bind(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name,
              const ClockDomain& clock);
    double link_energy_pj() const; ///< energy of all packets between sockets
    bool functional() const { return resources.pool.functional; }
    void build_energy();
    std::vector<const ReductionUnit*> reductions() const;
    std::uint64_t allocated_bytes(unsigned number) const; ///< bytes of the pages in memory `number`
    PartResources resources_of_parts(const SystemOptions& options);
    void build_parts();
    void connect_translation();
    void list_parts();
    void add_statistics(StatGroup& machine) const override;
    std::string disagreement() override;
    void open_debugger(const SystemOptions& options);
    void close_debugger(int status);
    void host_timeline();
    std::vector<MappedPage> mapped_pages() const;
    std::string page_table_text(const std::string& page) const;
    void watch_driver() const;
    void watch_waves(const SystemOptions& options);
    void build_copies();
    void fail_copy(const std::string& why);
    void build_replication();
    void build_host_core(const SystemOptions& options);
    void host_sees_kernel();
    void host_sees_copy(const Launch& launch);
    void sample_from_now();
    bool changes_at(std::uint64_t kernel) const;
    void begin_branch(const BranchPoint& branch);
    void launch_parts();
    void cross_boundaries();
    void change(std::uint64_t kernel, const SystemConfig& now);
    void close_ports();
    void run(const std::function<void(const Progress&)>& report);
    std::uint64_t advance(std::uint64_t ps);
    [[noreturn]] static void stopped(std::uint64_t left_ps);
    void end_window();
    bool ended() const;
    Progress progress() const;
    [[noreturn]] void stuck(const std::string& why) const;
    void verify();
    void debug_read(std::uint64_t physical, unsigned char* out, std::size_t bytes);
    std::size_t debug_write(std::uint64_t physical, const unsigned char* bytes, std::size_t count);
    unsigned debug_access(tlm::tlm_generic_payload& payload);

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
    /// Reads and writes by physical address: the newest bytes, in memory and in all copies in L2s.
    struct Debug final : tlm::tlm_fw_transport_if<> {
        explicit Debug(Impl& owner) : impl(owner) {}
        unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override { return impl.debug_access(payload); }
        tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
            return tlm::TLM_COMPLETED;
        }
        void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
        bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
        Impl& impl;
    };

    SystemConfig config;                ///< at the start, with the changes to come
    std::vector<ChangedSystem> changes; ///< of these
    PlacementConfig placed;             ///< settings of `placement`
    const Workload workload;            ///< of its own: settings that change look at it during the run
    const Shards shards;
    Clockwork clockwork;
    ClockDomain& domain;
    TxnPools pool;
    std::unique_ptr<AccessLog> accesses; ///< null if none is followed
    AddressMap map;
    ReplaceablePlacement placement;
    PageTable pages;
    const MulticastMap multicast;
    FlagBoard flags;
    FlatMemory memory;
    TableMemory table_memory;
    RadixTable table;
    AddressSpace space;
    InstantPlacement instant;
    NoCopies no_copies;
    CopiesIntoL2 copies_into_l2{*this};
    std::unique_ptr<HostCopies> copies;  ///< null unless copies.mode is engines
    std::unique_ptr<HostCore> host_core; ///< null where the host's work takes no time
    Dispatcher dispatcher;
    SwitchRoute route;
    Debug debug{*this};
    std::vector<TimelineEvent> timeline;
    HostRecord host_record;
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
    PartResources resources; ///< of the parts
    BuiltParts built;
    const std::vector<GpuSocket*>& sockets = built.sockets;
    std::unique_ptr<GdbSession> gdb;                 ///< null without a debugger
    std::unique_ptr<ReplicationControl> replication; ///< null if no slice may replicate
    std::unique_ptr<SystemEnergy> energy;            ///< null where only links cost
    PartList parts;                                  ///< all that is shown, in the order of reports
    /// Launches of this edge at which settings change, or branches begin.
    struct Boundary {
        std::uint64_t kernel = 1;
        bool alone = false;
    };
    std::vector<Boundary> boundaries;
    std::uint64_t last_launch = 0; ///< highest number of a kernel's launch so far
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
    std::function<void(const std::string&)> invite;
    Cycle end_cycle = 0;
    /// Polling interval, in edges, of driver and debugger; aligned to absolute time, so that results do not depend on
    /// the caller's steps.
    static constexpr Cycle kWindow = 8192;
    unsigned spinning = 0; ///< windows in which the driver's core did nothing but run
    bool sampling = false;
    bool foreign = false;
    bool driver_connected = false; ///< of driver.execution foreign
    DeltaWatch deltas;
};

} // namespace numavp
