/// The timer of the driver's core: MTIME counts ns; the interrupt is pending while MTIME is at or past MTIMECMP.
#pragma once

#include <cstdint>

#include "base/time/clockwork.h"
#include "models/fault_server/driver_core.h"
#include "models/fault_server/register_block.h"

namespace numavp {

class CoreTimer final : public RegisterDevice, private Arbiter {
  public:
    CoreTimer(ClockDomain& domain, Rank rank) : Arbiter(domain, rank) {}
    void connect(DriverCore& core) { core_ = &core; }

    std::uint64_t read_register(std::size_t index) override { return peek_register(index); }
    void write_register(std::size_t index, std::uint64_t value) override;
    std::uint64_t peek_register(std::size_t index) const override;
    /// Time until it interrupts; kNever if it does already, or never will.
    std::uint64_t ps_left() const;
    std::uint64_t now_ns() const { return domain_.clockwork().now_ps() / 1000; }

  private:
    void arbitrate() override { compare(); }
    void compare();

    DriverCore* core_ = nullptr;
    std::uint64_t compare_ns_ = ~std::uint64_t{0};
};

} // namespace numavp
