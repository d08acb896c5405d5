/// The pins of an AXI4-Lite port with 64-bit data as plain structs, and what stands behind them on either side.
///
/// For registers: one word an access, no ids, answers of each direction in order. `prot` is left out.
#pragma once

#include <cstdint>

#include "rtl/axi4_pins.h"

namespace numavp::rtl {

inline constexpr unsigned kAxiLiteBytes = 8; ///< of a word
inline constexpr unsigned kAxiLiteStrobes = 0xff;

struct AxiLiteAddressPins {
    bool valid = false;
    std::uint64_t addr = 0;
};

/// What the manager drives.
struct AxiLiteManagerPins {
    AxiLiteAddressPins aw;
    struct {
        bool valid = false;
        unsigned strb = 0; ///< a bit a byte lane
        std::uint64_t data = 0;
    } w;
    bool bready = false;
    AxiLiteAddressPins ar;
    bool rready = false;
};

/// What the subordinate drives.
struct AxiLiteSubordinatePins {
    bool awready = false;
    bool wready = false;
    struct {
        bool valid = false;
        unsigned resp = kAxiOkay;
    } b;
    bool arready = false;
    struct {
        bool valid = false;
        unsigned resp = kAxiOkay;
        std::uint64_t data = 0;
    } r;
};

/// Registers at the other end of the pins, such as a Verilated block. A cycle is `edge()` then `settle()`.
class AxiLiteSubordinate {
  public:
    virtual ~AxiLiteSubordinate() = default;
    /// The clock rises while the manager's pins are as they were last settled.
    virtual void edge() = 0;
    /// The manager's pins are these until the next edge.
    virtual void settle(const AxiLiteManagerPins& pins) = 0;
    virtual const AxiLiteSubordinatePins& pins() const = 0;
};

/// Who reads and writes registers, such as a Verilated controller. A cycle is `edge()` then `settle()`.
class AxiLiteManager {
  public:
    virtual ~AxiLiteManager() = default;
    virtual void edge() = 0;
    virtual void settle(const AxiLiteSubordinatePins& pins) = 0;
    virtual const AxiLiteManagerPins& pins() const = 0;
    /// It asks for nothing and will not by itself: without answers or an interrupt its clock may stand still.
    virtual bool idle() const = 0;
    /// An interrupt line that some have: its level from the next `settle()` on.
    virtual void interrupt(bool level) { (void)level; }
};

} // namespace numavp::rtl
