/// The pins of a line with errors that repeats flits, as plain structs, and the interfaces of its two ends.
///
/// Each end has pins of credited flits (rtl/cxs_pins.h) on its other side. The line carries a flit a cycle, with its
/// number and a CRC; answers come back without errors. All outputs come from registers: an output of a cycle does not
/// depend on inputs of the same cycle. A cycle of an end is `settle()` then `edge()`.
#pragma once

#include <cstdint>

#include "rtl/cxs_pins.h"

namespace numavp::rtl {

inline constexpr unsigned kRetryNumbers = 256; ///< numbers of flits, after which they begin anew
inline constexpr unsigned kRetryFlitBits = 8 + 14 + 8 * kCxsBytes + 32;

/// A flit on the line: its number, control, data, and the CRC of all three (rtl/flit_crc.sv).
struct RetryFlitPins {
    bool valid = false;
    unsigned number = 0; ///< 8 bits
    unsigned cntl = 0;   ///< 14 bits
    CxsData data{};
    std::uint32_t crc = 0;
};

/// Answers of the receiving end.
struct RetryAnswerPins {
    bool acknowledge = false; ///< flit `number` has come
    bool again = false;       ///< flit `number` and all behind it shall be repeated
    unsigned number = 0;      ///< 8 bits
    bool credit = false;      ///< a place for a flit that was not sent before
};

/// The sending end, which takes flits from a transmitter.
class RetrySenderEnd {
  public:
    virtual ~RetrySenderEnd() = default;
    virtual void settle(const CxsTransmitterPins& above, const RetryAnswerPins& answer) = 0;
    virtual void edge() = 0;
    virtual const CxsReceiverPins& to_above() const = 0;
    virtual const RetryFlitPins& to_line() const = 0;
};

/// The receiving end, which gives flits to a receiver.
class RetryReceiverEnd {
  public:
    virtual ~RetryReceiverEnd() = default;
    virtual void settle(const RetryFlitPins& line, const CxsReceiverPins& below) = 0;
    virtual void edge() = 0;
    virtual const RetryAnswerPins& to_line() const = 0;
    virtual const CxsTransmitterPins& to_below() const = 0;
};

} // namespace numavp::rtl
