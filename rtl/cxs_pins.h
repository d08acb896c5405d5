/// The pins of one direction of a link with credited flits as plain structs, and the interface of a relay on it.
///
/// Signals and their names are those of AMBA CXS (IHI 0079) without the prefix. A flit has 256 bits, the narrowest that
/// CXS has with packets of more than one flit: it is a sector of the platform, so that data fills flits. Left out:
/// parity, stream ids, LAST, the hint to deactivate; of the two packets that a flit may have only the first is used.
///
/// Activation by the transmitter's ACTIVEREQ and the receiver's ACTIVEACK: stop (neither), activate (REQ alone), run
/// (both), deactivate (ACK alone). Flits go in run only. A credit is granted in run, or arrives in the first cycle of
/// deactivate; the transmitter then returns its remaining credits, one a cycle, and ACTIVEACK falls when all are back.
/// All outputs come from registers: an output of a cycle does not depend on inputs of the same cycle.
#pragma once

#include <array>
#include <cstdint>

namespace numavp::rtl {

inline constexpr unsigned kCxsBytes = 32; ///< of a flit
inline constexpr unsigned kCxsMostCredits = 15;

using CxsData = std::array<unsigned char, kCxsBytes>; ///< byte i is bits 8 i to 8 i + 7

/// CNTL of 14 bits, lowest first: START[2], START0PTR, START1PTR, END[2], ENDERROR[2], END0PTR[3], END1PTR[3]. Packets
/// start at byte 0 of a flit; END0PTR counts 4-byte pieces.
inline constexpr unsigned kCxsStart = 1;
inline constexpr unsigned kCxsEnd = 1U << 4;
inline constexpr unsigned kCxsEndPointer = 8; ///< its lowest bit
inline constexpr unsigned kCxsUsed = kCxsStart | kCxsEnd | 7U << kCxsEndPointer;

/// Pins that the transmitter drives.
struct CxsTransmitterPins {
    bool valid = false;
    unsigned cntl = 0;
    CxsData data{};
    bool crdrtn = false;
    bool activereq = false;
};

/// Pins that the receiver drives.
struct CxsReceiverPins {
    bool crdgnt = false;
    bool activeack = false;
};

/// All wires of one direction of a link.
struct CxsWires {
    CxsTransmitterPins tx;
    CxsReceiverPins rx;
};

/// A device that takes flits from a transmitter and gives them to a receiver, such as a Verilated relay. A cycle is
/// `settle()` then `edge()`. While it holds a flit it must want its lower side active, and ask for that at the latest
/// one edge after it took the flit or the lower side came to rest: its clock stops when no link was active for two.
class CxsRelay {
  public:
    virtual ~CxsRelay() = default;
    /// Sets the pins of the transmitter above and the receiver below until the next edge.
    virtual void settle(const CxsTransmitterPins& above, const CxsReceiverPins& below) = 0;
    /// A rising edge of the clock; the pins are those of the last settle().
    virtual void edge() = 0;
    /// Pins that the relay drives since the last edge: towards the transmitter above, and the receiver below.
    virtual const CxsReceiverPins& to_above() const = 0;
    virtual const CxsTransmitterPins& to_below() const = 0;
};

} // namespace numavp::rtl
