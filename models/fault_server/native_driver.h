/// The driver's C code, compiled for the simulating machine, in a thread of the simulation.
///
/// It takes no time between accesses to the bus; each access is charged a number of instructions, which was calibrated
/// on the instruction-set simulator. Interrupts reach it only where it waits for them, in the hardware abstraction
/// layer, so it is deterministic. Not modelled: interrupts during other code, memory of the driver.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <systemc>

#include "base/time/clockwork.h"
#include "models/fault_server/driver_bus.h"
#include "models/fault_server/driver_config.h"
#include "models/fault_server/driver_core.h"
#include "sw/driver/driver.h"

namespace numavp {

class NativeDriver final : public sc_core::sc_module,
                           public DriverCore,
                           private Arbiter,
                           private BusMaster,
                           private Handler {
  public:
    SC_HAS_PROCESS(NativeDriver);
    struct Resources {
        ClockDomain& domain; ///< the core's clock
        Rank rank;
        DriverBus& bus;
        const Policy* own; ///< the user's policy; null: none
    };
    NativeDriver(sc_core::sc_module_name name, const NativeDriverConfig& config, const Resources& resources);
    ~NativeDriver() override;

    void interrupt(bool level) override;
    void timer_interrupt(bool) override {} // it has none: it never waits for a time
    /// Takes effect when the driver has started, if it has not.
    void change(std::uint32_t policy, unsigned lab_percent) override;
    void halt() override { halted_ = true; }
    std::uint64_t instructions() const override { return accesses_ * config_.native_instructions; }
    std::string waiting_for() const override;
    const Driver& driver() const { return driver_; }

  private:
    struct PlatformHal : Hal {
        NativeDriver* owner = nullptr;
    };
    struct Change {
        std::uint32_t policy;
        unsigned lab_percent;
    };
    void run();
    void set_policy(const Change& change);
    void wait_for_interrupt();
    std::uint64_t access(const BusRequest& request);
    void bus_done(const BusReply& reply) override;
    void deliver(Node&) override { wake(); }
    /// Runs the driver in arbitration, so that a device's answer does not depend on the order of an edge's deliveries.
    void arbitrate() override {
        if (!halted_) bus_.start(request_, *this);
    }

    NativeDriverConfig config_;
    DriverBus& bus_;
    const Policy* own_;
    PlatformHal hal_;
    Driver driver_{};
    std::unique_ptr<void, void (*)(void*)> arena_;
    sc_core::sc_event answered_, interrupted_;
    Node start_;
    BusRequest request_;
    BusReply reply_;
    bool started_ = false;
    std::optional<Change> awaits_start_; ///< the last change before the driver had started
    bool level_ = false;
    bool on_bus_ = false;
    bool halted_ = false;
    std::uint64_t accesses_ = 0;
};

} // namespace numavp
