/// The driver at a fixed latency: when a fault has waited that long, the driver's C code is called, in no time.
///
/// The page-fault unit shows a fault to it only after the latency. It only places pages: filling, evicting or migrating
/// them needs the copy engine or the sockets, and so time that this execution does not have.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/time/clockwork.h"
#include "models/fault_server/device_map.h"
#include "models/fault_server/driver_core.h"
#include "models/mmu/table_memory.h"
#include "sw/driver/driver.h"

namespace numavp {

/// The copy engine of this execution: clears table pages in no time and refuses all other commands.
class TableCleaner final : public RegisterDevice {
  public:
    explicit TableCleaner(RadixTable& tables) : tables_(tables) {}
    std::uint64_t read_register(std::size_t index) override { return peek_register(index); }
    std::uint64_t peek_register(std::size_t index) const override;
    void write_register(std::size_t index, std::uint64_t value) override;

  private:
    RadixTable& tables_;
    std::uint64_t target_ = 0, bytes_ = 0, done_ = 0;
    bool refused_ = false;
};

class IdealDriver final : public DriverCore, private Arbiter {
  public:
    struct Resources {
        ClockDomain& domain;
        Rank rank;
        DeviceMap& devices;
        RadixTable& tables;
        const Policy* own; ///< the user's policy; null: none
    };
    IdealDriver(std::uint64_t arena_bytes, const Resources& resources);

    void interrupt(bool level) override {
        if (level) wake();
    }
    void timer_interrupt(bool) override {}
    /// A driver that has not started reads the changed registers then.
    void change(std::uint32_t policy, unsigned lab_percent) override;
    void halt() override {}
    std::uint64_t instructions() const override { return 0; }
    std::string waiting_for() const override { return "an interrupt"; }

  private:
    struct DirectHal : Hal {
        IdealDriver* owner = nullptr;
    };
    void arbitrate() override;
    std::uint64_t access(const BusRequest& request);

    DeviceMap& devices_;
    RadixTable& tables_;
    const Policy* own_;
    DirectHal hal_;
    Driver driver_{};
    std::unique_ptr<void, void (*)(void*)> arena_;
    std::uint64_t arena_bytes_;
    bool started_ = false;
};

} // namespace numavp
