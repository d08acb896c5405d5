/// What runs the driver: the same to the devices around it, whatever it is.
#pragma once

#include <cstdint>
#include <string>

#include "models/host/interrupt_line.h"

namespace numavp {

class DriverCore : public InterruptTaker {
  public:
    virtual ~DriverCore() = default;
    virtual void timer_interrupt(bool level) = 0;
    /// Does nothing more.
    virtual void halt() = 0;
    /// Executed, or charged for where nothing executes them.
    virtual std::uint64_t instructions() const = 0;
    /// Where it is and what it waits for, in words.
    virtual std::string waiting_for() const = 0;
};

} // namespace numavp
