/// The driver's core as an instruction-set simulator on the clockwork.
///
/// The core runs ahead of simulated time by at most a quantum of instructions. Simulated time catches up with it before
/// an access to a device or to a memory of the platform, a read of the CSR `time` or an atomic, and in WFI. So the
/// timing of a driver that idles in WFI is exact with any quantum. An interrupt that comes while the core is ahead is
/// taken at the core's present instruction: late by less than a quantum.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/time/clockwork.h"
#include "models/fault_server/driver_bus.h"
#include "models/fault_server/driver_config.h"
#include "models/fault_server/driver_core.h"

namespace numavp {

class ElfImage;
class Rv64Core;
enum class CoreStop : std::uint8_t;

class RiscvDriver final : public DriverCore, private Arbiter, private BusMaster {
  public:
    struct Resources {
        ClockDomain& domain; ///< the core's clock
        Rank rank;
        DriverBus& bus;
    };
    RiscvDriver(const RiscvDriverConfig& config, const Resources& resources, const ElfImage& image);
    ~RiscvDriver() override;

    void interrupt(bool level) override;
    void timer_interrupt(bool level) override;
    void halt() override { halted_ = true; }
    std::uint64_t instructions() const override;
    std::string waiting_for() const override;

    Rv64Core& core() { return *core_; }
    unsigned char* ram() { return ram_.get(); }
    std::uint64_t ram_bytes() const { return config_.ram_bytes(); }
    /// Time in ps until the timer interrupts, where simulated time must catch up too; kNever if it will not.
    std::function<std::uint64_t()> ps_to_timer;
    /// Called in place of Rv64Core::run() for a debugger: same budget, same stops, but it handles breakpoints itself.
    std::function<CoreStop(std::uint64_t budget)> debugger;

  private:
    void arbitrate() override;
    void bus_done(const BusReply& reply) override;
    void run();
    std::uint64_t budget() const;
    void access();

    RiscvDriverConfig config_;
    DriverBus& bus_;
    std::unique_ptr<unsigned char, void (*)(void*)> ram_; ///< of zeros; pages of it are touched as the core needs them
    std::unique_ptr<Rv64Core> core_;
    const ElfImage& image_;
    Cycle free_at_ = 0; ///< the core's local time
    bool halted_ = false;
    bool on_bus_ = false;     ///< an access is open
    bool access_due_ = false; ///< an access is to be made at its local time
};

} // namespace numavp
