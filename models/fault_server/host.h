/// The host: serves the page faults of the sockets, on a port of the switch.
///
/// It always has the page-fault unit and the driver in one of its executions. Where the driver takes time it also has a
/// core with bus, timer and registers, the copy engine, a memory with bandwidth and latency, and a link. A host without
/// sockets (replay of recorded faults) has no link. Not modelled: caches of the core, other work of the host.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/stats/part_list.h"
#include "models/fault_server/bus_port.h"
#include "models/fault_server/copy_engine.h"
#include "models/fault_server/core_timer.h"
#include "models/fault_server/driver_bus.h"
#include "models/fault_server/driver_config.h"
#include "models/fault_server/fault_unit.h"
#include "models/fault_server/ideal_driver.h"
#include "models/fault_server/native_driver.h"
#include "models/fault_server/riscv_driver.h"
#include "models/fault_server/system_registers.h"
#include "models/memory/channel/channel.h"
#include "models/riscv/elf_image.h"
#include "tlm-links/link/link.h"

namespace numavp {

/// All that a host is built from.
struct HostConfig {
    DriverConfig driver; ///< execution `none`: a memory on the switch, and no driver
    bool alone = false;  ///< without sockets
    SocketId number{1};  ///< of its memory in physical addresses, and of its ranks
    CopyEngineConfig copies;
    ChannelConfig memory;
    LinkConfig link;
};

class Host final : public sc_core::sc_module, public ModelPart {
  public:
    struct Resources {
        ClockDomain& domain;
        ClockDomain& core_domain;
        TxnPool& pool;
        const AddressMap& map;
        RadixTable& tables;
        FlatMemory* memory;    ///< of a functional run
        const ElfImage* image; ///< of the RISC-V execution
        std::function<void(tlm::tlm_initiator_socket<>&, tlm::tlm_target_socket<>&, const std::string&)> bind;
        const Policy* own_policy = nullptr; ///< the user's, of a driver in C; null: none
    };
    Host(sc_core::sc_module_name name, const HostConfig& config, const Resources& resources);
    ~Host() override;

    FaultUnit& faults() { return *faults_; }
    const FaultUnit& faults() const { return *faults_; }
    SystemRegisters& registers() { return registers_; }
    const SystemRegisters& registers() const { return registers_; }
    DeviceMap& devices() { return devices_; }
    const DeviceMap& devices() const { return devices_; }
    bool has_core() const { return core_ != nullptr; } ///< not if the driver is foreign, or there are only tables on it
    const DriverCore& core() const { return *core_; }
    // Null where the execution has none.
    std::unique_ptr<Channel> memory;
    std::unique_ptr<Link> link;
    std::unique_ptr<DriverBus> bus;
    std::unique_ptr<CopyEngine> copies;
    RiscvDriver* riscv() { return riscv_; }
    std::unique_ptr<BusPort> driver_port; ///< of a foreign driver
    /// Connects the interrupts to a foreign driver; only if the host has no core.
    void connect_driver(InterruptTaker& taker) { line_.connect(taker); }

    /// True if no fault, invalidation, copy or memory access is under way. The driver's core may still run.
    bool drained() const override;
    /// Time in ps for which a fault has waited without any progress of the driver; 0 if none waits.
    std::uint64_t silent_ps(std::uint64_t now_ps) const;
    /// Takes the policy and the threshold of balance that the registers have now, between edges.
    void change();
    /// Stops the core at the end of the simulation; by itself it may never go idle.
    void halt() { core_->halt(); }
    /// Appends the host's parts, and the host itself for its core, bus, memory and link.
    void list_parts(PartList& parts);
    void add_statistics(StatGroup& host) const override;
    void add_series(SeriesGroup& host) const override;
    void add_waves(WaveSet& waves, const std::string& host) override;
    /// Describes what the core waits for, if faults wait; else empty.
    std::string waiting_for() const override;

  private:
    void build_memory(const Resources& resources);
    void build_devices(const Resources& resources);
    void build_core(const Resources& resources);

    HostConfig config_;
    Rank rank_;
    InterruptLine line_;
    DeviceMap devices_;
    SystemRegisters registers_;
    std::unique_ptr<FaultUnit> faults_;
    std::unique_ptr<TableCleaner> cleaner_;
    std::unique_ptr<CoreTimer> timer_;
    std::unique_ptr<DriverCore> core_;
    RiscvDriver* riscv_ = nullptr;
};

} // namespace numavp
