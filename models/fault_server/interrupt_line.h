/// An interrupt line of the driver's core: a level that several devices raise together.
#pragma once

#include <cstdint>

namespace numavp {

/// Receiver of interrupts, such as a core. Calls come in deliveries and in arbitration passes.
class InterruptTaker {
  public:
    virtual void interrupt(bool level) = 0;

  protected:
    ~InterruptTaker() = default;
};

/// The line is high while at least one device raises it. Devices are numbered from 0 to 31.
class InterruptLine {
  public:
    void connect(InterruptTaker& taker) { taker_ = &taker; }
    void set(unsigned device, bool level) {
        const std::uint32_t before = raised_;
        raised_ = (raised_ & ~(1U << device)) | (std::uint32_t{level} << device);
        if (taker_ && (before != 0) != (raised_ != 0)) taker_->interrupt(raised_ != 0);
    }
    bool level() const { return raised_ != 0; }

  private:
    InterruptTaker* taker_ = nullptr;
    std::uint32_t raised_ = 0;
};

} // namespace numavp
