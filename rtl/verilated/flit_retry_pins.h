/// Copies plain-struct pins to and from those of Verilated models with the ports of rtl/flit_retry_sender.sv and
/// rtl/flit_retry_receiver.sv.
#pragma once

#include <cstring>
#include <verilated.h>

#include "rtl/flit_retry_pins.h"

namespace numavp::rtl {

// As in flit_relay_pins.h: byte i of a flit is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct FlitRetrySenderPins {
    CxsReceiverPins above;
    RetryFlitPins line;

    /// Reads the outputs of model `V`.
    template <class V> void read(const V& pins) {
        above = {pins.rx_crdgnt != 0, pins.rx_activeack != 0};
        line.valid = pins.line_valid;
        if (!line.valid) return;
        line.number = pins.line_number;
        line.cntl = pins.line_cntl;
        std::memcpy(line.data.data(), pins.line_data.data(), kCxsBytes);
        line.crc = pins.line_crc;
    }
    template <class V> static void write(V& pins, const CxsTransmitterPins& above, const RetryAnswerPins& answer) {
        pins.rx_activereq = above.activereq;
        pins.rx_valid = above.valid;
        if (above.valid) {
            pins.rx_cntl = static_cast<SData>(above.cntl);
            std::memcpy(pins.rx_data.data(), above.data.data(), kCxsBytes);
        }
        pins.rx_crdrtn = above.crdrtn;
        pins.acknowledge = answer.acknowledge;
        pins.again = answer.again;
        pins.answered = static_cast<CData>(answer.number);
        pins.credit = answer.credit;
    }
};

struct FlitRetryReceiverPins {
    RetryAnswerPins line;
    CxsTransmitterPins below;

    /// Reads the outputs of model `V`.
    template <class V> void read(const V& pins) {
        line = {pins.acknowledge != 0, pins.again != 0, pins.answered, pins.credit != 0};
        below.valid = pins.tx_valid;
        if (below.valid) {
            below.cntl = pins.tx_cntl;
            std::memcpy(below.data.data(), pins.tx_data.data(), kCxsBytes);
        }
        below.crdrtn = pins.tx_crdrtn;
        below.activereq = pins.tx_activereq;
    }
    template <class V> static void write(V& pins, const RetryFlitPins& line, const CxsReceiverPins& below) {
        pins.line_valid = line.valid;
        if (line.valid) {
            pins.line_number = static_cast<CData>(line.number);
            pins.line_cntl = static_cast<SData>(line.cntl);
            std::memcpy(pins.line_data.data(), line.data.data(), kCxsBytes);
            pins.line_crc = line.crc;
        }
        pins.tx_activeack = below.activeack;
        pins.tx_crdgnt = below.crdgnt;
    }
};

} // namespace numavp::rtl
