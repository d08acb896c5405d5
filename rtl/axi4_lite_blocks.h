/// The RTL blocks with AXI4-Lite ports as C++ objects, in the form of rtl/blocks.h.
#pragma once

#include <memory>

#include "rtl/axi4_lite_pins.h"

namespace numavp::rtl {

/// Constant pins of rtl/fault_poller.sv.
struct FaultPollerPins {
    unsigned sockets = 1;      ///< that take turns
    unsigned socket_shift = 0; ///< of physical addresses
    unsigned page_shift = 0;
    std::uint64_t leaf_table = 0; ///< physical address of the table page with the entries of all pages
};

/// rtl/fault_poller.sv: a page-fault driver in hardware.
class FaultPollerBlock final : public AxiLiteManager {
  public:
    explicit FaultPollerBlock(const FaultPollerPins& constants);
    ~FaultPollerBlock() override;
    void edge() override;
    void settle(const AxiLiteSubordinatePins& pins) override;
    const AxiLiteManagerPins& pins() const override;
    bool idle() const override;
    void interrupt(bool level) override;
    bool failed() const; ///< an answer was not OKAY

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

/// rtl/axi4_lite_registers.sv with 16 registers, and one more that counts its reads.
class AxiLiteRegistersBlock final : public AxiLiteSubordinate {
  public:
    static constexpr unsigned kRegisters = 16;
    /// Each channel stalls in `stall` of 256 cycles.
    explicit AxiLiteRegistersBlock(unsigned stall = 0);
    ~AxiLiteRegistersBlock() override;
    void edge() override;
    void settle(const AxiLiteManagerPins& pins) override;
    const AxiLiteSubordinatePins& pins() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl
