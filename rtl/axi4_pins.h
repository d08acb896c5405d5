/// The pins of an AXI4 port with 512-bit data as plain structs, and interfaces of the devices on either side.
///
/// Names are those of the AMBA AXI specification (IHI 0022), without the channel's letters. Left out: attributes that
/// mean nothing to a memory (lock, cache, prot, qos, region, user).
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace numavp::rtl {

inline constexpr unsigned kAxiBytes = 64;      ///< of a beat
inline constexpr unsigned kAxiBoundary = 4096; ///< that no burst crosses
inline constexpr unsigned kAxiFullSize = 6;
inline constexpr unsigned kAxiIncr = 1;
enum AxiResponse : unsigned { kAxiOkay, kAxiExokay, kAxiSlverr, kAxiDecerr };

using AxiData = std::array<unsigned char, kAxiBytes>; ///< byte lane i is bits 8 i to 8 i + 7

struct AxiAddressPins {
    bool valid = false;
    unsigned id = 0;
    std::uint64_t addr = 0;
    unsigned len = 0; ///< beats less one
    unsigned size = kAxiFullSize;
    unsigned burst = kAxiIncr;
};

/// Pins that the manager drives.
struct AxiManagerPins {
    AxiAddressPins aw;
    struct {
        bool valid = false;
        bool last = false;
        std::uint64_t strb = 0; ///< a bit a byte lane
        AxiData data{};
    } w;
    bool bready = false;
    AxiAddressPins ar;
    bool rready = false;
};

/// Pins that the subordinate drives.
struct AxiSubordinatePins {
    bool awready = false;
    bool wready = false;
    struct {
        bool valid = false;
        unsigned id = 0;
        unsigned resp = kAxiOkay;
    } b;
    bool arready = false;
    struct {
        bool valid = false;
        bool last = false;
        unsigned id = 0;
        unsigned resp = kAxiOkay;
        AxiData data{};
    } r;
};

/// Subordinate of the pins, such as a Verilated memory. A cycle is `edge()` then `settle()`, so that ready may depend
/// on valid within a cycle without a race.
class AxiSubordinate {
  public:
    virtual ~AxiSubordinate() = default;
    /// Calls `step`, which samples the pins of both sides and executes the cycle, once this device's pins have their
    /// values of the edge: with pins in structs at once; with signals when their clock has risen, still at the same
    /// time. `step` stays valid after this call. A class in front of another device must forward the call.
    virtual void at_edge(const std::function<void()>& step) { step(); }
    /// A rising edge of the clock; the manager's pins are those of the last settle().
    virtual void edge() = 0;
    /// Sets the manager's pins until the next edge.
    virtual void settle(const AxiManagerPins& pins) = 0;
    /// Pins that the subordinate drives now.
    virtual const AxiSubordinatePins& pins() const = 0;
    /// Debug access, in no time: returns the number of bytes read or written, 0 if the device has no backdoor.
    virtual unsigned debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) {
        (void)address, (void)bytes, (void)count, (void)write;
        return 0;
    }
};

/// Manager of the pins: a device that begins transactions, such as a Verilated DMA engine. A cycle is `edge()` then
/// `settle()`, so that its pins may depend on the subordinate's within a cycle.
class AxiManager {
  public:
    virtual ~AxiManager() = default;
    /// As AxiSubordinate::at_edge().
    virtual void at_edge(const std::function<void()>& step) { step(); }
    /// A rising edge of the clock; the subordinate's pins are those of the last settle().
    virtual void edge() = 0;
    /// Sets the subordinate's pins until the next edge.
    virtual void settle(const AxiSubordinatePins& pins) = 0;
    /// Pins that the manager drives now.
    virtual const AxiManagerPins& pins() const = 0;
    /// True if it has nothing to send and will not by itself: while no answer is due its clock may be gated.
    virtual bool idle() const = 0;
};

} // namespace numavp::rtl
