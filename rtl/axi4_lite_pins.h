/// The pins of an AXI4-Lite port with 64-bit data as plain structs, and interfaces of the devices on either side.
///
/// For registers: one word per access, no ids, answers of each direction in order. `prot` is left out.
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

/// Pins that the manager drives.
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

/// Pins that the subordinate drives.
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

/// Subordinate of the pins: registers, such as a Verilated block. A cycle is `edge()` then `settle()`.
class AxiLiteSubordinate {
  public:
    virtual ~AxiLiteSubordinate() = default;
    /// A rising edge of the clock; the manager's pins are those of the last settle().
    virtual void edge() = 0;
    /// Sets the manager's pins until the next edge.
    virtual void settle(const AxiLiteManagerPins& pins) = 0;
    virtual const AxiLiteSubordinatePins& pins() const = 0;
};

/// Manager of the pins: accesses registers, such as a Verilated controller. A cycle is `edge()` then `settle()`.
class AxiLiteManager {
  public:
    virtual ~AxiLiteManager() = default;
    virtual void edge() = 0;
    virtual void settle(const AxiLiteSubordinatePins& pins) = 0;
    virtual const AxiLiteManagerPins& pins() const = 0;
    /// True if no request is out and none will come by itself: until an answer or interrupt its clock may be gated.
    virtual bool idle() const = 0;
    /// Sets the level of the interrupt line from the next `settle()` on, if the manager has such a line.
    virtual void interrupt(bool level) { (void)level; }
};

} // namespace numavp::rtl
