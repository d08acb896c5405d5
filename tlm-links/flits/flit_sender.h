/// The transmitter of a link with credited flits on plain-struct pins, one edge per call. No SystemC.
///
/// Packets go out one after the other, in the order of take(); each edge sends a flit if a credit is there. The link is
/// activated when there is a packet, and deactivated after `linger` edges without one; credits that are left are then
/// returned, one an edge.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "tlm-links/flits/packet.h"

namespace numavp {

struct FlitSenderConfig {
    unsigned packets = 4; ///< that wait or are on their way out
    unsigned linger = 16; ///< edges without a flit after which the link is deactivated
};

class FlitSender {
  public:
    explicit FlitSender(const FlitSenderConfig& config);

    bool can_take() const { return packets_.size() < config_.packets; }
    /// Takes a packet, which may go out from the next edge on.
    void take(const Packet& packet);

    /// Simulates a rising edge at which the receiver drives `r`. ModelError if it grants too many credits.
    void edge(const rtl::CxsReceiverPins& r);
    /// Pins that the transmitter drives after the last edge.
    const rtl::CxsTransmitterPins& pins() const { return pins_; }

    /// Removes and returns the id of the next packet whose last flit is on the pins; each is reported once, in order.
    std::optional<std::uint16_t> pop_sent();
    /// True if no packet waits and the link has stopped: no more edges are needed.
    bool idle() const { return packets_.empty() && !pins_.activereq && !acknowledged_; }
    unsigned credits() const { return credits_; }
    /// Edges at which a flit waited for a credit.
    std::uint64_t starved_edges() const { return starved_edges_; }

  private:
    struct Waiting {
        FlitWriter writer;
        std::uint16_t id;
    };
    void run();

    FlitSenderConfig config_;
    rtl::CxsTransmitterPins pins_;
    std::deque<Waiting> packets_;
    std::deque<std::uint16_t> sent_;
    unsigned credits_ = 0;
    unsigned quiet_ = 0;        ///< edges without a flit in run
    bool acknowledged_ = false; ///< by the receiver, at the last edge
    std::uint64_t starved_edges_ = 0;
};

} // namespace numavp
