/// The executor of the driver (ideal, native or RISC-V), as the devices around it see it.
#pragma once

#include <cstdint>
#include <string>

#include "models/fault_server/interrupt_line.h"

namespace numavp {

class DriverCore : public InterruptTaker {
  public:
    virtual ~DriverCore() = default;
    virtual void timer_interrupt(bool level) = 0;
    /// Asks this policy of sw/driver/policy.c from the next fault on, with another threshold of balance. A core that
    /// executes firmware can't be told: firmware reads its registers when it starts.
    virtual void change(std::uint32_t /*policy*/, unsigned /*lab_percent*/) {}
    /// Stops execution for good.
    virtual void halt() = 0;
    /// Number of instructions executed, or charged where the driver runs without executing any.
    virtual std::uint64_t instructions() const = 0;
    /// Describes where the driver is and what it waits for, in words.
    virtual std::string waiting_for() const = 0;
};

} // namespace numavp
