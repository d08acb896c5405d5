/// Copies plain-struct pins to and from those of a Verilated model with the ports of rtl/flit_relay.sv.
#pragma once

#include <cstring>
#include <verilated.h>

#include "rtl/cxs_pins.h"

namespace numavp::rtl {

// Verilator keeps wide signals as 32-bit words, lowest first: byte i of a flit is byte i on a little-endian host.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct FlitRelayPins {
    CxsReceiverPins above;
    CxsTransmitterPins below;

    /// Reads the outputs of model `V`.
    template <class V> void read(const V& pins) {
        above = {pins.rx_crdgnt != 0, pins.rx_activeack != 0};
        below.valid = pins.tx_valid;
        if (below.valid) {
            below.cntl = pins.tx_cntl;
            std::memcpy(below.data.data(), pins.tx_data.data(), kCxsBytes);
        }
        below.crdrtn = pins.tx_crdrtn;
        below.activereq = pins.tx_activereq;
    }
    /// Sets the inputs: pins of the transmitter above and of the receiver below.
    template <class V> static void write(V& pins, const CxsTransmitterPins& above, const CxsReceiverPins& below) {
        pins.rx_activereq = above.activereq;
        pins.rx_valid = above.valid;
        if (above.valid) {
            pins.rx_cntl = static_cast<SData>(above.cntl);
            std::memcpy(pins.rx_data.data(), above.data.data(), kCxsBytes);
        }
        pins.rx_crdrtn = above.crdrtn;
        pins.tx_activeack = below.activeack;
        pins.tx_crdgnt = below.crdgnt;
    }
};

} // namespace numavp::rtl
