/// The receiver of a link with credited flits on plain-struct pins, one edge per call. No SystemC.
///
/// It has a place for every flit for which it has granted a credit. Flits leave their places as they are assembled to
/// packets; while `packets` complete packets wait for the owner, flits stay and no credits are granted. A packet is as
/// large as its header says: flits and packets are bounded, bytes are not.
#pragma once

#include <deque>

#include "tlm-links/flits/packet.h"

namespace numavp {

struct FlitReceiverConfig {
    unsigned flits = 8;   ///< places, and so credits; at most 15
    unsigned packets = 2; ///< complete packets that wait for their owner
};

class FlitReceiver {
  public:
    explicit FlitReceiver(const FlitReceiverConfig& config);

    /// Simulates a rising edge at which the transmitter drives `t`. ModelError if it uses a credit that it does not
    /// have, or sends flits that form no packet.
    void edge(const rtl::CxsTransmitterPins& t);
    /// Pins that the receiver drives after the last edge.
    const rtl::CxsReceiverPins& pins() const { return pins_; }

    bool any() const { return !packets_.empty(); }
    const Packet& front() const { return packets_.front(); }
    void pop() { packets_.pop_front(); }
    /// True if no flit or packet is held and the link has stopped: no more edges are needed.
    bool idle() const { return stopped_ && flits_.empty() && packets_.empty(); }

  private:
    void use_credit();
    void assemble();

    FlitReceiverConfig config_;
    rtl::CxsReceiverPins pins_;
    std::deque<Flit> flits_;
    FlitReader reader_;
    std::deque<Packet> packets_;
    unsigned credits_out_ = 0;
    bool stopped_ = true; ///< the link, at the last edge
};

} // namespace numavp
